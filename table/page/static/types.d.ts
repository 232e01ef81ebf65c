// The types of the page's JavaScript. The first half describes what the table sends:
// table/referee/snapshot.py and table/page/api.py write it. The second half describes what the parts of the
// page pass to one another.

/** Left, top, width and height in px of the picture. */
export type Box = [number, number, number, number];

/** Shares of the picture's width and height. */
export type Point = [number, number];
export type Quad = [Point, Point, Point, Point];

export interface TrayDie {
  face: number | null;
  colour: string;
  box: Box;
  cocked: boolean;
  part: "thrown" | "still" | "asked" | "doubted" | "coming";
  index: number | null;
  /** What the awaited throw does with it; "" if neither is known. */
  next?: "stays" | "thrown" | "";
  /** It came in a throw that did not count: nobody has set it aside. */
  void?: true;
  likely: number[];
}

export interface TrayStick {
  face: string;
  box: Box;
  /** px of the picture */
  quad: Quad;
  crossed: boolean;
  part: "thrown" | "still" | "asked" | "doubted";
  index: number | null;
  likely: string[];
}

/** What the picture of the tray needs to draw a mark around a die. */
export type Marked = Pick<TrayDie, "box" | "face" | "part" | "next">;

export interface TrayView<Die = TrayDie> {
  state: string;
  /** A throw is under way: something moves, comes to rest or is being read. */
  busy: boolean;
  /** The camera does not see the tray. */
  blind: boolean;
  message: string;
  rule: string;
  size: [number, number];
  dice: Die[];
  sticks: TrayStick[];
  throw_at: number | null;
  short: boolean;
  under_arm: boolean;
  /** It is asked whether dice fell from towers. */
  fall: boolean;
  /** The numbers of the towers from which dice seem to have fallen, while people say which fell. */
  fallen_from: number[];
  placed: string; // the placement that is asked about, "" if none is
  some: boolean;
  free_throws: number[][];
  hidden: boolean;
  /** The boxes of towers, by number. */
  towers: [number, number, number, number][];
  /** Dice without `next` that show one face, of which some stay for the awaited throw. */
  alike: { face: number; stays: number } | null;
  /** How many dice are thrown again alone, in words; "" if none. */
  again: string;
}

/** A die of a throw, with its colour if the game uses colours. */
export type Rolled = number | { face: number; colour?: string | null };

export interface Throw {
  at: number;
  player: string;
  did: string;
  /** What the player did, with the faces, as a sentence. */
  text: string;
  roll?: Rolled[];
  sticks?: string[];
  of?: string[][];
  typed?: true;
}

/** throws: the number of dice whose throw makes the choice. hides: a throw under a cup follows. falls: it says that dice fell. */
export interface Option {
  id: string;
  text: string;
  throws?: number;
  hides?: true;
  falls?: true;
}

/**
 * An answer that can be given on the board: the piece on the spot `piece` goes to the spot `to`. Without a
 * piece, a spot is chosen; without `to`, a piece is. ends: where the piece comes to stand, if not there.
 * off: what comes from beside the board.
 */
export interface Move {
  choose?: string;
  bid?: { count: number; faces: number[] };
  piece?: string;
  to?: string;
  ends?: string;
  off?: Piece | { face: number; colour: string };
}

interface Asked {
  readonly player: string;
  readonly text: string;
  readonly options?: Option[];
  readonly moves?: Move[];
  /** Moves of the same pieces that are not allowed. */
  readonly closed?: (Move & { why: string })[];
}

export interface RollPrompt extends Asked {
  readonly kind: "roll";
  readonly for?: string;
  readonly dice: { colour: string | null; count: number; either?: string[] }[];
}

export interface KeepPrompt extends Asked {
  readonly kind: "keep";
  readonly from: number[];
  readonly earlier?: number[];
  readonly least?: number;
  readonly none?: true;
  readonly all?: true;
  readonly idle?: number[];
  readonly why_idle?: string[];
  readonly worth?: Record<string, number>;
}

export interface ChoosePrompt extends Asked {
  readonly kind: "choose";
  readonly options: Option[];
}

export interface HiddenPrompt extends Asked {
  readonly kind: "hidden";
  readonly options: Option[];
}

export interface SticksPrompt extends Asked {
  readonly kind: "sticks";
  readonly for?: string;
  readonly sticks: string[][];
}

export interface NumberPrompt extends Asked {
  readonly kind: "number";
  readonly least: number;
  readonly most: number;
  readonly for?: string;
  readonly usual?: number;
}

export interface Bid {
  count: number | null;
  face: number;
}

export interface BidPrompt extends Asked {
  readonly kind: "bid";
  readonly in_play?: number;
  /** The chance of each number of dice, from 1 on, for the coach. */
  readonly chances?: { faces: number[]; of: number[] }[];
  /** The lowest number of dice that may be bid of each face, from 1s to 6s; null for none. */
  readonly fewest?: (number | null)[];
  readonly above: { count: number; face: number } | null;
}

export interface BetsPrompt extends Asked {
  readonly kind: "bets";
  readonly bettors: string[];
  readonly on: Option[];
  readonly most: number;
}

export interface Level {
  item: string;
  spot: string;
  level: number;
  /** It was taken off the tower, where the board still shows it. */
  carried?: boolean;
}

export interface PickPrompt extends Asked {
  readonly kind: "pick";
  readonly for?: string;
  readonly items: Option[];
  /** Where items stand on the board: the level in a tower, from 1. */
  readonly levels?: Level[];
  readonly least: number;
  readonly most: number;
}

export type Prompt =
  | RollPrompt
  | KeepPrompt
  | ChoosePrompt
  | HiddenPrompt
  | SticksPrompt
  | NumberPrompt
  | BidPrompt
  | BetsPrompt
  | PickPrompt;

export interface Player {
  name: string;
  colour: string | null;
  second?: string | null;
}

/** coins: those that it carries. */
export interface Piece {
  player: string;
  text: string;
  coins?: number;
}

export interface Spot {
  id: string;
  x: number;
  y: number;
  kind: string;
  text: string;
  coins: number;
  pieces: Piece[];
  label?: SpotName;
  said?: string;
}

export interface BoardView {
  width: number;
  height: number;
  spots: Spot[];
  lines: [string, string][];
  notes: string[];
  look: "plain" | "land" | "river" | "track" | "towers" | "bar";
  /** By player: how many pieces have arrived, where the score does not say it. */
  progress?: Record<string, { count: number; of: number; what: string }>;
}

/** A die that came to light. counts: whether it counts for the bid. */
export interface OpenDie {
  player: string;
  face: number;
  counts: boolean;
}

/** leaders: who won the event once it is over, otherwise who leads it. best: their result. */
export interface ProgrammeEvent {
  id: string;
  title: string;
  session: string;
  state: "over" | "on" | "ahead";
  best: number | null;
  leaders: string[];
}

/** The events of a match that is played in several. bar: the picture of an event over a bar that is on. */
export interface Programme {
  events: ProgrammeEvent[];
  bar: BoardView | null;
}

export interface SheetLine {
  player: string;
  at: number;
  points: number;
  reason: string;
  box?: string;
  /** The number of the turn or round, 0 for what each begins with; a line with a box has none. */
  row?: number;
  value?: string;
  /** The player's total after the line. */
  sum?: number;
  typed?: true;
  /** A ruling of the same moment says already what it does. */
  told?: true;
}

/** player: null for all together, and for what several share, whom the text names. text: how, or "". shared: these players. */
export interface Highlight {
  title: string;
  value: string;
  player: string | null;
  text: string;
  shared: string[];
}

export interface Odds {
  text: string;
  value: number;
  points: boolean;
}

/** An answer to a choice, its worth, and what it costs against the best. */
export interface ValuedAnswer {
  text: string;
  worth: number;
  costs: number;
  choose?: string;
  keep?: number[];
  number?: number;
}

/** Best play at a prompt. points: the worth is points, otherwise a chance. The best answer comes first. */
export interface BestPlay {
  aim: string;
  points: boolean;
  worth: number;
  answers: ValuedAnswer[];
}

/** What made the result of a player: expected + luck + choices + others = result. */
export interface Account {
  player: string;
  aim: string;
  points: boolean;
  expected: number;
  luck: number;
  choices: number;
  others: number;
  result: number;
}

/** What the coach knows of the snapshot with this number. accounts: after the game. */
export interface Coaching {
  number: number;
  best_play?: BestPlay | null;
  accounts?: Account[];
}

export interface Match {
  /** The number of the match in the log; null if it is not written there. */
  readonly id?: number | null;
  readonly game: string;
  readonly title: string;
  readonly players: Player[];
  /** The names of the players clockwise. */
  readonly seat_order: string[];
  readonly settings: Record<string, string | number>;
  /** The settings that are not the usual ones, in words. */
  readonly unusual: string[];
  readonly at: number;
  /** The number of the answer with which the turn before this one began. */
  readonly recent_at: number;
  readonly phase: "play" | "over" | "broken";
  readonly prompt: Prompt | null;
  readonly scores: Record<string, number>;
  /** What the scores count, one and many of it; null: points. */
  readonly scores_count: [string, string] | null;
  /** The games that each player has won; empty for a match of one game. */
  readonly games_won: Record<string, number>;
  readonly odds: Odds[];
  readonly board: BoardView | null;
  /** The dice that came to light under the lifted cups. */
  readonly lifted: OpenDie[];
  readonly programme: Programme | null;
  readonly sheet: SheetLine[];
  /** What all players did in a round, such as their bids. */
  readonly row_notes: { row: number; text: string }[];
  /**
   * remark: it tells of a correction or of a choice that was taken back. task: it says what to do before the next
   * throw.
   */
  readonly rulings: { at: number; text: string; remark?: true; task?: true }[];
  readonly so_far: string;
  readonly winners: string[];
  /** What each winner won, where there is more than one prize. */
  readonly prizes: Record<string, string>;
  readonly outcome: string | null;
  readonly next_first: string | null;
  /** Who begins the next match, and why, in a sentence; "" if a throw decides. */
  readonly rematch: string;
  readonly carried: number;
  readonly broken: string | null;
  readonly throws: Throw[];
  readonly can_take_back: boolean;
  /** Whether the match is over and the coach knows what was luck in it. */
  readonly accounted: boolean;
}

/** A match out of the log. ended: why it was ended before its end. */
export interface LoggedMatch extends Match {
  readonly started: string;
  readonly ended: string | null;
}

/** A match in the list of all that were played. started: local time, as in ISO 8601. */
export interface ListedMatch {
  readonly match: number;
  readonly game: string;
  readonly title: string;
  readonly started: string;
  readonly players: string[];
}

/** The throws and fouls that have a replay. */
export interface Replays {
  throws: number[];
  fouls: number[];
}

export interface Snapshot {
  readonly seq: number;
  readonly run: string;
  readonly number: number;
  readonly camera: string;
  readonly can_confirm: string | null;
  readonly match: Match | null;
  readonly tray: TrayView;
  readonly hand: boolean;
  /** Whether the player in turn may look under a simulated cup. */
  readonly may_look: boolean;
  readonly replays: Replays;
  readonly hidden_since: number | null;
  readonly picture: number | null;
  /** Whether a camera has shown the tray since the table was started. */
  readonly pictured: boolean;
  readonly can_type: boolean;
}

/** A snapshot while a game is on. */
export type Playing = Snapshot & { readonly match: Match };

/** help: for scripts, with the values by name. For people: title, about, and a text for each value. */
export interface Setting {
  name: string;
  default: string;
  values: string[] | null;
  range: [number, number] | null;
  help: string;
  title: string;
  about: string;
  texts: string[];
  players: [number, number] | null; // with whom it means anything; null: with any number
}

export interface FormRow {
  box: string;
  text: string;
}

/** A line of a card, which is the paper sheet of one player. best: the box of the attempt that counts, or "". */
export interface CardLine {
  event: string;
  blanks: { label: string; box: string; best: string }[];
}

export interface Numbered {
  number: string;
  text: string;
}

/** A game as its card shows it. minutes: with few and with more players; null if not known. sticks: whether it throws sticks, not dice. */
export interface GameInShort {
  name: string;
  title: string;
  aim: string;
  players: [number, number];
  minutes: [number, number] | null;
  two_colours: boolean;
  sticks: boolean;
  coached: boolean;
}

export interface Game extends GameInShort {
  settings: Setting[];
  rules: string;
  rulings: Numbered[];
  best_play: string;
  form: FormRow[];
  card: CardLine[];
}

export interface Games {
  games: GameInShort[];
  colours: string[];
}

/** A refusal. lost: the table was not reached. drops: number of answers that a correction would drop. */
export interface Refused {
  error: string;
  lost?: boolean;
  drops?: number;
  snapshot?: Snapshot;
}

/** The answer of the table: the requested value or, after an error, only a refusal. */
export type Answer<T> = T & Partial<Refused>;

/** The dice or sticks that were read in the picture of a throw. */
export interface Seen {
  size: [number, number];
  dice: { face: number; box: Box }[];
  sticks?: { face: string; quad: Quad }[];
}

export interface TaughtColour {
  name: string;
  plays_as: string;
  swatch: string;
}

export interface TaughtColours {
  colours: TaughtColour[];
  telling: boolean;
  undo: number;
  lying?: {
    size: [number, number];
    boxes: Box[];
    swatches: string[];
    colour: string | null;
    plays_as: string | null;
  };
}

export interface OwnSticks {
  faces: { face: string; samples: number }[];
  telling: boolean;
  undo: number;
  lying?: { size: [number, number]; sticks: Omit<TrayStick, "part" | "index" | "likely">[] };
}

export interface Quads {
  corners: Quad;
  strip: Quad | null;
}

export interface Place {
  size: [number, number];
  place: Quads | null;
  drift: string;
  /** How many changes can be undone. */
  undo: number;
  asked?: boolean;
  found?: (Quads & { by: "mat" | "picture" }) | null;
}

/** The result of one check. ok: null if the part is absent and optional. */
export interface Finding {
  name: string;
  ok: boolean | null;
  says: string;
  figures: string;
}

/** What was measured in the camera's picture. */
export interface Quality {
  size: [number, number];
  sharpness: number;
  least_sharpness: number;
  brightness: number;
  least_brightness: number;
  glare: number;
  most_glare: number;
  glare_at: Point | null;
  flicker: number;
  most_flicker: number;
  noise: number;
}

export interface Health {
  ok: boolean;
  findings: Finding[];
  picture: Quality | null;
}

export interface Lights {
  present: boolean;
  reason: string;
  seats: number;
  buttons: { name: string; presses: number; held: boolean }[];
  /** Whether this screen may try the lights now. */
  may_try: boolean;
}

export interface PhoneAddress {
  url: string;
  /** The rows of its QR code; "1" is dark. */
  qr: string[];
}

export interface Frame {
  at_s: number;
  picture: Blob;
}

// -- between the parts of the page
// -----------------------------------------------------------------------------------

export type View =
  | "play"
  | "sheet"
  | "rules"
  | "new"
  | "health"
  | "camera"
  | "place"
  | "colours"
  | "sticks"
  | "lights"
  | "phones";

/** Sends an action; resolves to whether the table did it. */
export type Send = (path: string, body?: object) => Promise<boolean>;

/** Sends an answer to the prompt; resolves to whether it counted. */
export type SendAnswer = (answer: object) => Promise<boolean>;

/** about: what the table was doing when it was said. */
export interface Notice {
  text: string;
  lost: boolean;
  about: string | null;
}

export type SetNotice = (text: string, lost?: boolean) => void;

/** What a person says that a die shows; null: it is no die. */
export type SaidFace = number | "leans" | null;

/** A die that the dialog asks about. open: it has no answer yet. */
export interface AskedDie {
  face: SaidFace;
  colour: string;
  box?: Box;
  likely?: number[];
  open?: boolean;
}

/** Answers that are not sent yet, by their places in a question, and what it is about. */
export interface Unsent {
  about: { when: string; places: number[] };
  said: Record<number, string | number | null>;
}

/** about: what the answers are kept for, if the page is loaded anew. */
interface Asks {
  title: string;
  path: string;
  about?: Unsent["about"];
}

/**
 * A question about dice. none, lean: labels of the buttons for "no die" and "leans". confirm: label of the button that sends all
 * faces at once. kept: the throw that is asked about, if its dice no longer lie on the tray: the table may keep its
 * picture.
 */
export interface AskingDice extends Asks {
  dice: AskedDie[];
  kept?: { at: number; typed: boolean };
  index: number;
  size?: [number, number];
  leans?: boolean;
  none?: string;
  lean?: string;
  confirm?: string;
  of?: undefined;
  sticks?: undefined;
  body: (faces: SaidFace[]) => object;
}

/** A question about all sticks of a throw. picture: the URL of the throw's picture. */
export interface AskingSticks extends Asks {
  of: string[][];
  faces: string[];
  picture: string | null;
  leans?: undefined;
  sticks?: undefined;
  body: (faces: string[]) => object;
}

/**
 * A question about sticks in the picture, one after another. faces: all that these sticks can show. corrects: whether
 * they counted already.
 */
export interface AskingSeenSticks extends Asks {
  sticks: TrayStick[];
  corrects?: true;
  faces: string[];
  index: number;
  size: [number, number];
  of?: undefined;
  leans?: undefined;
  body: (faces: (string | null)[]) => object;
}

export type Asking = AskingDice | AskingSticks | AskingSeenSticks;

export type SetAsking = (asking: Asking | null) => void;

/**
 * Sends an answer of the dialog; resolves to the table's answer, or to null for the second tap of a double
 * tap.
 */
export type Ask = (path: string, body?: object) => Promise<Answer<{ snapshot: Snapshot }> | null>;

export type Finish = (body: object) => Promise<void>;

/** What a correction would drop, in words, and the body that confirms it. */
export interface Doubt {
  costs: string;
  body: object;
}

/** A name beside its spot on the board. */
export interface SpotName {
  lines: string[];
  anchor: "start" | "middle" | "end";
  x: number;
  y: number;
}

/** A drawn spot. Its name is inside it or beside it. */
export interface DrawnSpot {
  spot: Spot;
  r: number;
  letters: number;
  within: string[];
  beside: SpotName | null;
}

/** Coins drawn at the spot `on`. player: who carries them; null if they lie there. */
export interface Badge {
  on: string;
  coins: number;
  player: string | null;
  x: number;
  y: number;
  r: number;
}

/**
 * What can be tapped on a board. chosen: the piece that was tapped, or the only one. placed: the spot that was
 * tapped last. which: the moves among which a person has to choose. shown: the moves of the chosen piece, or all.
 * off: the pieces beside the board. tap: whether a tap on the spot means anything.
 */
export interface Taps {
  chosen: string | null;
  placed: string | null;
  which: Move[];
  shown: Move[];
  off: [string, Move][];
  pieces: Set<string>;
  places: Set<string>;
  tap: (id: string) => boolean;
  choose: (piece: string) => void;
  select: (piece: string | null) => void;
  answer: (move: Move) => void;
  /** The items of a pick that are marked. */
  picked: string[];
  mark: (item: string) => void;
  /** The items that stand in each tower, the highest first, and the tower whose items are listed. */
  towers: Map<string, Level[]>;
  opened: string | null;
}

/** A half-filled form for a new game. */
export interface Draft {
  name: string;
  players: Player[];
  settings: Record<string, string>;
  /** The game was chosen at home, and nothing was changed since. */
  chosen?: boolean;
}

/** The kept dice of a throw, by their places in the prompt. */
export interface Keeping {
  kept: Set<number>;
  toggle: (place: number) => void;
}

export type Stage = "asking" | "board" | "tray" | "day" | "end";

/** An input event of a field. */
export type Typed = Event & { target: HTMLInputElement };

/** A tap on the marks over the picture of the tray. */
export type TapOnTray = MouseEvent & { target: Element; currentTarget: SVGSVGElement };

/** A tap on the board. */
export type TapOnBoard = MouseEvent & {
  target: Element;
  currentTarget: HTMLElement;
  readonly pointerType?: string;
};

/** A part of the board, in hundredths of its longer side. */
export interface BoardPart {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The room for an enlarged board in its frame, px. */
export interface Room {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * What is shown of the board. leave: how to show all of it again; null if it is shown. enlarge: enlarges it for a
 * tap that means the spot, if a finger cannot tell that from its neighbours.
 */
export interface ZoomedBoard {
  part: BoardPart;
  leave: { back: () => void; style: string } | null;
  enlarge: (event: TapOnBoard, id: string | null) => boolean;
}

/** A throw or a foul that is shown with its picture or replay. */
export interface Shown {
  at: number;
  text: string;
  foul?: boolean;
  match?: number | null;
}

/** The props of every view. */
/** What a screen lets people hear; the voice comes with the tones. */
export type Sounds = "off" | "tones" | "voice";

/** at, seconds: when it begins after the first one, and how long it rings */
export interface Note {
  hz: number;
  at: number;
  seconds: number;
}

export interface Page {
  snapshot: Snapshot;
  games: Games | null;
  send: Send;
  setView: (view: View) => void;
  asking: Asking | null;
  setAsking: SetAsking;
  notice: Notice | null;
  setNotice: SetNotice;
  /** The match before, while no game is on. */
  last: LoggedMatch | null;
  /** The view from which the set-up was opened. */
  back: View;
}

/** The props of a view while a game is on. */
export interface PlayingPage extends Page {
  snapshot: Playing;
}

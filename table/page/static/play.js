// The view of a game: tray or board, the controls of the prompt, the tools and the scores.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";
import { playAgain } from "./again.js";
import { askAbout, askAboutSticks, correction, correctionOfStick, typedThrow } from "./asking.js";
import { Board, Glance } from "./board.js";
import { cellText, isRuled } from "./cell.js";
import { coachIsOn, saveCoach, useCoaching } from "./coach.js";
import { Die } from "./dice.js";
import { SimulatedHand, canThrow, ofLastThrow, placesIn, thrownAlone, thrownOption } from "./hand.js";
import { Home } from "./home.js";
import { later } from "./later.js";
import { Message } from "./notice.js";
import { Scores } from "./scores.js";
import { BY_HAND, isCameraless, unbroken } from "./states.js";
import { useLatest } from "./latest.js";
import { promptKey, useInPrompt, useMoves } from "./moves.js";
import { celebrated } from "./players.js";
import { PromptControls, isAside, needsRoom, shortOptions } from "./prompts.js";
import { Stick } from "./sticks.js";
import { Tools } from "./tools.js";
import { Cup, NEXT_SIGNS, Tray } from "./tray.js";

/**
 * @import {
 *   AskingDice, AskingSeenSticks, BoardView, Coaching, Keeping, KeepPrompt, Match, Move, OpenDie, Option, Page, PlayingPage, Prompt, Rolled, Send,
 *   SetAsking, Shown, Snapshot, Stage, Throw as Thrown, TrayDie, TrayView
 * } from "./types.d.ts"
 */

const Ending = later(() => import("./ending.js").then((found) => found.Ending));
const UnderCup = later(
  () => import("./undercup.js").then((found) => found.UnderCup),
  () => html`<button class="choice quiet under-cup" disabled>Look under the cup</button>`, // the form above must not move
);
const Coach = later(() => import("./advice.js").then((found) => found.Coach));
const Shower = later(() => import("./shower.js").then((found) => found.Shower));
const Picture = later(() => import("./picture.js").then((found) => found.Picture));
const Day = later(() => import("./day.js").then((found) => found.Day));
const DayStrip = later(() => import("./day.js").then((found) => found.DayStrip));
const Lifted = later(() => import("./lifted.js").then((found) => found.Lifted));
const ClumsyHand = later(() => import("./clumsy.js").then((found) => found.ClumsyHand));

const SHORT_OPTION = 24; // letters that fit on a large button
const FLAT = 0.4; // height of a board divided by its width; a flatter board leaves room below it
const FAINT = 0.45; // opacity of a die that cannot be kept
const MOST_SCORES = 3; // scores of one answer that are news; stakes of a whole table are not
const MOST_RULINGS = 9; // lines of what happened; those that do not fit are not shown
const THROWING = new Set(["roll", "keep"]);
const VOID = new Set(["WRONG DICE", "OUT OF TURN"]); // states after a throw that does not count

const TAP_WRONG = "Tap the die that was read wrongly, in the picture.";

/** @typedef {{ text: string, news: boolean, old: boolean, remark?: boolean }} Happened a line of what happened */

/** @param {Page} props */
export function Play({ snapshot, games, send, setView, setAsking, notice, setNotice, last }) {
  const { match, tray } = snapshot;
  const prompt = match?.prompt;
  const [kept, setKept] = useState(/** @type {Set<number>} */ (new Set()));
  const [correcting, setCorrecting] = useState(false);
  const [wantedStage, setWantedStage] = useState(/** @type {Stage | null} */ (null));
  const [coached, setCoached] = useState(coachIsOn());
  const coaching = useCoaching(coached, snapshot);
  const [replayed, setReplayed] = useState(/** @type {Shown | null} */ (null));
  const [clumsy, setClumsy] = useState(false);
  const key = promptKey(match);
  useEffect(() => {
    if (tray.placed && tray.placed === meant) send("answer", { answer: { choose: tray.placed } });
    meant = "";
  }, [key, tray.placed]);
  const [tappedBid, setTappedBid] = useInPrompt(key, /** @type {Move["bid"] | null} */ (null));
  const beforehand = () => setKept(markedBeforehand(prompt));
  useEffect(beforehand, [key]);
  useEffect(() => {
    if (VOID.has(tray.state)) beforehand(); // what was marked was refused
  }, [tray.state, tray.message]);
  useEffect(() => setCorrecting(false), [snapshot.number]);
  const noticed = useRef("");
  noticed.current = notice?.text ?? "";
  // at once: whoever leaves for another view before the next picture would take the sentence along
  useLayoutEffect(() => {
    if (!correcting) return undefined;
    /** @param {KeyboardEvent} e */
    const leave = (e) => e.key === "Escape" && correct(false);
    addEventListener("keydown", leave);
    return () => {
      removeEventListener("keydown", leave);
      if (noticed.current === TAP_WRONG) setNotice(""); // it is not asked for elsewhere
    };
  }, [correcting]);
  // who builds towers looks at the tray for one placement after another
  const asks = match?.board?.look === "towers" ? `${prompt?.kind} ${prompt?.player}` : match?.at;
  useEffect(() => setWantedStage(null), [match?.id, asks]);

  const wonNow = useSawWin(match);

  const asked = askAbout(snapshot) ?? askAboutSticks(snapshot);
  const open = asked && !asked.leans ? null : prompt; // the table accepts no choice while dice are unsure
  const cameraless = isCameraless(snapshot);
  const stages = stagesOf(match, open, tray.blind, cameraless)
    .filter((s) => s !== "asking" || open?.kind !== "sticks" || snapshot.can_type)
    .filter((s, _, all) => s !== "tray" || all.length === 1 || snapshot.hidden_since === null);
  // the towers of the board are as they should be: what may have fallen is seen on the tray
  if (tray.fall && !tray.blind) stages.sort((a, b) => +(b === "tray") - +(a === "tray"));
  const stage = stages.find((s) => s === wantedStage) ?? stages[0];
  /**
   * Marks a die to keep, or unmarks it. One that cannot be kept is not marked, and the table's reason is shown.
   * @param {number} i
   */
  const toggle = (i) => {
    const refused = whyNot(prompt, i);
    setNotice(refused ?? ""); // what was refused before is answered by the tap
    if (refused) return;
    setKept((old) => {
      const now = new Set(old);
      if (!now.delete(i)) now.add(i);
      return now;
    });
  };
  /** @param {boolean} on */
  const coach = (on) => {
    saveCoach(on);
    setCoached(on);
  };
  /**
   * Sends the answer of a move. A bid is first shown in its controls, because its face may be open.
   * @param {Move} move
   */
  const make = ({ choose, bid }) => (bid ? setTappedBid(bid) : takes(snapshot, send, { choose }));
  const latest = useLatest(boardOf(match), prompt?.player ?? "");
  const happened = match ? whatHappened(match) : [];
  const taps = useMoves(open ?? null, key, make);
  const [unsent, setUnsent] = useInPrompt(key, "");
  const thrown = open?.kind === "sticks" && !tray.blind && stage !== "asking"; // the camera reads them
  const controls =
    open && needsRoom(open) && !thrown
      ? html`<${PromptControls} prompt=${open} ...${{ match, tray, taps, setUnsent }} wanted=${tappedBid}
          sendAnswer=${(/** @type {object} */ answer) => takes(snapshot, send, answer)} />`
      : null;
  /** @param {boolean} on */
  const correct = (on) => {
    setCorrecting(on);
    setWantedStage("tray");
    if (on) setNotice(TAP_WRONG);
  };
  const below = stage === "asking"; // the controls are in the large half
  const hand = canThrow(snapshot) && html`<${SimulatedHand} ...${{ snapshot, kept, send }} />`;
  const under = snapshot.may_look && html`<${UnderCup} ...${{ snapshot, send, setNotice }} />`;
  const bidding = open?.kind === "bid" && !below; // the form of a bid takes the room above
  const tools = html`<${Tools} look=${bidding && under} ...${{ snapshot, games, send, setView, setAsking, open, stages, stage, setWantedStage }}
      ...${{ correcting, correct, coached, coach, setClumsy }}
      replay=${replayable(snapshot)} setReplayed=${setReplayed} />`;

  return html`<main class="play" data-stage=${stage} data-flat=${stage === "board" && flat(boardOf(match)) ? "" : null}
      data-crowded=${match && match.players.length > CROWD ? "" : null} data-foul=${tray.rule === BY_HAND && open && open.kind !== "roll" ? "" : null}>
    <section class="left" aria-label=${stage === "tray" && cameraless ? "Last throw" : STAGES[stage]}>
      ${stage === "end" && match && html`<${Ending} match=${match} number=${snapshot.number} />`}
      ${
        stage === "tray" &&
        (prompt?.kind === "hidden" && snapshot.hidden_since !== null
          ? html`<${Cup} />`
          : cameraless && snapshot.hidden_since === null
            ? html`<${WithoutPicture} match=${match} />`
            : html`<${LiveTray} ...${{ snapshot, kept, toggle, correcting, correct, setAsking, setNotice }} />`)
      }
      ${stage === "board" && html`<${Board} match=${{ ...match, board: boardOf(match) }} ...${{ open, taps, latest, news: newsOf(happened) }} />`}
      ${stage === "day" && html`<${Day} match=${match} />`}
      ${below && controls && html`<div class="answering">${aboutThrow(open) && snapshot.hidden_since === null && html`<${LastThrow} match=${match} />`}${controls}</div>`}
    </section>
    <section class="side" aria-label="What to do">
      ${
        match
          ? html`<${Decide} ...${{ snapshot, asked, open, kept, toggle, send, setView, setAsking }}
              ...${{ notice, setNotice, coached, coaching, hand, unsent, controls: below ? null : controls }}
              look=${!bidding && under} happened=${happened} lifted=${stage === "tray" ? match.lifted : null} />`
          : html`<${Home} ...${{ snapshot, games, asked, send, setView, setAsking, notice, setNotice, last, hand }} />`
      }
      ${stage === "tray" && prompt?.kind === "sticks" && match?.board && html`<${Glance} ...${{ match, latest }} open=${() => setWantedStage("board")} />`}
      ${match?.programme && stage !== "day" && stage !== "end" && html`<${DayStrip} match=${match} />`}
      ${tools}
    </section>
    ${match && stage !== "end" && html`<${Scores} match=${match} />`}
    ${
      match &&
      celebrated(match).length > 0 &&
      wonNow &&
      html`<${Shower}
        colours=${match.players.filter((p) => match.winners.includes(p.name)).map((p) => p.colour)} />`
    }
    ${
      replayed &&
      html`<${Picture} ...${{ shown: replayed, setShown: setReplayed, replays: snapshot.replays }} />`
    }
    ${clumsy && html`<${ClumsyHand} ...${{ send, close: () => setClumsy(false) }} />`}
  </main>`;
}

let meant = ""; // the placement that was tapped, and that the simulated hand makes

/**
 * Sends an answer. A simulated hand builds the towers: the camera then sees what was chosen, and if it is not sure,
 * the tap stands. It also throws under the cup after a choice to do so.
 * @param {Snapshot} snapshot
 * @param {Send} send
 * @param {object & { choose?: string }} answer
 */
const takes = ({ hand, match }, send, answer) => {
  const builds = hand && answer.choose && match?.board?.look === "towers";
  if (builds) meant = answer.choose ?? "";
  return builds || (hand && hides(match?.prompt, answer.choose ?? ""))
    ? send("hand", { option: answer.choose })
    : send("answer", { answer });
};

/**
 * Whether a throw under a cup follows this option.
 * @param {Prompt | null | undefined} prompt
 * @param {string} id
 */
const hides = (prompt, id) => prompt?.options?.some((o) => o.id === id && o.hides);

const CROWD = 5; // players from which on a small screen has less room above the scores

/**
 * The replay to offer: of the current foul, or else of the last throw. Null if there is neither, or while
 * dice go under a cup.
 * @param {Snapshot} snapshot
 * @returns {Shown | null}
 */
function replayable({ match, tray, replays }) {
  if (!match || match.prompt?.kind === "hidden") return null;
  if (replays.fouls.includes(match.at))
    return { at: match.at, text: tray.message || "The last foul.", foul: true };
  const last = match.throws.at(-1);
  return last && replays.throws.includes(last.at) ? { at: last.at, text: last.text } : null;
}

/** What the large half of the page can show. */
const STAGES = { asking: "Answer", board: "Board", tray: "Tray", day: "The day", end: "Result" };

/**
 * The board of the game, or the bar of the event that is on.
 * @param {Match | null} match
 */
const boardOf = (match) => match?.board ?? match?.programme?.bar ?? null;

/**
 * The stages of the current prompt, with the bar and the day of a match in events. The first one is shown by
 * default: the bar, if it can be tapped.
 * @param {Match | null} match
 * @param {Prompt | null | undefined} open
 * @param {boolean} blind
 * @param {boolean} cameraless there is nothing to see on the tray: it is shown only in place of nothing
 * @returns {Stage[]}
 */
function stagesOf(match, open, blind, cameraless) {
  const all = stagesOfPrompt(match, open, blind);
  const stages = cameraless && all.length > 1 ? all.filter((s) => s !== "tray") : all;
  if (!match?.programme) return stages;
  if (!match.programme.bar) return [...stages, "day"];
  return open?.moves ? ["board", ...stages, "day"] : [...stages, "board", "day"];
}

/**
 * The stages of the current prompt, the best first. blind: the camera does not see the
 * tray; otherwise it reads sticks, and tapping them is the second way.
 * @param {Match | null} match
 * @param {Prompt | null | undefined} open
 * @param {boolean} blind
 * @returns {Stage[]}
 */
function stagesOfPrompt(match, open, blind) {
  if (match?.phase === "over") return match.board ? ["end", "board", "tray"] : ["end", "tray"];
  if (open?.kind === "sticks" && !blind)
    return match?.board ? ["tray", "asking", "board"] : ["tray", "asking"];
  if (open?.kind === "bid" && open.moves) return ["board", "tray"];
  if (open?.kind === "bets" || open?.kind === "bid")
    return match?.board ? ["asking", "board", "tray"] : ["asking", "tray"];
  if (match?.board) return !open || THROWING.has(open.kind) ? ["tray", "board"] : ["board", "tray"];
  return open && needsRoom(open) ? ["asking", "tray"] : ["tray"];
}

/**
 * Whether this page saw the match being played before it was won. One that is opened later celebrates no more.
 * @param {Match | null} match
 */
function useSawWin(match) {
  const saw = useRef(false);
  if (match?.phase === "play") saw.current = true;
  else if (!match) saw.current = false;
  return saw.current;
}

/**
 * The dice that are marked before anybody taps: a single die, which can only be kept.
 * @param {Prompt | null | undefined} prompt
 * @returns {Set<number>}
 */
const markedBeforehand = (prompt) =>
  new Set(prompt?.kind === "keep" && prompt.from.length === 1 && prompt.all ? [0] : []);

/**
 * Why the die at this place cannot be kept; undefined if it can.
 * @param {Prompt | null | undefined} prompt
 * @param {number} i
 */
const whyNot = (prompt, i) =>
  prompt?.kind === "keep" ? prompt.why_idle?.[prompt.idle?.indexOf(i) ?? -1] : undefined;

/**
 * Whether the prompt is about the last throw. Bids, bets and stakes are about the next one.
 * @param {Prompt | null | undefined} open
 */
const aboutThrow = (open) =>
  open?.kind !== "bid" && open?.kind !== "bets" && !(open?.kind === "number" && open.for);

/** @param {BoardView | null | undefined} board */
const flat = (board) => !!board && board.height < FLAT * board.width;

/** @param {Keeping & Pick<Page, "snapshot" | "setAsking" | "setNotice"> & { correcting: boolean, correct: (on: boolean) => void }} props */
function LiveTray({ snapshot, kept, toggle, correcting, correct, setAsking, setNotice }) {
  const { match, tray } = snapshot;
  const prompt = match?.prompt;
  const places = prompt?.kind === "keep" ? placesIn(match, prompt, tray) : new Map();
  const chosen = new Set([...places].flatMap(([i, place]) => (kept.has(place) ? [i] : [])));

  /** @param {number} i */
  function tap(i) {
    const die = tray.dice[i];
    if (die.part === "asked")
      return die.index === null
        ? setNotice("Throw this die again, alone.")
        : setAsking(askAbout(snapshot, i));
    if (die.part === "doubted") return setNotice("Tap “Thrown” or “Only moved”.");
    if (die.part === "coming") return setNotice("Wait a moment: the dice are not read yet.");
    if (!correcting && places.has(i)) return toggle(places.get(i));
    const wrong =
      die.part === "thrown" && die.index !== null && tray.throw_at !== null
        ? correction(snapshot, tray.throw_at, die.index, true)
        : null;
    if (wrong) {
      correct(false); // one tap, one question
      return setAsking(wrong);
    }
    return setNotice(
      die.part === "still"
        ? "This die is not part of the last throw. To correct an older throw, open the sheet."
        : "Only a throw that counted in a game can be corrected.",
    );
  }

  /** @param {number} i */
  function tapStick(i) {
    const { part, index } = tray.sticks[i];
    if (part === "asked") return setAsking(askAboutSticks(snapshot, i));
    if (part === "doubted") return setNotice("Tap “Thrown” or “Only moved”.");
    if (index !== null && tray.throw_at !== null) return setAsking(correctionOfStick(snapshot, i));
    return setNotice("Only a throw that counted in a game can be corrected.");
  }

  /** @param {TrayDie} die */
  function keepWords(die) {
    const place = places.get(tray.dice.indexOf(die));
    if (place === undefined || correcting) return null;
    return whyNot(prompt, place) ? "cannot be kept" : "tap to keep";
  }

  /** @param {TrayDie} die */
  const label = (die) =>
    `${die.colour} die${die.face ? ` showing ${die.face}` : ""}, ${(prompt?.kind === "choose" ? OFFERED_WORDS : NEXT_WORDS)[die.next ?? ""]}${keepWords(die) ?? whatOf(die)}`;
  return html`<${Tray} tray=${tray} chosen=${chosen} onTap=${tap} onTapStick=${tapStick} label=${label} />`;
}

/** What the awaited throw does with a die, for screen readers, and what the throw would do that a choice offers. */
const NEXT_WORDS = { stays: "stays; ", thrown: "will be thrown; ", "": "" };
const OFFERED_WORDS = { stays: "would stay; ", thrown: "would be thrown; ", "": "" };

/**
 * What a tap on a die does, for screen readers.
 * @param {TrayDie} die
 */
function whatOf({ part, cocked }) {
  if (part === "asked") return cocked ? "leans: tap if it lies flat" : "not sure: tap to say what it shows";
  if (part === "doubted") return "thrown, or only moved?";
  if (part === "coming") return "not read yet";
  return part === "thrown" ? "tap to correct" : "lies still";
}

/**
 * The button to say what dice or sticks show. Leaning dice are thrown again unless a person says that they
 * lie flat.
 * @param {{ asked: AskingDice | AskingSeenSticks, setAsking: SetAsking }} props
 */
function Say({ asked, setAsking }) {
  const many = (asked.sticks ?? asked.dice).length > 1;
  const words = asked.leans
    ? many
      ? "They lie flat"
      : "It lies flat"
    : many
      ? "Say what they show"
      : "Say what it shows";
  return html`<button class=${asked.leans ? "choice quiet" : "choice"} id="say"
      onClick=${() => setAsking(asked)}>${words}</button>`;
}

/**
 * The last throw of the player whose turn it is, for when the tray is not in view.
 * @param {{ match: Match }} props
 */
function LastThrow({ match }) {
  const thrown = match.throws.at(-1);
  return thrown && thrown.player === match.prompt?.player ? html`<${Fallen} thrown=${thrown} />` : null;
}

/**
 * What stands in place of the picture of the tray where no camera has shown it: the last throw.
 * @param {{ match: Match | null }} props
 */
function WithoutPicture({ match }) {
  const thrown = match?.throws.filter((t) => t.roll || t.sticks).at(-1);
  return html`<div class="without-picture" id="without-picture">
    ${thrown && html`<${Fallen} thrown=${thrown} />`}
    <p>${thrown ? unbroken(thrown.text) : "Without a camera, throw your own dice and type what they show."}</p></div>`;
}

/**
 * The dice or sticks of a throw, as they fell.
 * @param {{ thrown: Thrown }} props
 */
function Fallen({ thrown }) {
  if (thrown.sticks)
    return html`<div class="last-throw" role="img" aria-label=${`the last throw: ${thrown.sticks.join(", ")}`}>
      ${thrown.sticks.map((face) => html`<span class="inline-stick"><${Stick} face=${face} /></span>`)}</div>`;
  if (!thrown.roll) return null;
  /** @param {Rolled} d */
  const shown = (d) => (typeof d === "number" ? { face: d } : d);
  return html`<div class="last-throw" role="img"
      aria-label=${`the last throw: ${thrown.roll.map((d) => shown(d).face).join(", ")}`}>
    ${thrown.roll.map(
      (d) => html`<span class="inline-die"><${Die} face=${shown(d).face}
        colour=${shown(d).colour ?? "white"} /></span>`,
    )}</div>`;
}

/** @param {PlayingPage & Keeping & { asked: AskingDice | AskingSeenSticks | null, open: Prompt | null, coached: boolean, coaching: Coaching | null, unsent: string, controls: unknown, hand: unknown, look: unknown, happened: Happened[], lifted?: OpenDie[] | null }} props */
function Decide({
  snapshot,
  asked,
  open,
  kept,
  toggle,
  send,
  setView,
  setAsking,
  notice,
  setNotice,
  coached,
  coaching,
  unsent,
  controls,
  hand,
  look,
  happened,
  lifted,
}) {
  const { match, tray } = snapshot;
  const doubted = [...tray.dice, ...tray.sticks].some((each) => each.part === "doubted");
  const byHand = thrownOption(snapshot);
  const fell = tray.fall ? open?.options?.find((o) => o.falls) : undefined; // asked about before all else
  const offered = open && !fell ? shortOptions(open) : [];
  const options = offered.filter((o) => o.id !== byHand?.id);
  const alone = thrownAlone(tray).length > 0;
  /** @param {Option} o */
  const choice = (
    o,
  ) => html`<button class=${isAside(o, offered) || unsent ? "choice quiet" : "choice"} data-option=${o.id}
      onClick=${() => takes(snapshot, send, { choose: o.id })}>${unbroken(unsent ? `${o.text} without ${unsent}` : o.text)}</button>`;
  // while the camera sees nothing, the option stands where the hand throws it, so that no button moves
  const throwing = hand
    ? !fell && (alone || (open?.kind !== "keep" && !asked)) && hand
    : offered.filter((o) => o.id === byHand?.id).map(choice);
  const questioned = doubted || fell; // what the message asks is answered below it
  const say = asked && html`<${Say} ...${{ asked, setAsking }} />`;
  const aside = doubted || (tray.state === "UNSURE" && byHand !== null); // the camera asks about something else first
  const message = html`<${Message} ...${{ snapshot, notice, setNotice }} />`;
  return html`
    ${look}
    ${!fell && controls}
    ${questioned && message}
    <div
        class=${options.some((o) => o.text.length > SHORT_OPTION) ? "choices long" : "choices"}
        data-count=${options.length} id="choices">
      ${
        doubted &&
        html`<div class="told">
          <button class="choice" id="was-thrown" onClick=${() => send("tell", { thrown: true })}>Thrown</button>
          <button class="choice" id="was-moved" onClick=${() => send("tell", { thrown: false })}>Only moved</button>
          ${
            tray.some &&
            html`<button class="choice" id="some-thrown"
              onClick=${() => send("tell_apart")}>Only some</button>`
          }
        </div>`
      }
      ${
        fell &&
        html`<div class="told">
          <button class="choice" data-option=${fell.id}
            onClick=${() => takes(snapshot, send, { choose: fell.id })}>${fell.text}</button>
          <button class="choice" id="nothing-fell" onClick=${() => send("nothing_fell")}>No, nothing fell</button>
        </div>`
      }
      ${asked && !asked.leans && say}
      ${
        open?.kind === "roll" &&
        tray.blind &&
        snapshot.can_type &&
        html`<button class="choice" id="type-throw"
          onClick=${() => setAsking(typedThrow(open, snapshot.number))}>Type the throw</button>`
      }
      ${!aside && throwing}
      ${options.map(choice)}
      ${aside && throwing}
      ${open?.kind === "keep" && html`<${Keep} ...${{ prompt: open, kept, toggle, send, tray, match, hand }} />`}
      ${
        match.phase === "over" &&
        html`<button class="choice" id="play-again"
          onClick=${() => playAgain(match, send)}>Rematch${match.rematch && html` <small>${match.rematch}</small>`}</button>
        <button class="choice quiet" id="see-sheet" onClick=${() => setView("sheet")}>The sheet</button>`
      }
      ${
        match.phase !== "play" &&
        html`<button class="choice quiet"
          onClick=${() => setView("new")}>Another game</button>`
      }
      ${
        tray.under_arm &&
        html`<button class="choice" id="nothing-under"
          onClick=${() => send("nothing_under_arm")}>Nothing is under it</button>`
      }
      ${asked?.leans && say}
    </div>
    ${!questioned && message}
    ${open?.kind === "keep" && html`<${Stands} ...${{ match, tray }} />`}
    ${(tray.alike || tray.dice.some((die) => die.next)) && html`<${NextSigns} ...${{ tray, open }} />`}
    ${
      coached &&
      html`<${Coach} odds=${match.odds} coaching=${coaching} accounted=${match.accounted}
        kept=${open?.kind === "keep" ? [...kept].map((i) => open.from[i]) : []} />`
    }
    ${match.so_far && !saysAlready(match) && html`<p class=${isAgainst(match.prompt) ? "so-far news" : "so-far"} id="so-far">${unbroken(match.so_far)}</p>`}
    ${!!lifted?.length && html`<${Lifted} dice=${lifted} players=${match.players} />`}
    <ol class="rulings" id="rulings" aria-label="What happened">${happened.map(
      ({ text, news, old, remark }) =>
        html`<li class=${[news && "news", old && "old", remark && "remark"].filter(Boolean).join(" ")}>${unbroken(text)}</li>`,
    )}</ol>`;
}

/**
 * What the signs in the picture mean; a screen reader says how many dice have each. Of dice of one face, of which
 * some stay, none has a sign: the words say how many.
 * @param {{ tray: TrayView, open: Prompt | null }} props
 */
function NextSigns({ tray: { dice, alike }, open }) {
  const count = (/** @type {string} */ next) => dice.filter((die) => die.next === next).length;
  const [stay, thrown] = [count("stays"), count("thrown")];
  const would = open?.kind === "choose" ? "If you throw: " : "";
  const some =
    alike &&
    `${alike.stays === 1 ? "one" : alike.stays} ${alike.face} ${alike.stays === 1 ? "stays" : "stay"}`;
  return html`<p class="so-far" id="next-signs" role="img"
      aria-label=${`${would}${stay || thrown ? `Dice that stay: ${stay}. Dice to throw: ${thrown}.${some ? ` Also: ${some}.` : ""}` : `${some}.`}`}>${would}${[
        stay && `${NEXT_SIGNS.stays} stays`,
        some,
        thrown && `${NEXT_SIGNS.thrown} is thrown`,
      ]
        .filter(Boolean)
        .join(", ")}</p>`;
}

/**
 * Whether the prompt is for a throw against what stands so far: a bid, or the first throw of a fight.
 * @param {Prompt | null} prompt
 */
const isAgainst = (prompt) =>
  (prompt?.kind === "roll" && prompt.for === "reveal") ||
  (prompt?.kind === "sticks" && prompt.for === "fight");

/**
 * Whether the prompt says already how the turn stands.
 * @param {Match} match
 */
const saysAlready = ({ prompt, so_far }) => !!prompt?.text.toLowerCase().includes(so_far.toLowerCase());

/**
 * Says which throw counts while other dice lie on the tray, for example after dice were kept that score
 * nothing.
 * @param {{ match: Match, tray: TrayView }} props
 */
function Stands({ match, tray }) {
  const stands = match.throws.at(-1);
  if (!stands?.roll || !VOID.has(tray.state)) return null;
  return html`<p class="stands" id="stands">The throw before still counts. Keep from it, then throw.</p>`;
}

/**
 * The last rulings and scores, newest first: as many as a large screen has room for. The newest rulings are the
 * news, or else the newest scores: they come first, in their own order. A score that a ruling tells is left out, and
 * so are what each player begins with, a ruling that stands above the buttons already, and a task that the next throw
 * shows to be done. Until then it comes first. What else did not come of the last answer is old. Where nothing came of this turn
 * and the one before, nothing is said.
 * @param {Match} match
 * @returns {Happened[]}
 */
function whatHappened(match) {
  const { at: now, recent_at: recent, sheet, rulings, so_far } = match;
  const scored = sheet
    .filter((line) => line.row !== 0 && !isRuled(line, match))
    .map((line) => ({
      at: line.at,
      text: `${line.player}: ${cellText(line)}${line.reason && ` (${line.reason})`}`,
      remark: false,
      task: false,
    }));
  const lastThrow = match.throws.at(-1)?.at ?? -1;
  const ruled = rulings.filter(
    (r) => !so_far.startsWith(r.text.slice(0, -1)) && !(r.task && lastThrow >= r.at),
  );
  const newest = Math.max(...[...scored, ...ruled].map((line) => line.at));
  if (newest < recent) return [];
  const [rulingsNow, scoresNow] = [ruled, scored].map((lines) => lines.filter((line) => line.at === newest));
  const remarks = rulingsNow.filter((r) => r.remark).reverse(); // of people, after what the game ruled
  const byGame = rulingsNow.filter((r) => !r.remark);
  const told = [...remarks, ...byGame.filter((r) => r.task), ...byGame.filter((r) => !r.task)];
  const news = told.length ? told : scoresNow.length <= MOST_SCORES ? scoresNow : [];
  const older = [...ruled, ...scored].filter((line) => !news.includes(line)).sort((a, b) => b.at - a.at);
  return [
    ...news.map(({ at, text, remark, task }) => ({ text, news: true, old: at < now && !task, remark })),
    ...older.map(({ at, text }) => ({ text, news: false, old: at < now, remark: false })),
  ].slice(0, MOST_RULINGS);
}

/**
 * What came of the last answer.
 * @param {Happened[]} happened
 */
const newsOf = (happened) =>
  happened.flatMap(({ text, news, old }) => (news && !old ? [unbroken(text)] : []));

/** @param {Keeping & { prompt: KeepPrompt, send: Send, tray: TrayView, match: Match, hand: unknown }} props */
function Keep({ prompt, kept, toggle, send, tray, match, hand }) {
  const faces = [...kept].sort((a, b) => a - b).map((i) => prompt.from[i]);
  const worth = prompt.worth?.[[...faces].sort((a, b) => a - b).join("-")];
  const alone = thrownAlone(tray).length > 0;
  // after a throw that did not count, the dice of the throw before lie no longer as they fell
  const elsewhere = VOID.has(tray.state) && !tray.dice.some((d) => ofLastThrow(match, tray, d));
  const places = placesIn(match, prompt, tray);
  const throwing = !elsewhere && !alone && (prompt.from.length > 1 || prompt.none) && hand;
  const none = prompt.none && (!throwing || tray.blind); // to keep none is to throw all again
  /** @param {number} i */
  const idle = (i) => !!whyNot(prompt, i);
  /** @param {number} i */
  const colour = (i) =>
    tray.dice.find((_, n) => places.get(n) === i)?.colour ??
    colourOf(match, i - (prompt.earlier?.length ?? 0));
  return html`
    <div class="faces" role="group" aria-label="Dice of this throw">
      ${prompt.from.map(
        (face, i) => html`<button class="face" data-keep=${i} onClick=${() => toggle(i)}
          aria-pressed=${kept.has(i)} aria-label=${`keep ${face}${idle(i) ? ", which is not possible" : ""}`}
          data-idle=${idle(i) ? "" : null} style=${{ opacity: idle(i) ? FAINT : "" }}>
        <${Die} face=${face} colour=${colour(i)} /></button>`,
      )}
    </div>
    <div class="keep-row">
      <button class=${kept.size || !none ? "choice" : "choice quiet"} id="keep" disabled=${!kept.size && !none}
          onClick=${() => send("answer", { keep: faces })}>
        ${kept.size ? `Keep ${faces.join(", ")}${worth ? ` for ${worth.toLocaleString("en")}` : ""}` : none ? "Keep none" : "Tap what you keep"}</button>
      ${
        prompt.from.length > 1 &&
        prompt.all &&
        html`<button class=${kept.size || !prompt.none ? "choice quiet" : "choice"} id="keep-all" disabled=${kept.size === prompt.from.length}
        onClick=${() => send("answer", { keep: prompt.from })}>Keep all</button>`
      }
      ${throwing}
    </div>
    ${!hand && !tray.blind && !elsewhere && prompt.from.length > 1 && html`<p class="hint" id="hint">Or leave them lying and throw the rest.</p>`}`;
}

/**
 * @param {Match} match
 * @param {number} i
 */
function colourOf(match, i) {
  const die = match.throws.at(-1)?.roll?.[Math.max(0, i)];
  return (typeof die === "object" && die.colour) || "white";
}

// Controls for prompts that no camera can answer: sticks, numbers, bids, bets, picks, and long choices.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { coachIsOn, shortChance } from "./coach.js";
import { Die } from "./dice.js";
import { later } from "./later.js";
import { pieceOf, promptKey } from "./moves.js";
import { unbroken } from "./states.js";
import { Sticks, UNREAD, sorted } from "./sticks.js";

/**
 * @import {
 *   Bid, BidPrompt, ChoosePrompt, Match, Move, NumberPrompt, Option, Prompt,
 *   SticksPrompt, SendAnswer, Taps, TrayView, Typed
 * } from "./types.d.ts"
 */

const FEW = 4; // largest number of options beside the tray
const CHIPS = 11; // largest number of number buttons; for more there is a keypad
const MOST_BID = 99; // if it is not known how many dice are in play

/**
 * Whether the controls of a prompt need more room than there is beside the tray.
 * @param {Prompt} prompt
 */
export const needsRoom = (prompt) =>
  prompt.kind in CONTROLS || (prompt.kind === "choose" && prompt.options.length > FEW);

/**
 * The options that are large buttons below the prompt: all options of a short choice, and the options of bets.
 * Those of a bid stand beside the button that bids.
 * @param {Prompt} prompt
 * @returns {Option[]}
 */
export const shortOptions = (prompt) =>
  prompt.kind === "bid" || (prompt.kind === "choose" && prompt.options.length > FEW)
    ? []
    : (prompt.options ?? []);

/**
 * Whether the option is for the case that dice fell, which the camera has not seen: it would put that first.
 * @param {Option} option
 * @param {Option[]} all
 */
export const isAside = ({ id, falls }, all) => falls && id !== all[0].id;

/**
 * The controls of a prompt that needs room. wanted: the bid that was tapped on the board, and its faces. taps: what
 * is chosen on the board. setUnsent: notes a bet that is complete and not sent. sendAnswer: sends an answer and
 * resolves to whether it counted.
 * @param {{ prompt: Prompt, match: Match, tray: TrayView, wanted: Move["bid"] | null | undefined, taps: Taps, setUnsent: (bet: string) => void, sendAnswer: SendAnswer }} props
 */
export function PromptControls({ prompt, match, tray, wanted, taps, setUnsent, sendAnswer }) {
  const Controls = CONTROLS[prompt.kind] ?? LongChoice;
  // the selection for one bet stays for the next
  const same = prompt.kind === "bets" ? `bets ${match.id} ${prompt.player}` : promptKey(match);
  return html`<div class="prompt-controls" id="prompt-controls" data-kind=${prompt.kind}><${Controls}
      key=${`${same} ${readFaces(tray)}`} ...${{ prompt, match, tray, wanted, taps, setUnsent, sendAnswer }} /></div>`;
}

/**
 * A choice with many options. If they come in groups, such as the ways of each piece, the piece is tapped
 * first, here or on the board. Then only its ways are in sight, and what moves no piece; the room of the
 * others stays empty, so that the board does not jump.
 * @param {{ prompt: ChoosePrompt, taps: Taps, sendAnswer: SendAnswer }} props
 */
function LongChoice({ prompt: { options, moves }, taps, sendAnswer }) {
  const { groups, alone } = groupsOf(options, moves);
  const [wanted, setWanted] = useState(/** @type {string | null} */ (null));
  const onBoard = taps.chosen !== null && taps.pieces.size > 1 ? taps.shown.map((m) => m.choose) : [];
  const shown =
    groups.find((g) => g.options.some((o) => onBoard.includes(o.id))) ??
    groups.find((g) => g.name === wanted) ??
    groups[0];
  /** @param {Group} group */
  const select = (group) => {
    setWanted(group.name);
    const move = moves?.find((m) => m.choose === group.options[0].id);
    taps.select(move ? pieceOf(move) : null);
  };
  /** @param {Option} o */
  const meant = (o) => !onBoard.length || onBoard.includes(o.id) || !moves?.some((m) => m.choose === o.id);
  const offered = [...shown.options, ...alone].sort((a, b) => +meant(b) - +meant(a));
  const longest = Math.max(...offered.map((o) => o.said.length));
  return html`${
    groups.length > 1 &&
    html`<div class="chips groups" role="group" aria-label="Which one">${groups.map(
      (g) => html`<button class="chip" data-group=${g.name} aria-pressed=${g === shown}
          aria-label=${`${g.name}, ${g.options.length === 1 ? "one way" : `${g.options.length} ways`}`} onClick=${() => select(g)}>${
            g.die ? html`<span class="inline-die"><${Die} ...${g.die} /></span>` : g.name
          }</button>`,
    )}</div>`
  }
  <div class="choices many" data-count=${offered.length}
      data-length=${longest <= TINY ? "tiny" : longest <= SMALL ? "small" : longest <= MIDDLING ? "middling" : "long"}>
    ${offered.map(
      (
        o,
      ) => html`<button class=${isAside(o, options) ? "choice quiet" : "choice"} style=${{ visibility: meant(o) ? null : "hidden" }}
      data-option=${o.id} aria-label=${o.text} onClick=${() => sendAnswer({ choose: o.id })}>${unbroken(o.said)}</button>`,
    )}</div>`;
}

const TINY = 7; // letters of options that stand six in a row on the smallest screens
const SMALL = 12; // letters of options that stand four in a row
const MIDDLING = 27; // letters of options that stand three in a row
const UNGROUPED = 12; // options that fit on one screen without groups
const BESIDE_BOARD = 8; // options that fit beside a board that can be tapped as well
const MOST_GROUPS = 8;
const OF_DIE = 2; // words at the start of an option that name the die to put on the board: its colour and face

/** @typedef {{ name: string, die?: { face: number, colour: string }, options: (Option & { said: string })[] }} Group */

/**
 * The options by the die that they put on the board, or else by their first word that not all of them share, and
 * those that share it with no other; one group without a name if there are few options, or if their words do not
 * group them. said: the text without the words of its group. The only move of a piece is a group: it is no way of
 * the piece that is chosen.
 * @param {Option[]} options
 * @param {Move[] | undefined} moves
 * @returns {{ groups: Group[], alone: Group["options"] }}
 */
function groupsOf(options, moves) {
  const whole = (/** @type {Option} */ o) => ({ ...o, said: o.text });
  const moveOf = (/** @type {Option} */ o) => moves?.find((m) => m.choose === o.id && pieceOf(m));
  const dice = options.map((o) => dieOf(moveOf(o)));
  const ofDice = dice.some((die) => die);
  const words = options.map((o) => o.text.split(" "));
  let shared = 0;
  while (words.every((w) => w.length > shared + 2 && w[shared] === words[0][shared])) shared += 1;
  const names = words.map((w) => w.slice(0, ofDice ? OF_DIE : shared + 1).join(" "));
  const different = [...new Set(names)];
  const several = different.filter((name) => names.filter((n) => n === name).length > 1);
  if (
    options.length <= (moves ? BESIDE_BOARD : UNGROUPED) ||
    (different.length > MOST_GROUPS && !ofDice) ||
    several.length < 2
  )
    return { groups: [{ name: "", options: options.map(whole) }], alone: [] };
  const named = different.filter((name) => several.includes(name) || moveOf(options[names.indexOf(name)]));
  const groups = named.map((name) => ({
    name,
    die: dice[names.indexOf(name)],
    options: options
      .filter((_, i) => names[i] === name)
      .map((o) => ({ ...o, said: o.text.slice(name.length + 1) })),
  }));
  return { groups, alone: options.filter((_, i) => !named.includes(names[i])).map(whole) };
}

/**
 * The die beside the board that the move puts on it.
 * @param {Move | undefined} move
 */
const dieOf = (move) => (move?.off && "face" in move.off ? move.off : undefined);

/**
 * What the camera read of a throw that does not count yet.
 * @param {TrayView} tray
 */
const readFaces = (tray) =>
  tray.sticks.filter((s) => s.part === "thrown" && s.index === null).map((s) => s.face);

/**
 * The sticks to tap. What the camera read is filled in, and the others are to be told. Where it read none, they
 * cannot be sent before somebody has touched them: untouched, they show a throw that nobody made.
 * @param {{ prompt: SticksPrompt, tray: TrayView, sendAnswer: SendAnswer }} props
 */
function StickThrow({ prompt: { sticks }, tray, sendAnswer }) {
  const read = readFaces(tray);
  const [faces, setFaces] = useState(sorted(sticks, read, read.length > 0 ? UNREAD : undefined));
  const [touched, setTouched] = useState(read.length > 0);
  const told = touched && !faces.includes(UNREAD);
  /** @param {string[]} shown */
  const touch = (shown) => {
    setFaces(shown);
    setTouched(true);
  };
  const first = sticks.map((of) => of[0]);
  return html`<p class="hint">Tap each stick until it shows the side that is up.</p>
    <${Sticks} of=${sticks} faces=${faces} setFaces=${touch} />
    <div class="send-row"><button class="choice quiet" id="all-first"
        onClick=${() => touch(first)}>All ${first[0]}</button>
    <button class="choice" id="lie-so" disabled=${!told}
        onClick=${() => sendAnswer({ sticks: faces })}>${told ? "Use this throw" : "Tap how they lie"}</button></div>`;
}

/**
 * A number to enter. value: null if nothing is entered. A small range has a button per number, a larger one a
 * keypad: the table's screen has no keyboard. Its first digit replaces a number that was only offered.
 * @param {{ label: string, value: number | null, setValue: (value: number | null) => void, least: number, most: number, keypad?: boolean }} props
 */
export function Amount({ label, value, setValue, least, most, keypad = true }) {
  const [entered, setEntered] = useState(false);
  /** @param {number | null} number */
  const enter = (number) => {
    setEntered(true);
    setValue(number);
  };
  /** @param {number} by */
  const step = (by) => enter(value === null ? least : Math.min(most, Math.max(least, value + by)));
  /** @param {string} text */
  const type = (text) => {
    const digits = text.replace(/\D/g, "").slice(0, 15);
    enter(digits ? Number(digits) : null);
  };
  /** @param {number} digit */
  const press = (digit) => type(`${(entered && value) || ""}${digit}`);
  const chips = keypad && most - least < CHIPS;
  return html`<div class="amounts"><div class="amount" role="group" aria-label=${label}>
    <button class="step" aria-label="one less" disabled=${value === null || value <= least}
        onClick=${() => step(-1)}>−</button>
    <input class="count" inputmode="numeric" autocomplete="off" aria-label=${label}
        placeholder=${`${least.toLocaleString("en")} to ${most.toLocaleString("en")}`}
      value=${value ?? ""} onInput=${(/** @type {Typed} */ e) => {
        type(e.target.value);
        if (/\D/.test(e.target.value)) e.target.value = e.target.value.replace(/\D/g, "");
      }} />
    <button class="step" aria-label="one more" disabled=${value !== null && value >= most}
        onClick=${() => step(1)}>+</button>
  </div>
  ${
    chips &&
    html`<div class="chips" role="group" aria-label=${label}>${Array.from(
      { length: most - least + 1 },
      (_, i) => least + i,
    ).map(
      (n) => html`<button
    class="chip" data-number=${n} aria-pressed=${value === n} onClick=${() => enter(n)}>${n}</button>`,
    )}</div>`
  }
  ${
    keypad &&
    !chips &&
    html`<div class="keypad" role="group" aria-label="keypad">
    ${[1, 2, 3, 4, 5].map(
      (n) => html`<button class="chip" data-key=${n}
        onClick=${() => press(n)}>${n}</button>`,
    )}
    <button class="chip" data-key="back" aria-label="delete the last digit"
        onClick=${() => type(String(value ?? "").slice(0, -1))}>⌫</button>
    ${[6, 7, 8, 9, 0].map(
      (n) => html`<button class="chip" data-key=${n}
        onClick=${() => press(n)}>${n}</button>`,
    )}
    <button class="chip" data-key="clear" aria-label="clear" onClick=${() => enter(null)}>C</button>
  </div>`
  }</div>`;
}

/**
 * If only two numbers are allowed, each has a button: whether to spend the only pip.
 * @param {{ prompt: NumberPrompt, sendAnswer: SendAnswer }} props
 */
function NumberControl(props) {
  const { least, most } = props.prompt;
  if (most - least > 1) return html`<${AnyNumber} ...${props} />`;
  return html`<div class="choices" data-count=${most - least + 1}>${[...new Set([least, most])].map(
    (n) => html`<button class="choice" data-number=${n}
        onClick=${() => props.sendAnswer({ number: n })}>${n.toLocaleString("en")}</button>`,
  )}</div>`;
}

/** @param {{ prompt: NumberPrompt, sendAnswer: SendAnswer }} props */
function AnyNumber({ prompt: { text, least, most, usual }, sendAnswer }) {
  const [value, setValue] = useState(usual ?? (most - least < CHIPS ? least : null));
  return html`<${Amount} label=${text} ...${{ value, setValue, least, most }} />
    <button class="choice" id="send-number" disabled=${value === null}
        onClick=${() => sendAnswer({ number: value })}>
      ${value === null ? "Tap the number" : `Enter ${value.toLocaleString("en")}`}</button>`;
}

/**
 * The suggested bid: one more die of the same face, or all dice of the next face where it is all of them already. In
 * every game that is above the current bid, and lower bids are a tap or two away. Nothing is above all dice of some
 * faces, such as sixes: then the standing bid is suggested, and the table refuses it with the reason.
 * @param {BidPrompt["above"]} above
 * @param {number} most
 * @returns {Bid}
 */
function firstBid(above, most) {
  if (!above) return { count: 1, face: 2 };
  if (above.count < most) return { count: above.count + 1, face: above.face };
  return { count: most, face: above.face === 1 ? 1 : Math.min(above.face + 1, 6) };
}

/** @param {{ prompt: BidPrompt, wanted: Move["bid"] | null | undefined, sendAnswer: SendAnswer }} props */
function BidControl({ prompt, wanted, sendAnswer }) {
  const most = prompt.in_play ?? MOST_BID;
  const [{ count, face }, setBid] = useState(firstBid(prompt.above, most));
  const likely =
    coachIsOn() && prompt.chances?.find((each) => each.faces.includes(face))?.of[(count ?? 0) - 1];
  const odds = typeof likely === "number" && shortChance(likely);
  useEffect(() => {
    if (wanted)
      setBid((now) => ({
        count: wanted.count,
        face: wanted.faces.includes(now.face) ? now.face : wanted.faces[0],
      }));
  }, [wanted]);
  const fewest = prompt.fewest ? prompt.fewest[face - 1] : 1;
  const low = count !== null && (fewest === null || count < fewest); // the table says why when it is tapped
  return html`${
    prompt.above &&
    html`<p class="standing"
      id="above">The bid: <b>${prompt.above.count} ×</b> <span class="inline-die"><${Die}
          face=${prompt.above.face} /></span><span
              class="unseen">${`dice of face ${prompt.above.face}`}</span></p>`
  }
    <${Amount} label="how many dice" value=${count}
        setValue=${(/** @type {number | null} */ n) => setBid({ count: n, face })} least=${1} most=${most}
        keypad=${false} />
    <div class="faces six" role="group" aria-label="of which face">${[1, 2, 3, 4, 5, 6].map(
      (f) => html`<button class="face" data-face=${f} aria-pressed=${face === f} aria-label=${`face ${f}`}
      onClick=${() => setBid({ count, face: f })}><${Die} face=${f} /></button>`,
    )}</div>
    <div class="send-row">${
      (count ?? 0) > most
        ? html`<button class="choice" id="bid" disabled>Only ${most} dice are in play</button>`
        : html`<button class="choice" id="bid" disabled=${count === null} aria-disabled=${low ? "true" : null}
            aria-label=${`bid ${count} dice of face ${face}${odds ? `, true: ${odds}` : ""}`} onClick=${() => sendAnswer({ bid: { count, face } })}>
          Bid ${count} × <span class="inline-die"><${Die} face=${face} /></span>${odds && html` <small>true: ${odds}</small>`}</button>`
    }${prompt.options?.map(
      (o) => html`<button class="choice" data-option=${o.id}
          onClick=${() => sendAnswer({ choose: o.id })}>${unbroken(o.text)}</button>`,
    )}</div>`;
}

const Bets = later(() => import("./bets.js").then((found) => found.Bets));
const Pick = later(() => import("./picks.js").then((found) => found.Pick));

/**
 * The controls for each kind of prompt.
 * @type {Record<string, (props: any) => unknown>}
 */
const CONTROLS = { sticks: StickThrow, number: NumberControl, bid: BidControl, bets: Bets, pick: Pick };

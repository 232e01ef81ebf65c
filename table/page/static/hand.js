// The simulated hand: the button that throws on a simulated tray, and which dice it picks up.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { CALM } from "./states.js";

/** @import { KeepPrompt, Match, Option, Prompt, Send, Snapshot, TrayDie, TrayView } from "./types.d.ts" */

const HAND_MS = 8000; // more than the hand takes for anything

/**
 * The option of the current choice that a throw makes, if there is exactly one.
 * @param {Snapshot} snapshot
 * @returns {Option | null}
 */
export function thrownOption({ match, hand }) {
  const prompt = match?.prompt;
  if (hand && prompt?.kind === "hidden") return prompt.options[0];
  if (!hand || prompt?.kind !== "choose") return null;
  const thrown = prompt.options.filter((o) => o.throws);
  return thrown.length === 1 ? thrown[0] : null;
}

/**
 * Whether the hand can do what the table waits for: without a game it throws any dice. Beside the buttons that keep
 * dice, its own button stays while the camera sees nothing, so that they do not move.
 * @param {Snapshot} snapshot
 */
export function canThrow(snapshot) {
  const { match, tray, hand } = snapshot;
  if (!hand || (match && match.phase !== "play")) return false;
  const kind = match?.prompt?.kind;
  if (tray.blind) return kind === "keep";
  return (
    !kind ||
    kind === "roll" ||
    kind === "hidden" ||
    kind === "sticks" ||
    kind === "keep" ||
    thrownOption(snapshot) !== null
  );
}

/**
 * Places on the tray of the dice that are thrown again alone, because they lean or lie on others. Those beside
 * the tray are out of sight.
 * @param {TrayView} tray
 */
export const thrownAlone = ({ state, dice }) =>
  state === "COCKED" || state === "STACKED" ? dice.flatMap((d, i) => (d.part === "asked" ? [i] : [])) : [];

/**
 * The button that throws. In a choice it stands for the option that a throw makes: the tap is the choice, and
 * the hand throws the dice that the game awaits then.
 *
 * It waits only for the throw of its own tap. A lamp or a new felt looks like motion too, and the table throws
 * as soon as that is over: a tap in the meantime counts. While it waits it is not disabled, so that it keeps the
 * keyboard's focus.
 * @param {{ snapshot: Snapshot, kept: Set<number>, send: Send }} props
 */
export function SimulatedHand({ snapshot, kept, send }) {
  const { match, tray } = snapshot;
  // the snapshot of the last tap; null after a refusal, and once the hand must have done it
  const [tapped, setTapped] = useState(/** @type {Snapshot | null} */ (null));
  useEffect(() => {
    if (!tapped) return undefined;
    const timer = setTimeout(setTapped, HAND_MS, null);
    return () => clearTimeout(timer);
  }, [tapped]);
  const prompt = match?.prompt;
  // the table counts the choice of a tap before its throw begins
  const choosing = useRef(false);
  useEffect(() => {
    if (choosing.current && prompt?.kind === "roll") setTapped(snapshot);
    choosing.current = false;
  }, [match?.at]);
  const alone = thrownAlone(tray);
  const keeping = prompt?.kind === "keep" && !alone.length;
  const option = thrownOption(snapshot);
  // the hand takes old dice away before it throws: the tray lies still in between
  const underway = tray.busy || (match && CALM.includes(tray.state));
  const busy = tapped?.seq === snapshot.seq || (underway && tapped?.number === snapshot.number);
  const rest = match && keeping ? toThrowAgain(match, prompt, tray, kept) : [];
  const thrown = match && keeping ? prompt.from.length - kept.size : 0;
  // the table was started again and the tray is empty: it is told what is kept, and new dice are thrown
  const gone = keeping && rest.length !== thrown;
  const picked = gone ? [] : keeping ? rest : alone;
  // refused before it is thrown, where the game does not let these dice be kept
  const left = keeping && (kept.size || gone) ? { keep: [...kept].map((i) => prompt.from[i]) } : {};
  const waits = tray.blind || busy || (keeping && ((!kept.size && !prompt.none) || !thrown));
  async function toss() {
    if (waits) return;
    setTapped(snapshot);
    choosing.current = prompt?.kind === "choose" || gone;
    if (await send("hand", { picked_up: picked, ...left })) return;
    setTapped(null);
    choosing.current = false;
  }
  const all = keeping && prompt.none && !kept.size;
  const says = all
    ? "Throw all again"
    : keeping
      ? "Throw the rest"
      : alone.length
        ? `Throw ${alone.length > 1 ? "them" : "it"} again`
        : (wordsOf(prompt) ?? option?.text ?? "Throw");
  return html`<button class="choice throw" id="throw" data-option=${option?.id ?? null}
      aria-disabled=${waits ? "true" : null}
      onClick=${toss}>${says} <small>Simulated hand</small></button>`;
}

/**
 * What the hand does with a cup, in words; undefined for a throw.
 * @param {Prompt | null | undefined} prompt
 * @returns {string | undefined}
 */
function wordsOf(prompt) {
  if (prompt?.kind === "hidden") return "Throw under the cup";
  if (prompt?.kind !== "roll") return undefined;
  return { reveal: "Lift the cup", push: "Push them out", fell: "Show what fell" }[prompt.for ?? ""];
}

/**
 * Whether this die on the tray belongs to the last throw. Then its index is its place in that throw.
 * @param {Match | null} match
 * @param {TrayView} tray
 * @param {TrayDie} die
 * @returns {die is TrayDie & { index: number }}
 */
export function ofLastThrow(match, tray, die) {
  return (
    die.part === "thrown" &&
    die.index !== null &&
    tray.throw_at !== null &&
    tray.throw_at === match?.throws.at(-1)?.at
  );
}

/**
 * The places, among the dice of the keep prompt, of dice on the tray, by their places there: those that were kept
 * before and lie still, then those of the last throw.
 * @param {Match | null} match
 * @param {KeepPrompt} prompt
 * @param {TrayView} tray
 * @returns {Map<number, number>}
 */
export function placesIn(match, prompt, tray) {
  const earlier = prompt.earlier ?? [];
  const places = new Map();
  earlier.forEach((face, place) => {
    const i = tray.dice.findIndex(
      (d, n) => d.part === "still" && !d.void && d.face === face && !places.has(n),
    );
    if (i >= 0) places.set(i, place);
  });
  tray.dice.forEach((die, i) => {
    if (ofLastThrow(match, tray, die)) places.set(i, earlier.length + die.index);
  });
  return places;
}

/**
 * Places on the tray of the dice that are not kept.
 * @param {Match} match
 * @param {KeepPrompt} prompt
 * @param {TrayView} tray
 * @param {Set<number>} kept
 */
const toThrowAgain = (match, prompt, tray, kept) =>
  [...placesIn(match, prompt, tray)].flatMap(([i, place]) => (kept.has(place) ? [] : [i]));

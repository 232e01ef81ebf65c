// What the table is doing, in people's words. The table's own words stay in data-state, for tests and scripts.

/** @import { Snapshot } from "./types.d.ts" */

/** @type {Record<string, string>} */
const WORDS = {
  EMPTY: "No dice here", // between games sticks are not read
  WAITING: "Waiting",
  HAND: "A hand is over the tray",
  ROLLING: "Rolling …",
  SETTLING: "Coming to rest …",
  READING: "Reading …",
  ACCEPTED: "Counted",
  "WRONG DICE": "Wrong dice",
  "OUT OF TURN": "Out of turn",
  COCKED: "A die leans",
  STACKED: "A die lies on another",
  "OFF THE TRAY": "A die is off the tray",
  UNSURE: "Please look",
  "NO CAMERA": "No camera",
  DARK: "Too dark to see",
  COVERED: "The camera is covered",
  FROZEN: "The picture is frozen",
  "OUT OF FOCUS": "Out of focus",
  MOVED: "The camera was moved",
};

const NUMBERED = /\b(tower|sigil|round|chance|game|chariot|than|red|green|blue|yellow) (?=\d)/g;
const COUNTED = /(\d) (?=(?:coins?|points?|dice|die|pips?|feet)\b|%)/g;

/**
 * A sentence in which no line ends between a number and its word: "tower 2", "red 5", "3 coins".
 * @param {string} text
 */
export const unbroken = (text) => text.replace(NUMBERED, "$1\u00a0").replace(COUNTED, "$1\u00a0");

/**
 * Whether the table is played without a camera: none has shown the tray since the table was started.
 * @param {Pick<Snapshot, "tray" | "pictured">} snapshot
 */
export const isCameraless = ({ tray, pictured }) => tray.state === "NO CAMERA" && !pictured;

/**
 * What the table says to people. That it is played without a camera is told at home and until the first answer of a
 * match; then the state of the tray says it.
 * @param {Pick<Snapshot, "match" | "tray" | "pictured">} snapshot
 */
export const messageOf = ({ match, tray, pictured }) =>
  match && match.at > 0 && isCameraless({ tray, pictured }) ? "" : tray.message;

/** States in which nothing is awaited of people, and nothing tells how a throw ended. */
export const CALM = ["EMPTY", "WAITING", "ACCEPTED"];

/** The shared rule on dice that a hand turned or laid down, which are the right dice. */
export const BY_HAND = "G6";

/**
 * @param {string} state of the tray
 * @param {boolean} over whether the match is over, so that nothing is awaited any more
 * @param {string} rule that was broken
 */
export function wordsOf(state, over = false, rule = "") {
  if (over && CALM.includes(state)) return "Finished";
  return state === "WRONG DICE" && rule === BY_HAND ? "Foul" : (WORDS[state] ?? state);
}

// The flat side of a throwing stick as it is printed (table/paper/sticks.py): a word in Ogham letters, read from
// the foot, and its animal. A letter is a group of strokes to the right of the stem, to its left, slanting across
// it, or short notches on it.
import { html } from "./vendor/preact-htm.js";

/** @typedef {"right" | "left" | "across" | "notch"} Side */

/** @type {Record<string, [Side, number]>} */
// the side and the number of strokes
const LETTERS = {
  B: ["right", 1],
  F: ["right", 3],
  H: ["left", 1],
  D: ["left", 2],
  T: ["left", 3],
  C: ["left", 4],
  R: ["across", 5],
  A: ["notch", 1],
  U: ["notch", 3],
  E: ["notch", 4],
  I: ["notch", 5],
};

/** @type {Record<string, string>} */
export const WORDS = { dog: "CU", deer: "FIADH", cow: "TARBH", horse: "EACH" };

/** @type {Record<string, [string, number][]>} */
// the points of each line, and its width, 0 for a filled shape; a figure is 15 wide and 10 high
export const FIGURES = {
  dog: [
    [
      "3.4,4.8 8.8,4.6 9.8,2.8 10.8,2.6 11.6,3.5 13,4.1 12.8,4.9 11.2,5.1 10.2,6.6 8.6,7.1 5.2,6.2 3.6,6.9 2.9,5.8",
      0,
    ],
    ["3.5,6.2 3,8 3.4,9.8", 0.7],
    ["4.4,6.4 4.3,9.8", 0.7],
    ["8.8,6.6 8.7,9.8", 0.7],
    ["9.7,6.3 9.8,9.8", 0.7],
    ["3.3,5.2 2,4.2 1.9,2.8 2.8,2.3", 0.6],
    ["10,2.9 9.2,4.2", 0.8],
  ],
  deer: [
    ["3,4.4 8.6,4.4 10,2.7 11.2,2.1 12.8,3.1 12.4,3.7 11.1,3.6 10.3,5.2 9.7,6.3 3.4,6.1 2.7,5.1", 0],
    ["3.3,5.8 2.9,7.6 3.2,9.8", 0.5],
    ["4.3,5.8 4.3,9.8", 0.5],
    ["8.7,5.8 8.7,9.8", 0.5],
    ["9.5,5.8 9.8,9.8", 0.5],
    ["2.9,4.6 2.2,4", 0.6],
    ["10.8,2.2 10.2,1.2 10.3,0.2", 0.4],
    ["10.2,1.3 9.2,0.7", 0.4],
    ["11.2,2.2 11.9,1.2 11.8,0.2", 0.4],
    ["11.9,1.3 12.9,0.7", 0.4],
  ],
  cow: [
    [
      "2.4,3.2 9.8,2.9 11,2.6 12.6,2.9 13.6,4.7 13,5.6 11.6,5.1 10.7,6.9 6.4,7 6.1,7.7 5.1,7.7 4.9,7 2.9,6.8 2.2,5",
      0,
    ],
    ["3.1,6.4 3,9.8", 0.9],
    ["4.4,6.6 4.4,9.8", 0.9],
    ["8.8,6.6 8.8,9.8", 0.9],
    ["10.2,6.4 10.3,9.8", 0.9],
    ["2.5,3.6 1.6,4.4 1.6,6.6", 0.4],
    ["1.6,6.4 1.6,7.4", 0.9],
    ["11.3,2.8 10.8,1.7 11.3,0.8", 0.5],
    ["12.3,2.9 13,1.8 12.6,0.8", 0.5],
  ],
  horse: [
    [
      "3,3.6 8.8,3.5 10.2,1.3 11.4,0.4 12,1 13.8,2.6 13.3,3.4 11.7,2.9 11,4.6 10.5,6.1 7,5.8 3.4,6.2 2.7,5",
      0,
    ],
    ["3.3,5.8 2.8,7.6 3.2,9.8", 0.8],
    ["4.4,5.8 4.5,9.8", 0.8],
    ["9.1,5.8 9,9.8", 0.8],
    ["10.1,5.6 10.9,7.4 10.5,9.6", 0.8],
    ["3,4 1.7,4.6 1.4,6.2 1.6,8.2", 0.9],
    ["8.6,3.3 10,0.9 11,0.3", 0.8],
  ],
};

export const LENGTH = 100;
export const WIDTH = 12;
const MIDDLE = WIDTH / 2;
const INK = "#16120e";
const FIGURE_SCALE = (0.8 * WIDTH) / 10;
const FIGURE_X = LENGTH - 2 - 15 * FIGURE_SCALE;
const STEM = [3, FIGURE_X - 2];
const FIRST_STROKE = 6;
const LETTER_GAP = 2.2; // in distances of strokes
const LONGEST_WORD = 15.8; // FIADH, in distances of strokes
const PITCH = (FIGURE_X - 4 - FIRST_STROKE) / LONGEST_WORD;

/** @type {Record<Side, string>} */
// with the foot on the left, the right side of the stem is below it
const STROKES = {
  right: `v${0.38 * WIDTH}`,
  left: `v${-0.38 * WIDTH}`,
  across: `m${-0.1 * WIDTH} ${0.38 * WIDTH}l${0.2 * WIDTH} ${-0.76 * WIDTH}`,
  notch: `m0 ${-0.11 * WIDTH}v${0.22 * WIDTH}`,
};

/**
 * Side and place of each stroke, in distances of strokes from the first.
 * @param {string} word
 */
export function strokes(word) {
  /** @type {[Side, number][]} */
  const all = [];
  let at = 0;
  for (const letter of word) {
    const [side, count] = LETTERS[letter];
    for (let n = 0; n < count; n++) all.push([side, at + n]);
    at += count - 1 + LETTER_GAP;
  }
  return all;
}

/**
 * What is written on a stick LENGTH x WIDTH that lies with its foot on the left.
 * @param {{ animal: string }} props
 */
export function Ogham({ animal }) {
  const written = strokes(WORDS[animal]).map(
    ([side, at]) => `M${FIRST_STROKE + at * PITCH} ${MIDDLE}${STROKES[side]}`,
  );
  return html`<g fill="none" stroke=${INK} stroke-linecap="round" stroke-linejoin="round">
    <path d=${`M${STEM[0]} ${MIDDLE}H${STEM[1]}`} stroke-width=".6" />
    <path class="ogham" d=${written.join("")} stroke-width="1.1" />
    <g transform=${`translate(${FIGURE_X} ${0.1 * WIDTH}) scale(${FIGURE_SCALE})`}>${FIGURES[animal].map(
      ([points, width]) =>
        width
          ? html`<polyline points=${points} stroke-width=${width} />`
          : html`<polygon points=${points} fill=${INK} stroke="none" />`,
    )}</g>
  </g>`;
}

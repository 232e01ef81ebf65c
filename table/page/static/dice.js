// Drawn dice: a face with its pips, in the colour of the die.
import { html } from "./vendor/preact-htm.js";

/** @type {Record<string, [number, number][]>} */
const PIPS = {
  1: [[50, 50]],
  2: [
    [27, 27],
    [73, 73],
  ],
  3: [
    [25, 25],
    [50, 50],
    [75, 75],
  ],
  4: [
    [27, 27],
    [73, 27],
    [27, 73],
    [73, 73],
  ],
  5: [
    [26, 26],
    [74, 26],
    [50, 50],
    [26, 74],
    [74, 74],
  ],
  6: [
    [27, 24],
    [73, 24],
    [27, 50],
    [73, 50],
    [27, 76],
    [73, 76],
  ],
};

/** @type {Record<string, string>} */
export const BODY = {
  white: "#f4f0e6",
  black: "#26262a",
  grey: "#8e9196",
  red: "#d5382f",
  orange: "#ef8424",
  yellow: "#f5cf3a",
  green: "#2fa45a",
  blue: "#356fcf",
  purple: "#8a4fc0",
  pink: "#ee8fb5",
  brown: "#8a5a35",
};
const LIGHT = new Set(["white", "grey", "orange", "yellow", "green", "pink"]);

/**
 * The text colour for a die or a button of this colour. The contrast is at least 4.5, as WCAG AA requires.
 * @param {string | null | undefined} colour
 */
export const inkOn = (colour) => (LIGHT.has(colour ?? "white") ? "#16120e" : "#ffffff");

/** @type {Map<number | string | null, string>} */
const SIGNS = new Map([
  [null, "?"],
  ["no die", "✕"],
  ["leans", "◇"],
]);

/**
 * face: 1 to 6, null for a die without an answer yet, "no die", or "leans".
 * @param {{ face: number | null | "no die" | "leans", colour?: string }} props
 */
export function Die({ face, colour = "white" }) {
  return html`<svg class="die" viewBox="0 0 100 100" aria-hidden="true">
    <rect x="4" y="4" width="92" height="92" rx="20" fill=${BODY[colour] ?? BODY.white} stroke="#000"
        stroke-opacity=".35" stroke-width="3" />
    ${
      SIGNS.has(face) &&
      html`<text x="50" y="50" dy="0.36em" font-size="62" font-weight="800"
        text-anchor="middle" fill=${inkOn(colour)}>${SIGNS.get(face)}</text>`
    }
    ${(PIPS[`${face}`] ?? []).map(([x, y]) => html`<circle cx=${x} cy=${y} r="9.5" fill=${inkOn(colour)} />`)}
  </svg>`;
}

// The picture of a game on its card: its board, or what makes its throws.
import { html } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";

/**
 * ground: the colour of the picture. shapes: [path, fill, stroke, width] from the back to the front.
 * dice: [face, colour, left, top, side, turn in degrees]; the picture is a square of 100.
 * @typedef {{
 *   ground: string, shapes?: [string, string, string?, number?][],
 *   dice?: [number, string, number, number, number, number?][]
 * }} Emblem
 */

const FELT = "#2c5f43";
const CUP = "M34 16h44l8 56q-30 12-60 0z";
const RIM = "M34 16q22-9 44 0 -22 9-44 0z";
/** @type {[string, string][]} */
const A_CUP = [[CUP, "#8a5a2c"], [RIM, "#c08a4c"], ["M31 38q25 8 50 0l1 7q-26 9-52 0z", "#6b431e"]]; // prettier-ignore

/** @type {Record<string, Emblem>} */
const EMBLEMS = {
  highland: {
    ground: "#7fb2d6",
    shapes: [
      ["M0 66Q26 40 52 62T100 56V100H0z", "#3f8f4e"],
      ["M0 80Q50 66 100 80V100H0z", "#2c6b3a"],
      ["M20 82 62 10l9 5-42 72z", "#8a5a2c", "#4d2f12", 2],
    ],
    dice: [[6, "green", 50, 60, 25, -8], [5, "white", 73, 66, 23, 10]],
  },
  high_rollin: {
    ground: "#3d5a78",
    dice: [
      [1, "green", 12, 68, 25], [1, "red", 14, 44, 25, -4], [4, "blue", 11, 20, 25, 3],
      [6, "yellow", 60, 68, 25], [6, "red", 62, 44, 25, 5], [2, "blue", 40, 4, 22, 24],
    ],
  },
  sigily: {
    ground: "#12301f",
    shapes: [
      ["M50 6a44 44 0 1 0 .1 0z", "none", "#4a4339", 12],
      ["M50 6a44 44 0 1 0 .1 0z", "none", "#c99a2e", 1.5],
      ["M50 18a32 32 0 1 0 .1 0z", "#2c6b4a"],
      ["M50 12V88M12 50H88", "none", "#cdbd9a", 4],
      ["M50 42a8 8 0 1 0 .1 0z", "#5f4694"],
      ["M43 0h14v13H43zM43 87h14v13H43zM0 43h13v14H0zM87 43h13v14H87z", "#7d8d9c"],
      ["M80 11a9 9 0 1 0 .1 0z", "#d5382f", "#000", 2],
      ["M20 72a9 9 0 1 0 .1 0z", "#356fcf", "#000", 2],
      ["M50 22a7 7 0 1 0 .1 0z", "#ffd75e", "#000", 1.5],
    ],
  },
  down_the_danube: {
    ground: "#2f6b43",
    shapes: [
      ["M-4 18H78a16 16 0 0 1 0 32H22a16 16 0 0 0 0 32H104", "none", "#2b78a6", 20],
      ["M6 18H78a16 16 0 0 1 0 32H22a16 16 0 0 0 0 32H96", "none", "#9fd0ea", 2],
      ["M28 9a9 9 0 1 0 .1 0zM60 41a9 9 0 1 0 .1 0z", "#f4f0e6", "#16303f", 3],
      ["M56 9a9 9 0 1 0 .1 0zM36 41a9 9 0 1 0 .1 0z", "#c2703a", "#3a1c08", 3],
      ["M76 72h22v20H76z", "#6f4c2c"],
    ],
  },
  bricrius_bluff: {
    ground: "#5a3d25",
    shapes: [
      ["M6 9h88v82H6z", "none", "#c99a2e", 2],
      ...A_CUP,
      ["M11 5a8 8 0 1 0 .1 0zM11 41a8 8 0 1 0 .1 0zM89 5a8 8 0 1 0 .1 0zM89 41a8 8 0 1 0 .1 0zM52 80a8 8 0 1 0 .1 0z", "#f4f0e6", "#2f1e10", 2],
      ["M11 23a8 8 0 1 0 .1 0zM89 23a8 8 0 1 0 .1 0zM72 80a8 8 0 1 0 .1 0z", "#b3342b", "#2f1e10", 2],
    ],
    dice: [[5, "red", 12, 64, 30, -10]],
  },
  liars_dice: { ground: FELT, shapes: A_CUP, dice: [[5, "white", 4, 62, 30, -12], [2, "white", 36, 68, 28, 8]] },
  mia: { ground: "#4a3270", shapes: A_CUP, dice: [[2, "yellow", 6, 60, 34, -8], [1, "yellow", 42, 62, 34, 8]] },
  ho_han: {
    ground: "#8c2f28",
    shapes: [["M26 18Q50 4 74 18l12 52q-36 18-72 0z", "#d9b26f"], ["M26 18Q50 4 74 18 50 30 26 18z", "#f0d5a0"],
      ["M20 46q30 14 60 0M17 60q33 16 66 0M23 32q27 12 54 0", "none", "#8a5a2c", 2.5]],
    dice: [[3, "white", 16, 68, 27, -10], [5, "white", 54, 68, 27, 10]],
  },
  hot_score: {
    ground: "#3a1410",
    shapes: [["M50 2C58 22 84 34 82 64a32 32 0 0 1-64 0C18 46 30 42 32 26c8 6 12 12 12 20C52 34 54 18 50 2z", "#ef8424"],
      ["M50 34c4 12 18 18 18 34a18 18 0 0 1-36 0c0-10 6-12 8-20 4 4 6 6 6 12 4-6 6-14 4-26z", "#f5cf3a"]],
    dice: [[3, "red", 14, 62, 32, -10], [4, "white", 54, 62, 32, 8]],
  },
  five_dice: {
    ground: FELT,
    dice: [[1, "white", 6, 6, 32, -6], [5, "white", 62, 8, 32, 8], [1, "white", 34, 34, 32], [5, "white", 6, 62, 32, 6], [6, "red", 62, 62, 32, -8]],
  },
  pig: {
    ground: "#bfe0c0",
    shapes: [["M18 34 14 8l26 12zM82 34l4-26-26 12z", "#e07ba5"], ["M50 16C80 16 92 36 92 56S76 94 50 94 8 78 8 56s12-40 42-40z", "#f3a3c3"],
      ["M32 40a4.5 5.5 0 1 0 .1 0zM68 40a4.5 5.5 0 1 0 .1 0z", "#2a1018"], ["M50 54c16 0 22 8 22 16s-8 16-22 16-22-8-22-16 6-16 22-16z", "#e07ba5"]],
    dice: [[2, "pink", 36, 56, 28]],
  },
  midnight: {
    ground: "#16203f",
    shapes: [["M62 8a34 34 0 1 0 30 50A28 28 0 0 1 62 8z", "#f5e6a8"], ["M18 14l2 5 5 2-5 2-2 5-2-5-5-2 5-2zM84 30l2 4 4 2-4 2-2 4-2-4-4-2 4-2z", "#fff"]],
    dice: [[1, "black", 10, 62, 32, -8], [4, "black", 48, 62, 32, 8]],
  },
  ship_captain_crew: {
    ground: "#8cc4e6",
    shapes: [["M46 6h5v54h-5z", "#5a3d25"], ["M54 8q32 20 30 46H54zM43 14q-26 16-27 40h27z", "#f6f1e6", "#7d715b", 1.5], ["M8 58h84L80 78H20z", "#8a4b22"], ["M0 76q12-8 25 0t25 0 25 0 25 0v24H0z", "#356fcf"]],
    dice: [[6, "red", 8, 70, 26, -4], [5, "white", 37, 72, 26], [4, "yellow", 66, 70, 26, 4]],
  },
  drop_dead: {
    ground: "#4a4f57",
    shapes: [["M20 100V46a30 30 0 0 1 60 0v54z", "#aab2bb", "#2a2e33", 3], ["M10 92q40-10 80 0v8H10z", "#2c6b3a"]],
    dice: [[2, "white", 34, 22, 32], [5, "white", 34, 58, 32]],
  },
  cee_lo: {
    ground: "#7a2440",
    shapes: [["M0 46q50-22 100 0v32q-50 22-100 0z", "#54162b"]],
    dice: [[4, "green", 3, 36, 31, -8], [5, "green", 34, 30, 32], [6, "green", 66, 36, 31, 8]],
  },
  chuck_a_luck: {
    ground: "#204a63",
    shapes: [["M22 6h56L54 50l24 44H22l24-44z", "#0d2433", "#e8c15a", 3], ["M36 6l8 44-8 44M50 6v88M64 6l-8 44 8 44", "none", "#e8c15a", 2], ["M16 3h68v7H16zM16 90h68v7H16z", "#c99a2e"]],
    dice: [[6, "red", 36, 34, 26, 10], [6, "red", 24, 62, 26, -6], [6, "red", 52, 62, 26, 4]],
  },
  zambales_pair_o_dice: {
    ground: "#f0b06a",
    shapes: [["M72 10a16 16 0 1 0 .1 0z", "#e2542c"], ["M0 70q50-12 100 0v30H0z", "#2b78a6"], ["M28 96q-2-36 8-58l6 2q-9 24-6 56z", "#6b431e"],
      ["M38 40Q18 22 2 40q18-6 36 0zM38 40Q30 14 8 12q20 10 30 28zM38 40Q42 12 66 16 46 22 38 40zM38 40q22-10 32 10-14-12-32-10z", "#2c7a44"]],
    dice: [[3, "white", 36, 62, 30, -8], [3, "white", 66, 60, 30, 8]],
  },
}; // prettier-ignore

/** @type {Emblem} */
const PLAIN = { ground: FELT, dice: [[6, "white", 24, 24, 52]] };

/**
 * A game without a picture shows a die.
 * @param {{ name: string }} props
 */
export function EmblemOf({ name }) {
  const { ground, shapes = [], dice = [] } = EMBLEMS[name] ?? PLAIN;
  return html`<svg class="emblem" viewBox="0 0 100 100" aria-hidden="true">
    <rect width="100" height="100" fill=${ground} />
    ${shapes.map(
      ([path, fill, stroke, width]) =>
        html`<path d=${path} fill=${fill} stroke=${stroke} stroke-width=${width} />`,
    )}
    ${dice.map(
      ([
        face,
        colour,
        x,
        y,
        side,
        turn = 0,
      ]) => html`<g transform=${`rotate(${turn} ${x + side / 2} ${y + side / 2})`}>
        <svg x=${x} y=${y} width=${side} height=${side} viewBox="0 0 100 100"><${Die} ...${{ face, colour }} /></svg></g>`,
    )}
  </svg>`;
}

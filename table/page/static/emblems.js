// The picture of a game on its card: what one throws in it.
import { html } from "./vendor/preact-htm.js";
import { BODY, Die } from "./dice.js";

/** @typedef {{ dice?: [number, string][], tower?: [number, string][], cup?: true, sticks?: string[] }} Emblem */

/** @type {Record<string, Emblem>} */
const EMBLEMS = {
  highland: { dice: [[6, "green"], [5, "white"], [4, "green"], [6, "white"]] },
  high_rollin: { tower: [[3, "red"], [4, "yellow"], [6, "blue"]] },
  sigily: { sticks: ["#8a5a35", "#e6cfa5", "#e6cfa5", "#8a5a35"] },
  down_the_danube: { sticks: ["#f4f0e6", "#26262a", "#f4f0e6", "#26262a"] },
  bricrius_bluff: { cup: true, dice: [[1, "red"]] },
  liars_dice: { cup: true, dice: [[5, "white"]] },
  mia: { cup: true, dice: [[2, "white"], [1, "white"]] },
  ho_han: { cup: true },
  hot_score: { dice: [[3, "red"], [4, "orange"]] },
  five_dice: { dice: [[1, "white"], [5, "white"], [1, "white"], [5, "white"], [1, "white"]] },
  pig: { dice: [[1, "pink"]] },
  midnight: { dice: [[1, "black"], [4, "black"]] },
  ship_captain_crew: { dice: [[6, "blue"], [5, "blue"], [4, "blue"]] },
  drop_dead: { dice: [[2, "black"], [5, "grey"]] },
  cee_lo: { dice: [[4, "green"], [5, "green"], [6, "green"]] },
  chuck_a_luck: { dice: [[6, "red"], [6, "red"], [6, "red"]] },
  zambales_pair_o_dice: { dice: [[3, "orange"], [3, "orange"]] },
}; // prettier-ignore

/**
 * Left edge, top edge and side of each of so many dice in a square of 100.
 * @type {Record<number, [number, number, number][]>}
 */
const PLACES = {
  1: [[18, 18, 64]],
  2: [[4, 8, 50], [46, 44, 50]],
  3: [[27, 4, 46], [3, 50, 46], [51, 50, 46]],
  4: [[4, 4, 44], [52, 4, 44], [4, 52, 44], [52, 52, 44]],
  5: [[2, 2, 36], [62, 2, 36], [32, 32, 36], [2, 62, 36], [62, 62, 36]],
}; // prettier-ignore

/**
 * A game without an emblem shows a die.
 * @param {{ name: string }} props
 */
export function EmblemOf({ name }) {
  const { dice = [], tower = [], cup, sticks = [] } = EMBLEMS[name] ?? { dice: [[6, "white"]] };
  const places = cup ? dice.map((_, i) => [i * 40, 62, 38]) : (PLACES[dice.length] ?? []);
  return html`<svg class="emblem" viewBox="0 0 100 100" aria-hidden="true">
    ${
      cup &&
      html`<path d="M38 10 Q62 3 86 10 L94 78 Q62 92 30 78 Z" fill="#8a6239" stroke="#000" stroke-opacity=".4"
          stroke-width="3" /><ellipse cx="62" cy="11" rx="24" ry="6" fill="#a97b4b" />`
    }
    ${sticks.map(
      (fill, i) => html`<rect x=${8 + 22 * i} y=${i % 2 ? 4 : 12} width="16" height="84" rx="7" fill=${fill}
        stroke=${BODY.grey} stroke-width="3" />`,
    )}
    ${tower.map(([face, colour], i) => html`<svg x="34" y=${66 - 31 * i} width="32" height="32" viewBox="0 0 100 100"><${Die} ...${{ face, colour }} /></svg>`)}
    ${dice.map(
      (
        [face, colour],
        i,
      ) => html`<svg x=${places[i][0]} y=${places[i][1]} width=${places[i][2]} height=${places[i][2]}
        viewBox="0 0 100 100"><${Die} ...${{ face, colour }} /></svg>`,
    )}
  </svg>`;
}

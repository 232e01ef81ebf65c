// A tower of dice on its corner of the mat: its top die large, and the whole stack from the side.
import { html } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";

/** @import { Level, Spot } from "./types.d.ts" */

const TOWER = /^(\d+), (?:no die yet|\d+ high: (.+))$/;
const DIE = /^(\w+) ([1-6])$/;

/**
 * The number of a tower and its dice from the top down, from the text of its spot; null if it says something
 * else.
 * @param {Spot} spot
 * @returns {{ number: string, dice: { colour: string, face: number }[] } | null}
 */
export function towerOf({ kind, text }) {
  const found = kind === "tower" && text.match(TOWER);
  if (!found) return null;
  const dice = (found[2]?.split(", ") ?? []).map((each) => each.match(DIE));
  if (dice.some((each) => !each)) return null;
  return {
    number: found[1],
    dice: dice.map((each) => ({ colour: each?.[1] ?? "", face: Number(each?.[2]) })),
  };
}

const MOST_SIDE = 0.62; // of a die in the stack, in radii of the spot

/**
 * The dice of towers that fell: those that are picked, and what stood on them. Dice that were carried off a tower do
 * not fall with what is left of it.
 * @param {Level[]} levels
 * @param {string[]} picked
 */
export const fallenWith = (levels, picked) =>
  levels.filter(({ spot, level, carried }) =>
    levels.some(
      (each) =>
        each.spot === spot && each.carried === carried && each.level <= level && picked.includes(each.item),
    ),
  );

/**
 * The drawing, in a square of 2 r around (x, y). levels: the dice that can be picked. picked: the items that are; what
 * stands on them is marked as well.
 * @param {{ number: string, dice: { colour: string, face: number }[], x: number, y: number, r: number, levels: Level[], picked: string[] }} props
 */
export function Tower({ number, dice, x, y, r, levels, picked }) {
  const fell = fallenWith(levels, picked).map((each) => each.level);
  /** @param {number} i */
  const levelOf = (i) => dice.length - i;
  const side = Math.min(MOST_SIDE * r, (1.8 * r) / Math.max(1, dice.length));
  const [top] = dice;
  const foot = y + 0.88 * r;
  return html`<g class="tower">
    <rect class="mat" x=${x - r} y=${y - r} width=${2 * r} height=${2 * r} rx=${r / 6} />
    <text class="number" x=${x - 0.5 * r} y=${y + (top ? 0.62 : 0) * r} dy="0.36em" font-size=${(top ? 0.5 : 1) * r}>${number}</text>
    ${top && html`<svg x=${x - 0.92 * r} y=${y - 0.8 * r} width=${0.98 * r} height=${0.98 * r} viewBox="0 0 100 100"><${Die} ...${top} /></svg>`}
    ${dice.map(
      (
        die,
        i,
      ) => html`<svg x=${x + 0.54 * r - side / 2} y=${foot - side * levelOf(i)} width=${side} height=${side}
          data-item=${levels.find((each) => each.level === levelOf(i))?.item}
          viewBox="0 0 100 100"><${Die} ...${i ? die : top} />${fell.includes(levelOf(i)) && html`<rect class="fell" x="5" y="5" width="90" height="90" rx="18" />`}</svg>`,
    )}
  </g>`;
}

// The dice of a tower of the board, to tap. It is loaded when a tower is first tapped.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { towerOf } from "./towers.js";

/** @import { Spot as BoardSpot, Taps } from "./types.d.ts" */

/**
 * The dice of the tower that was tapped, the highest first, each as wide as a finger.
 * @param {{ taps: Taps, spot: BoardSpot }} props
 */
export function InTower({ taps: { towers, picked, mark }, spot }) {
  const list = useRef(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  const tower = towerOf(spot);
  if (!tower) return null;
  const { number, dice } = tower;
  return html`<div class="which" role="group" aria-label=${`Dice of tower ${number}`} ref=${list}>
    <p>Tower ${number}, from the top</p>
    <div class="faces">${towers.get(spot.id)?.map(({ item, level }) => {
      const die = dice[dice.length - level];
      return html`<button class="face" data-level=${item} aria-pressed=${picked.includes(item)}
          aria-label=${`${die.colour} ${die.face}, level ${level}`} onClick=${() => mark(item)}><${Die} ...${die} /></button>`;
    })}</div></div>`;
}

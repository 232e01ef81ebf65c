// The dice of a tower of the board, to tap. It is loaded when a tower is first tapped, or it is asked which dice fell.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { towerOf } from "./towers.js";

/** @import { Level, Spot as BoardSpot, Taps } from "./types.d.ts" */

/**
 * A button for each of these dice, the highest first. tower: of towerOf(). fell: the items that fell.
 * @param {{ levels: Level[], tower: NonNullable<ReturnType<typeof towerOf>>, taps: Taps, fell?: string[] }} props
 */
export const DiceInTower = ({ levels, tower: { dice }, taps: { picked, mark }, fell = [] }) =>
  levels.map(({ item, level, carried }) => {
    const die = dice[dice.length - level];
    return html`<button class="face" data-item=${item} data-fell=${fell.includes(item) ? "" : null} aria-pressed=${picked.includes(item)}
        aria-label=${`${die.colour} ${die.face}, level ${level}${carried ? ", carried" : ""}`} onClick=${() => mark(item)}><${Die} ...${die} /></button>`;
  });

/**
 * The dice of the tower that was tapped, the highest first, each as wide as a finger.
 * @param {{ taps: Taps, spot: BoardSpot }} props
 */
export function InTower({ taps, spot }) {
  const list = useRef(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  const tower = towerOf(spot);
  if (!tower) return null;
  return html`<div class="which" role="group" aria-label=${`Dice of tower ${tower.number}`} ref=${list}>
    <p>Tower ${tower.number}, from the top</p>
    <div class="faces"><${DiceInTower} levels=${taps.towers.get(spot.id) ?? []} ...${{ tower, taps }} /></div></div>`;
}

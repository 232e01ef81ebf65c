// The dice that came to light under the lifted cups, with those marked that count for the bid.
import { html } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { byPlayer, textOf, Token } from "./players.js";

/** @import { OpenDie, Player } from "./types.d.ts" */

const IN_LARGE_ROWS = 3; // players whose dice have a large row each on a large screen

/**
 * The dice of each player, beside the tray.
 * @param {{ dice: OpenDie[], players: Player[] }} props
 */
export const Lifted = ({
  dice,
  players,
}) => html`<ul class="lifted" id="lifted" data-many=${players.length > IN_LARGE_ROWS ? "" : null} aria-label="Under the lifted cups">
    ${byPlayer(dice).map(([name, own]) => {
      const { colour, second } = players.find((p) => p.name === name) ?? {};
      return html`<li><${Token} ...${{ colour, second }} /><span class="unseen">${textOf(name, own)}</span>${own.map(
        ({ face, counts }) => html`<span class=${counts ? "inline-die counts" : "inline-die"}
            aria-hidden="true"><${Die} face=${face} /></span>`,
      )}</li>`;
    })}</ul>`;

const ROOM = { x: 15, w: 70, h: 21 }; // of the middle of the board, below the bid
const LARGEST = 12; // side of a die with its gap
const IN_ONE_ROW = 8;
const IN_TWO_ROWS = 18;

/**
 * All dice in the middle of the board, in up to three rows: first those that count. top: where the rows begin.
 * @param {{ dice: OpenDie[], top: number }} props
 */
export function LiftedOnBoard({ dice, top }) {
  const rows = dice.length > IN_TWO_ROWS ? 3 : dice.length > IN_ONE_ROW ? 2 : 1;
  const inRow = Math.ceil(dice.length / rows);
  const step = Math.min(LARGEST, ROOM.w / inRow, ROOM.h / rows);
  const left = ROOM.x + (ROOM.w - inRow * step) / 2;
  const above = top + (ROOM.h - rows * step) / 2;
  return [...dice]
    .sort((a, b) => Number(b.counts) - Number(a.counts))
    .map(({ face, counts }, i) => {
      const side = step * (counts ? 0.84 : 0.66);
      const x = left + (i % inRow) * step + (step - side) / 2;
      const y = above + Math.floor(i / inRow) * step + (step - side) / 2;
      return html`<g class=${counts ? "lying counts" : "lying"}>
        <svg x=${x} y=${y} width=${side} height=${side} viewBox="0 0 100 100"><${Die} face=${face} /></svg>
        ${counts && html`<rect x=${x} y=${y} width=${side} height=${side} rx=${side / 5} />`}</g>`;
    });
}

// The mark of a player: a tile in their colour with a sign, so that nobody has to tell colours apart; and their dice in words.
import { html } from "./vendor/preact-htm.js";
import { BODY, inkOn } from "./dice.js";

/** @import { Match, OpenDie, Player } from "./types.d.ts" */

/**
 * The sign of each colour: a path in a square of 24.
 * @type {Record<string, string>}
 */
export const SIGNS = {
  white: "M12 6a6 6 0 1 0 .01 0z",
  black: "M9.5 5h5v4.5H19v5h-4.5V19h-5v-4.5H5v-5h4.5z",
  grey: "M5 7h14v3.6H5zM5 13.4h14V17H5z",
  red: "M12 4.6 19.4 18H4.6z",
  orange: "M12 4.4l7.4 5.4-2.8 8.8H7.4L4.6 9.8z",
  yellow: "M14.6 3.4 5.6 13.6h4.6L8.8 20.6l9.6-11h-5z",
  green: "M12 4 20 12 12 20 4 12z",
  blue: "M12 4c3.6 4.6 5.4 7 5.4 9.7a5.4 5.4 0 0 1-10.8 0C6.6 11 8.4 8.6 12 4z",
  purple: "M15.6 5a7.6 7.6 0 1 0 3.6 10.8A6.4 6.4 0 0 1 15.6 5z",
  pink: "M12 19.2 5.6 12.8a4.1 4.1 0 0 1 5.8-5.8l.6.6.6-.6a4.1 4.1 0 0 1 5.8 5.8z",
  brown: "M6 6h12v12H6z",
};

/**
 * A player's mark; for a clan, the second colour fills the lower corner. For players without a colour it is
 * empty.
 * @param {{ colour?: string | null, second?: string | null }} props
 */
export function Token({ colour, second }) {
  return html`<svg class="token" viewBox="0 0 24 24" aria-hidden="true">
    <rect x="1" y="1" width="22" height="22" rx="6" fill=${BODY[colour ?? ""] ?? "none"} class="tile" />
    ${second && html`<path d="M23 11v6a6 6 0 0 1-6 6h-6z" fill=${BODY[second]} />`}
    ${colour && html`<path d=${SIGNS[colour]} fill=${inkOn(colour)} transform=${second ? "translate(1 1) scale(.78)" : null} />`}
  </svg>`;
}

/**
 * The sign of a colour, in the colour of the text beside it.
 * @param {{ colour: string }} props
 */
export const Sign = ({ colour }) =>
  html`<svg viewBox="3 3 18 18" aria-hidden="true"><path d=${SIGNS[colour]} fill="currentColor" /></svg>`;

/**
 * The winners to celebrate: none where several share a match in which nobody got a point.
 * @param {Match} match
 * @returns {string[]}
 */
export const celebrated = ({ winners, scores }) =>
  winners.length > 1 && Object.values(scores).every((points) => points <= 0) ? [] : winners;

/**
 * A star for each game of the match that a player has won; null for none.
 * @param {{ won: number | undefined }} props
 */
export const GamesWon = ({ won }) =>
  won
    ? html`<span class="games" role="img" aria-label=${won === 1 ? "1 game won" : `${won} games won`}>${"★".repeat(won)}</span>`
    : null;

/**
 * The players clockwise.
 * @param {Match} match
 */
export function seated({ players, seat_order }) {
  const place = (/** @type {Player} */ player) => seat_order.indexOf(player.name);
  return [...players].sort((a, b) => place(a) - place(b));
}

/**
 * The dice of each player that came to light.
 * @param {OpenDie[]} dice
 * @returns {[string, OpenDie[]][]}
 */
export const byPlayer = (dice) =>
  [...new Set(dice.map((d) => d.player))].map((name) => [name, dice.filter((d) => d.player === name)]);

/**
 * A player's dice in words.
 * @param {string} name
 * @param {OpenDie[]} dice
 */
export const textOf = (name, dice) =>
  `${name}: ${dice.map(({ face, counts }) => `${face}${counts ? " counts" : ""}`).join(", ")}`;

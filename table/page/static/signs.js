// What a board draws at its spots beside pieces: the stones of a gate and a sun, where no piece covers them, and coins
// clear of other spots, of names and of other coins.
import { html } from "./vendor/preact-htm.js";
import { BODY } from "./dice.js";

/** @import { Badge, DrawnSpot, Player } from "./types.d.ts" */

const RAYS = 16;
const RAY = 1.22; // radius of a sun with its rays, in those of its spot
export const LETTER = 0.45; // width of a letter divided by its height
const LEAST = 2.4; // radius of a number that can be read on a small screen
const OUT = 1.24; // distance of coins from the centre of their spot, in its radii
const ON_PIECE = 1.04; // the same for those that a single piece carries
const GAP = 1.2; // what two things keep between them
const TURNS = 24; // directions that are tried

/**
 * A sun's rays round a spot with the radius r.
 * @param {{ x: number, y: number, r: number }} props
 */
export function Sun({ x, y, r }) {
  const points = Array.from({ length: 2 * RAYS }, (_, i) => {
    const [turn, out] = [(Math.PI * i) / RAYS, i % 2 ? r : RAY * r];
    return `${(x + out * Math.sin(turn)).toFixed(2)},${(y - out * Math.cos(turn)).toFixed(2)}`;
  });
  return html`<polygon class="ray" points=${points.join(" ")} />`;
}

/**
 * Two standing stones with a third across them, inside a spot with the radius r.
 * @param {{ x: number, y: number, r: number }} props
 */
export const Stones = ({ x, y, r }) => html`<g class="stones" transform=${`translate(${x} ${y}) scale(${r})`}>
  <path d="M-.6-.2-.28-.24-.2.72-.66.7zM.3-.22.6-.2.66.7.22.72zM-.78-.6.76-.66.8-.3-.76-.26z" /></g>`;

/**
 * The coins of every spot, carried or loose, each with its place. They lie towards the middle of the board, those of
 * one of several pieces on the side of that piece, or as near to that as they touch nothing.
 * @param {DrawnSpot[]} drawn
 * @param {{ x: number, y: number }} middle
 * @returns {Badge[]}
 */
export function badges(drawn, middle) {
  /** @type {Badge[]} */
  const placed = [];
  const margin = (drawn[0]?.letters ?? 0) / 2; // that names have in their boxes
  const names = drawn.map(nameBox).filter((box) => box !== null);
  for (const { spot, r, within } of drawn) {
    const inwards = Math.atan2(middle.y - spot.y, middle.x - spot.x);
    const coin = Math.max(LEAST, 0.46 * r);
    const many = spot.pieces.length > 1;
    const carried = spot.pieces.map((piece, i) => ({
      coins: piece.coins ?? 0,
      player: /** @type {string | null} */ (piece.player),
      towards: many ? (2 * Math.PI * i) / spot.pieces.length + Math.PI : inwards,
    }));
    const loose = { coins: spot.coins, player: null, towards: inwards };
    const others = drawn.filter((each) => each.spot !== spot);
    // a name above the only piece
    const own = within.length > 0 && spot.pieces.length === 1 ? [{ x: spot.x, y: spot.y - 0.6 * r }] : [];
    for (const { coins, player, towards } of [...carried, loose].filter((each) => each.coins > 0)) {
      const out = r * (player === null || many ? OUT : ON_PIECE);
      const places = Array.from({ length: TURNS }, (_, i) => {
        const turn = towards + (2 * Math.PI * (i % 2 ? -(i + 1) / 2 : i / 2)) / TURNS;
        return { x: spot.x + out * Math.cos(turn), y: spot.y + out * Math.sin(turn) };
      });
      const clear = places.map((at) => {
        const near = [
          ...others.map((each) => fromSpot(at, each)),
          ...names.map((box) => fromBox(at, box) + margin),
          ...own.map((name) => Math.hypot(at.x - name.x, at.y - name.y) - 0.2 * r),
          ...placed.map((b) => Math.hypot(at.x - b.x, at.y - b.y) - b.r),
        ];
        return Math.min(...near) - coin;
      });
      const free = clear.findIndex((gap) => gap >= GAP);
      const best = places[free < 0 ? clear.indexOf(Math.max(...clear)) : free];
      placed.push({ on: spot.id, coins, player, r: coin, ...best });
    }
  }
  return placed;
}

/**
 * How far a point is from the outline of a spot.
 * @param {{ x: number, y: number }} at
 * @param {DrawnSpot} drawn
 */
function fromSpot(at, { spot, r }) {
  if (spot.kind === "gate" || spot.kind === "home" || spot.kind === "tower")
    return fromBox(at, { left: spot.x - r, right: spot.x + r, top: spot.y - r, bottom: spot.y + r });
  return Math.hypot(at.x - spot.x, at.y - spot.y) - r * (spot.kind === "solar" ? RAY : 1);
}

/**
 * How far a point is from a box.
 * @param {{ x: number, y: number }} at
 * @param {{ left: number, right: number, top: number, bottom: number }} box
 */
const fromBox = ({ x, y }, { left, right, top, bottom }) =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

/**
 * The box of the name beside a spot, with a margin; null if it has none.
 * @param {DrawnSpot} drawn
 */
export function nameBox({ beside: name, letters }) {
  if (!name) return null;
  const wide = Math.max(...name.lines.map((line) => line.length)) * LETTER * letters;
  const left = name.x - { start: 0, middle: wide / 2, end: wide }[name.anchor];
  return {
    left,
    right: left + wide,
    top: name.y - letters,
    bottom: name.y + name.lines.length * letters,
  };
}

/**
 * Coins at a spot. Those that a piece carries have an edge in its colour.
 * @param {Badge & { players: Player[] }} props
 */
export function Coins({ on, coins, player, x, y, r, players }) {
  const edge = player !== null && BODY[players.find((p) => p.name === player)?.colour ?? "grey"];
  return html`<g class=${player === null ? "coins" : "coins carried"} data-on=${on}>
    <circle cx=${x} cy=${y} r=${r} style=${edge ? { stroke: edge } : null} />
    <text x=${x} y=${y} dy="0.36em" font-size=${1.35 * r}>${coins}</text></g>`;
}

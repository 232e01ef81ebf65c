// The board of a game that has one: its spots and the lines between them, with the pieces and coins that lie there.
import { html, useState } from "./vendor/preact-htm.js";
import { BODY, inkOn } from "./dice.js";

/** Fill and ink of a spot by its kind. */
const LOOK = {
  plain: ["#3d3329", "#f4ead9"], holiday: ["#c99a2e", "#16120e"], solar: ["#f0b94a", "#16120e"], gate: ["#50606e", "#ffffff"], green: ["#2b6440", "#ffffff"],
  centre: ["#5f4694", "#ffffff"], safe: ["#23646d", "#ffffff"], danger: ["#8c2f28", "#ffffff"], home: ["#6f4c2c", "#ffffff"], white: ["#f4f0e6", "#16120e"],
  red: ["#b3342b", "#ffffff"], tower: ["#57514a", "#ffffff"],
};
const MOST_R = 6.5; // hundredths of the board's longer side, as everything here
const LEAST_R = 1.6;
const LETTERS = 2.7; // of a name beside its spot: 12 px on a seven-inch screen
const LETTER = 0.6; // width of a letter, to its height
const LINE_LENGTH = 13; // letters of a name beside its spot, before it is broken
const SHORT = 3; // letters of a name that stands within its spot

/** match: of the snapshot, with a board. */
export function Board({ match }) {
  const { board, players } = match;
  const [shown, setShown] = useState(null);
  const r = radius(board.spots);
  const at = Object.fromEntries(board.spots.map((spot) => [spot.id, spot]));
  const told = board.spots.find((spot) => spot.id === shown);
  const view = extent(board, r);
  return html`<div class="board" id="board">
    <svg viewBox=${`${view.x} ${view.y} ${view.w} ${view.h}`} style=${{ "--ratio": view.w / view.h }} role="img" aria-label="The board" aria-describedby="on-board">
      ${board.lines.map(([a, b]) => at[a] && at[b] && html`<line class="joined" x1=${at[a].x} y1=${at[a].y} x2=${at[b].x} y2=${at[b].y} />`)}
      ${board.spots.map((spot) => html`<${Spot} key=${spot.id} ...${{ spot, r, players }} onTap=${() => setShown(spot.id === shown ? null : spot.id)} />`)}
    </svg>
    <ul class="notes" id="notes">${told && html`<li class="told">${described(told)}</li>`}${board.notes.map((note) => html`<li>${note}</li>`)}</ul>
    <ul class="unseen" id="on-board">${board.spots.filter((s) => s.pieces.length || s.coins).map((spot) => html`<li>${described(spot)}</li>`)}</ul>
  </div>`;
}

/** Of a spot: nearly half the way to its nearest neighbour. */
function radius(spots) {
  let nearest = 2.2 * MOST_R;
  spots.forEach((a, i) => spots.slice(0, i).forEach((b) => { nearest = Math.min(nearest, Math.hypot(a.x - b.x, a.y - b.y)); }));
  return Math.max(LEAST_R, Math.min(MOST_R, 0.46 * nearest));
}

/** Where a spot's name stands: lines within it, or else lines below it. */
function name({ text, kind }, r) {
  if (kind !== "tower") return text.length <= SHORT ? { within: text ? [text] : [], below: [] } : { within: [], below: broken(text, LINE_LENGTH) };
  const lines = broken(text, Math.max(4, Math.floor((2 * r) / (LETTER * LETTERS))));
  return lines.length * LETTERS <= 2 * r ? { within: lines, below: [] } : { within: [], below: broken(text, LINE_LENGTH) };
}

/** What is drawn of a board, with its margin: spots and names may reach beyond it. */
function extent({ width, height, spots }, r) {
  const names = spots.map((spot) => ({ ...spot, lines: name(spot, r).below }));
  const half = (lines) => Math.max(1.3 * r, ...lines.map((line) => (line.length * LETTER * LETTERS) / 2));
  const left = Math.min(0, ...names.map((s) => s.x - half(s.lines)));
  const right = Math.max(width, ...names.map((s) => s.x + half(s.lines)));
  const top = Math.min(0, ...spots.map((s) => s.y - 1.2 * r));
  const bottom = Math.max(height, ...names.map((s) => s.y + 1.3 * r + s.lines.length * LETTERS));
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** A spot in words. */
function described({ id, text, coins, pieces }) {
  const lying = [...pieces.map((p) => `${p.player} ${p.text}`.trim()), coins && (coins === 1 ? "one coin" : `${coins} coins`)].filter(Boolean);
  return `${text || id}: ${lying.join(", ") || "nothing"}`;
}

function Spot({ spot, r, players, onTap }) {
  const { x, y, kind, coins, pieces } = spot;
  const [fill, ink] = LOOK[kind] ?? LOOK.plain;
  const { within, below } = name(spot, r);
  const aside = kind !== "tower" && within.length > 0 && pieces.length > 0; // a short name makes room for the pieces
  const size = within.length > 1 || kind === "tower" ? LETTERS : Math.min(aside ? 0.62 * r : 0.95 * r, (1.7 * r) / (LETTER * (within[0]?.length ?? 1)));
  const shape = kind === "tower" || kind === "gate" || kind === "home" ? html`<rect class="spot" x=${x - r} y=${y - r} width=${2 * r} height=${2 * r} rx=${r / 4} fill=${fill} />`
    : html`<circle class="spot" cx=${x} cy=${y} r=${r} fill=${fill} />`;
  const coin = Math.max(1.7, 0.4 * r);
  return html`<g data-spot=${spot.id} data-kind=${kind} onClick=${onTap}>
    ${shape}
    ${kind === "solar" && html`<circle class="ray" cx=${x} cy=${y} r=${1.14 * r} />`}
    ${within.map((line, i) => html`<text x=${x} y=${aside ? y - 0.62 * r : y + (i - (within.length - 1) / 2) * LETTERS} dy="0.36em" font-size=${size} font-weight="700" fill=${ink}>${line}</text>`)}
    ${below.map((line, i) => html`<text class="beside" x=${x} y=${y + r + LETTERS * (0.95 + i)} font-size=${LETTERS}>${line}</text>`)}
    ${packed(pieces.length, aside ? 0.72 * r : r).map((place, i) => html`<${Piece} ...${{ piece: pieces[i], players }} x=${x + place.x} y=${y + (aside ? 0.26 * r : 0) + place.y} r=${place.r} />`)}
    ${coins > 0 && html`<g class="coins"><circle cx=${x + 0.95 * r} cy=${y + 0.8 * r} r=${coin} /><text x=${x + 0.95 * r} y=${y + 0.8 * r} dy="0.36em" font-size=${1.3 * coin}>${coins}</text></g>`}
  </g>`;
}

/** Pieces carry what the game writes on them, or else the first letter of their player: not everybody tells colours apart. */
function Piece({ piece, players, x, y, r }) {
  const colour = players.find((p) => p.name === piece.player)?.colour ?? "grey";
  const said = piece.text || piece.player.slice(0, 1);
  return html`<g data-piece=${piece.player}><circle class="piece" cx=${x} cy=${y} r=${r} fill=${BODY[colour]} />
    <text x=${x} y=${y} dy="0.36em" font-size=${Math.min(1.25 * r, (2.6 * r) / said.length)} font-weight="800" fill=${inkOn(colour)}>${said}</text></g>`;
}

/** Middles and radius of so many equal circles within one of radius r round (0, 0). */
function packed(count, r) {
  if (count === 1) return [{ x: 0, y: 0, r: 0.8 * r }];
  const sine = Math.sin(Math.PI / count);
  const each = (r * sine) / (1 + sine);
  return Array.from({ length: count }, (_, i) => {
    const turn = (2 * Math.PI * i) / count + Math.PI;
    return { x: (r - each) * Math.cos(turn), y: (r - each) * Math.sin(turn), r: each };
  });
}

/** A text in lines of at most so many letters, longer words apart. */
function broken(text, length) {
  return text.split(" ").reduce((lines, word) => {
    const last = lines.at(-1);
    if (last && `${last} ${word}`.length <= length) return [...lines.slice(0, -1), `${last} ${word}`];
    return [...lines, word];
  }, []);
}

// What lies under the spots of a board: the land inside the year, the river, or the table with its track.
import { html } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";

/** @import { BoardView } from "./types.d.ts" */

const FLAT = 0.4; // height of a board divided by its width; a flatter board is a river
const SIDES = new Set(["white", "red"]);

/**
 * The look of a board, from the kinds of its spots: "land" (a ring round a centre), "river", "track" (spots
 * of two colours round a table), or "plain".
 * @param {BoardView} board
 * @returns {"land" | "river" | "track" | "plain"}
 */
export function lookOf({ width, height, spots }) {
  if (width === height && spots.some((s) => s.kind === "centre")) return "land";
  if (height < FLAT * width) return "river";
  return spots.length > 0 && spots.every((s) => SIDES.has(s.kind)) ? "track" : "plain";
}

/** @param {{ board: BoardView }} props */
export function Backdrop({ board }) {
  const look = lookOf(board);
  if (look === "land") return html`<${Land} size=${board.width} />`;
  if (look === "track") return html`<${Table} board=${board} />`;
  return null;
}

/**
 * The ring of the year round the fairy land, with a quarter for each province.
 * @param {{ size: number }} props
 */
function Land({ size }) {
  const half = size / 2;
  const road = 0.46 * size;
  const inner = 0.368 * size;
  return html`<g class="land">
    <defs><radialGradient id="fairy-land"><stop offset="0" stop-color="#2c6b4a" /><stop offset=".75" stop-color="#1c4a35" />
      <stop offset="1" stop-color="#12301f" /></radialGradient></defs>
    <circle class="stone" cx=${half} cy=${half} r=${road} />
    <circle class="rim" cx=${half} cy=${half} r=${road + 0.062 * size} />
    <circle class="rim" cx=${half} cy=${half} r=${road - 0.092 * size} />
    <circle cx=${half} cy=${half} r=${inner} fill="url(#fairy-land)" />
    ${[0.12, 0.2, 0.28].map((r) => html`<circle class="mist" cx=${half} cy=${half} r=${r * size} />`)}
  </g>`;
}

/**
 * The table inside the track, with the bid that stands in its middle: the spot with the piece says how many,
 * the piece which face.
 * @param {{ board: BoardView }} props
 */
function Table({ board }) {
  const { width, height, spots } = board;
  const edge = 0.1 * width;
  const bid = spots.find((s) => s.pieces.length);
  const face = Number(bid?.pieces[0].text);
  return html`<g class="table-top">
    <rect class="wood" x=${edge} y=${edge} width=${width - 2 * edge} height=${height - 2 * edge} rx="4" />
    <rect class="inlay" x=${edge + 2} y=${edge + 2} width=${width - 2 * edge - 4} height=${height - 2 * edge - 4} rx="3" />
    ${
      bid &&
      face >= 1 &&
      face <= 6 &&
      html`<text class="bid" x=${width / 2 - 5} y=${height / 2} dy="0.36em" font-size="19">${bid.text} ×</text>
        <svg x=${width / 2 + 6} y=${height / 2 - 7.5} width="15" height="15" viewBox="0 0 100 100"><${Die} face=${face} /></svg>`
    }
  </g>`;
}

/**
 * Where the name of a spot of the ring stands inside the land: beside the road of a gate, and in the middle of
 * a quarter for the spots between them.
 * @param {{ x: number, y: number, text: string }} spot
 * @param {number} size
 * @returns {{ x: number, y: number, anchor: "start" | "middle" | "end", lines: string[] }}
 */
export function placeInLand({ x, y, text }, size) {
  const half = size / 2;
  const [across, down] = [(x - half) / half, (y - half) / half];
  if (Math.abs(across) < 0.2)
    return {
      x: half + 0.07 * size,
      y: half + Math.sign(down) * 0.345 * size,
      anchor: "start",
      lines: [text],
    };
  if (Math.abs(down) < 0.2)
    return {
      x: half + Math.sign(across) * 0.345 * size,
      y: half - 0.085 * size,
      anchor: across > 0 ? "end" : "start",
      lines: [text],
    };
  return {
    x: half + 0.3 * across * size,
    y: half + 0.3 * down * size,
    anchor: "middle",
    lines: text.split(" "),
  };
}

// What lies under the spots of a board: the land inside the year, the river, or the table with its track.
import { html } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { later } from "./later.js";

/** @import { BoardView, OpenDie } from "./types.d.ts" */

const LiftedOnBoard = later(() => import("./lifted.js").then((found) => found.LiftedOnBoard));

/** @param {{ board: BoardView, lifted: OpenDie[] }} props */
export function Backdrop({ board, lifted }) {
  if (board.look === "land") return html`<${Land} board=${board} />`;
  if (board.look === "track") return html`<${Table} ...${{ board, lifted }} />`;
  if (board.look === "bar") return html`<${Posts} board=${board} />`;
  return null;
}

/**
 * Two posts and a bar at each height; the one that is tried stands out.
 * @param {{ board: BoardView }} props
 */
function Posts({ board: { spots } }) {
  const ground = Math.max(...spots.map((s) => s.label?.y ?? s.y)) - 3;
  return html`<g class="posts">${spots.map(
    ({ x, y, kind }) => html`<line x1=${x - 2.6} y1=${ground} x2=${x - 2.6} y2=${y + 1} />
      <line x1=${x + 2.6} y1=${ground} x2=${x + 2.6} y2=${y + 1} />
      <line class=${kind === "solar" ? "now" : "bar"} x1=${x - 3.4} y1=${y + 4.2} x2=${x + 3.4} y2=${y + 4.2} />`,
  )}</g>`;
}

/**
 * The ring of the year round the fairy land, with a quarter for each province.
 * @param {{ board: BoardView }} props
 */
function Land({ board: { width: size, spots } }) {
  const half = size / 2;
  const road = half - Math.min(...spots.map((s) => s.y));
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
 * the piece which face. Once cups are lifted, the dice lie below it, and the bid says how many of them count.
 * @param {{ board: BoardView, lifted: OpenDie[] }} props
 */
function Table({ board: { width, height, spots }, lifted }) {
  const open = lifted.length > 0;
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
      html`<g transform=${open ? `translate(${width / 2} 17.5) scale(.5)` : `translate(${width / 2} ${height / 2})`}>
      <text class="bid" x="4" y="0" dy="0.36em" font-size="19" style=${{ textAnchor: "end" }}>${
        open && `${lifted.filter((d) => d.counts).length} of `
      }${bid.text} ×</text>
      <svg x="8" y="-7.5" width="15" height="15" viewBox="0 0 100 100"><${Die} face=${face} /></svg></g>`
    }
    ${open && html`<${LiftedOnBoard} dice=${lifted} top=${22} />`}
  </g>`;
}

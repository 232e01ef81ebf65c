// The board of a game: spots, the lines between them, pieces and coins, and what of them can be tapped.
import { html, useState } from "./vendor/preact-htm.js";
import { Backdrop } from "./backdrops.js";
import { BODY, Die, inkOn } from "./dice.js";
import { useFolded } from "./fold.js";
import { later } from "./later.js";
import { pieceOf, promptKey, said, spotOf } from "./moves.js";
import { Pile, pileOf } from "./piles.js";
import { byPlayer, SIGNS, Token, textOf } from "./players.js";
import { badges, Coins, LETTER, nameBox, Stones, Sun } from "./signs.js";
import { Tower, towerOf } from "./towers.js";
import { byFinger, useZoom } from "./zoom.js";

/**
 * @import {
 *   BoardView, DrawnSpot, Level, SpotName, Match, Move, Option, Piece as BoardPiece, Player, Prompt, Spot as BoardSpot, Taps,
 *   TapOnBoard
 * } from "./types.d.ts"
 */

/**
 * Fill colour and text colour of each kind of spot.
 * @type {Record<string, [string, string]>}
 */
const SPOT_COLOURS = {
  plain: ["#3d3329", "#f4ead9"],
  holiday: ["#c99a2e", "#16120e"],
  solar: ["#f0b94a", "#16120e"],
  gate: ["#50606e", "#ffffff"],
  green: ["#2b6440", "#ffffff"],
  centre: ["#5f4694", "#ffffff"],
  safe: ["#23646d", "#ffffff"],
  danger: ["#8c2f28", "#ffffff"],
  home: ["#6f4c2c", "#ffffff"],
  white: ["#f4f0e6", "#16120e"],
  red: ["#b3342b", "#ffffff"],
  tower: ["#57514a", "#ffffff"],
};
const InTower = later(() => import("./intower.js").then((found) => found.InTower));
const MOST_R = 6.5; // largest radius of a spot; lengths here are in hundredths of the board's longer side
const MOST_TOWER = 22; // largest radius of a tower, which lists its stack
const LEAST_R = 1.6;
const HALF_WAY = 0.46; // radius of a spot divided by the distance to the nearest spot
// px: size of a board on the smallest screens, and of a letter there
const SCREEN = { w: 330, h: 310, letters: 15 };
const LINE_LENGTH = 13; // letters per line of a name beside its spot
const SHORT = 3; // letters of a name that fits inside its spot
const ON_PIECE = 4; // letters that are readable on a piece
const SQUARE = 1.3; // width of a board divided by its height; a narrower board leaves room beside it

/**
 * match: of the snapshot; it has a board. open: the prompt, if it can be answered now. taps: what can be tapped.
 * latest: the spots that were changed last. news: what came of the last answer, for screens that have no room for it
 * beside the controls.
 * @param {{ match: Match & { board: BoardView }, open: Prompt | null, taps: Taps, latest: Set<string>, news: string[] }} props
 */
export function Board({ match, open, taps, latest, news }) {
  const { players } = match;
  const { board, drawn, whole } = useLayout(match);
  const [shown, setShown] = useState(/** @type {string | null} */ (null));
  const options = open?.options ?? [];
  const at = Object.fromEntries(board.spots.map((spot) => [spot.id, spot]));
  const piled = board.notes.flatMap((note) => pileOf(note, players)?.counts ?? []).map((c) => c.colour);
  const colours = Object.keys(BODY).filter((colour) => piled.includes(colour));
  const looked = board.spots.find((spot) => spot.id === shown);
  const possible = board.spots.filter((spot) => tapKind(taps, spot.id) !== null);
  const { part, leave, enlarge } = useZoom(whole, possible, { key: promptKey(match), chosen: taps.chosen });
  /** @param {string | null} id */
  const tap = (id) => {
    const meant = taps.tap(id ?? "");
    setShown(meant || id === shown ? null : id);
  };
  /** @param {TapOnBoard} event */
  const onTap = (event) => {
    if (event.target.closest(".by, .which, .whole") || !event.target.isConnected) return; // or was in a list that closed
    const item = event.target.closest("[data-item]")?.getAttribute("data-item");
    if (item && !byFinger(event)) {
      taps.mark(item); // a mouse is exact; a finger is asked which die
      return;
    }
    const id = spotOf(event, drawn, (each) => tapKind(taps, each) !== null);
    if (!enlarge(event, id)) tap(id);
  };
  return html`<div class=${whole.w / whole.h < SQUARE ? "board square" : "board"} id="board" data-look=${board.look}
      data-zoomed=${leave ? "" : null} onClick=${onTap}>
    <svg viewBox=${`${part.x} ${part.y} ${part.w} ${part.h}`} style=${{ "--ratio": part.w / part.h }}
        role=${possible.length ? "group" : "img"} aria-label="The board" aria-describedby="on-board">
      <${Drawing} ...${{ match, board, drawn, latest }} tapped=${(/** @type {BoardSpot} */ spot) => ({
        can: tapKind(taps, spot.id),
        does: whatOf(taps, spot, options),
        levels: taps.towers.get(spot.id) ?? [],
        picked: taps.picked,
        tap,
      })} />
      ${taps.chosen !== null && taps.shown.map((m) => m.to && m.ends && html`<${GoesOn} from=${at[m.to]} to=${at[m.ends]} />`)}
    </svg>
    ${leave && html`<button class="whole" style=${leave.style} onClick=${leave.back}>Whole board</button>`}
    ${
      taps.which.length > 0 &&
      html`<div class="which" role="group" aria-label="Which one?">${taps.which.map(
        (m) => html`<button class="choice" onClick=${() => taps.answer(m)}>${said(m, options)}</button>`,
      )}</div>`
    }
    ${taps.opened !== null && html`<${InTower} key=${taps.opened} ...${{ taps, spot: at[taps.opened] }} />`}
    <div class="by">
      ${taps.off.length > 0 && html`<${Off} ...${{ taps, players, options }} />`}
      <div class="noted"><ul class="notes" id="notes" tabindex="0" aria-label="Beside the board">${
        looked &&
        html`<li
          class="tapped">${described(looked)}${taps.chosen !== null && !possible.includes(looked) && `; ${open?.closed?.find((m) => m.to === looked.id && pieceOf(m) === taps.chosen)?.why ?? "what you chose does not go there"}`}</li>`
      }${news.map((text) => html`<li class="news">${text}</li>`)}${board.notes.map((note) => {
        const pile = pileOf(note, players);
        return pile
          ? html`<${Pile} ...${{ note, ...pile, colours }} />`
          : html`<${Note} ...${{ note, players }} />`;
      })}</ul></div>
    </div>
    <p class="unseen" role="status">${taps.chosen && taps.pieces.size > 1 ? goesTo(taps, options) : ""}</p>
    <ul class="unseen"
        id="on-board">${board.spots.filter((s) => s.pieces.length || s.coins).map((spot) => html`<li>${described(spot)}</li>`)}${byPlayer(match.lifted).map(([name, dice]) => html`<li>${textOf(name, dice)}</li>`)}</ul>
  </div>`;
}

/**
 * The board of a match as this screen draws it: its spots, and the part of the plane that they take.
 * @param {{ board: BoardView }} match
 */
function useLayout(match) {
  const board = useFolded(match.board);
  const drawn = laidOut(board);
  return { board, drawn, whole: extent(drawn) };
}

/** @typedef {{ can: string | null, does: string, levels: Level[], picked: string[], tap: (id: string) => void }} Tapped */

/** @type {Tapped} */
const NOT_TAPPED = { can: null, does: "", levels: [], picked: [], tap: () => {} };

/**
 * Everything that lies on a board. latest: the spots that were changed last. tapped: how a spot can be tapped, and what
 * is marked of it.
 * @param {{ match: Match, board: BoardView, drawn: DrawnSpot[], latest: Set<string>, tapped?: (spot: BoardSpot) => Tapped }} props
 */
function Drawing({ match: { players, lifted }, board, drawn, latest, tapped = () => NOT_TAPPED }) {
  const at = Object.fromEntries(board.spots.map((spot) => [spot.id, spot]));
  return html`<${Backdrop} board=${board} lifted=${lifted} />
    ${board.lines.map(
      ([a, b]) =>
        at[a] &&
        at[b] &&
        html`<line class="joined" x1=${at[a].x} y1=${at[a].y}
        x2=${at[b].x} y2=${at[b].y} />`,
    )}
    ${drawn.map(
      (each) => html`<${Spot} key=${each.spot.id} ...${{ ...each, players, ...tapped(each.spot) }}
        moved=${latest.has(each.spot.id)} />`,
    )}
    ${badges(drawn, { x: board.width / 2, y: board.height / 2 }).map(
      (each) => html`<${Coins} key=${`coins ${each.on} ${each.player}`} ...${each} players=${players} />`,
    )}`;
}

/**
 * A small board beside the picture of the tray, for players who plan while they wait. latest: the spots that were
 * changed last. open: shows the large board, as the button for it does.
 * @param {{ match: Match & { board: BoardView }, latest: Set<string>, open: () => void }} props
 */
export function Glance({ match, latest, open }) {
  const { board, drawn, whole } = useLayout(match);
  return html`<div class="glance" id="glance" data-look=${board.look} onClick=${open}>
    <svg viewBox=${`${whole.x} ${whole.y} ${whole.w} ${whole.h}`} role="img" aria-label="The board, small">
      <${Drawing} ...${{ match, board, drawn, latest }} /></svg></div>`;
}

/**
 * How a spot can be tapped: as the chosen piece, the chosen place, a place of the chosen piece, a piece, or a
 * place of any piece; null if it cannot.
 * @param {Taps} taps
 * @param {string} id
 */
function tapKind({ chosen, placed, pieces, places, shown, towers, opened }, id) {
  if (towers.has(id)) return opened === id ? "chosen" : "piece";
  if (chosen === `on ${id}` && shown.some((m) => !m.to)) return "piece"; // it is tapped itself
  if (chosen === `on ${id}` && pieces.size > 1) return "chosen";
  if (places.has(id)) return placed === id ? "placed" : chosen === null ? "perhaps" : "place";
  return pieces.has(`on ${id}`) && pieces.size > 1 ? "piece" : null;
}

/**
 * What a tap on the spot does, for screen readers.
 * @param {Taps} taps
 * @param {BoardSpot} spot
 * @param {Option[]} options
 */
function whatOf({ shown, pieces, towers }, spot, options) {
  const going = shown.filter((m) => m.to === spot.id || (m.piece === spot.id && !m.to));
  const there = going.map((m) => said(m, options)).join(", or ");
  return [
    described(spot),
    there,
    towers.has(spot.id) && "shows its dice to tap",
    pieces.has(`on ${spot.id}`) && !there && "can move",
  ]
    .filter(Boolean)
    .join("; ");
}

/**
 * Where the chosen piece can go, in words.
 * @param {Taps} taps
 * @param {Option[]} options
 */
const goesTo = ({ shown }, options) => `Chosen. ${shown.map((m) => said(m, options)).join("; ")}`;

/**
 * The way of a piece that comes to stand on another spot than the one it is put on.
 * @param {{ from: BoardSpot, to: BoardSpot }} props
 */
const GoesOn = ({ from, to }) =>
  html`<line class="goes-on" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y} />`;

/**
 * A note beside the board. A name at its start is the player's mark, if the player has a colour.
 * @param {{ note: string, players: Player[] }} props
 */
function Note({ note, players }) {
  const whose = players.find((p) => p.colour && note.startsWith(`${p.name}: `));
  if (!whose) return html`<li>${note}</li>`;
  const name = `${whose.name}: `;
  return html`<li><${Token} ...${whose} /><span class="unseen">${name}</span>${note.slice(name.length)}</li>`;
}

/**
 * The pieces and dice beside the board that can be put on it.
 * @param {{ taps: Taps, players: Player[], options: Option[] }} props
 */
function Off({ taps: { off, chosen, choose, shown }, players, options }) {
  return html`<div class="off" role="group" aria-label="To put on the board">${off.map(
    ([piece, { off: what }]) => {
      const goes = shown.filter((m) => pieceOf(m) === piece).map((m) => said(m, options));
      return html`<button class="face" data-off=${piece.slice(4)} aria-pressed=${chosen === piece}
        aria-label=${`${piece.slice(4)}: ${goes.join(", or ")}`} onClick=${() => choose(piece)}>${
          what && "face" in what
            ? html`<${Die} face=${what.face} colour=${what.colour} />`
            : what &&
              html`<svg viewBox="-10 -10 20 20" aria-hidden="true"><${Piece} piece=${what} players=${players}
                  x=${0} y=${0} r=${8.5} /></svg>`
        }</button>`;
    },
  )}</div>`;
}

/**
 * Every spot with its radius and its name. The name is inside the spot, or beside it with an anchor and a
 * position.
 * @param {BoardView} board
 * @returns {DrawnSpot[]}
 */
function laidOut({ width, height, spots }) {
  const letters = SCREEN.letters * Math.max(width / SCREEN.w, height / SCREEN.h);
  let nearest = Infinity;
  spots.forEach((a, i) =>
    spots.slice(0, i).forEach((b) => {
      nearest = Math.min(nearest, Math.hypot(a.x - b.x, a.y - b.y));
    }),
  );
  return spots.map((spot) => {
    const tower = spot.kind === "tower";
    const r = Math.max(LEAST_R, Math.min(tower ? MOST_TOWER : MOST_R, HALF_WAY * nearest));
    const within = tower
      ? wrapped(spot.text, Math.floor((1.9 * r) / (LETTER * letters)))
      : [spot.text].filter(Boolean);
    const fits = tower ? within.length * letters <= 2 * r : spot.text.length <= SHORT;
    const half = { x: width / 2, y: height / 2 };
    return {
      spot,
      r,
      letters,
      within: fits ? within : [],
      beside: spot.label ?? (fits ? null : beside(spot, r, letters, half)),
    };
  });
}

/**
 * A name beside its spot: left, right, above or below, on the side away from the middle of the board.
 * @param {BoardSpot} spot
 * @param {number} r
 * @param {number} letters
 * @param {{ x: number, y: number }} half
 * @returns {SpotName}
 */
function beside({ x, y, text }, r, letters, half) {
  const lines = wrapped(text, LINE_LENGTH);
  const out = { x: (x - half.x) / half.x, y: (y - half.y) / half.y };
  if (Math.abs(out.x) > 0.5) {
    const side = Math.sign(out.x);
    return {
      lines,
      anchor: side > 0 ? "start" : "end",
      x: x + side * 1.3 * r,
      y: y - ((lines.length - 1) / 2) * letters,
    };
  }
  return {
    lines,
    anchor: "middle",
    x,
    y: out.y < -0.5 ? y - r - letters * (lines.length - 0.4) : y + r + 0.7 * letters,
  };
}

/**
 * The area to draw, with a margin: names may reach beyond the board.
 * @param {DrawnSpot[]} drawn
 */
function extent(drawn) {
  const boxes = drawn.flatMap((each) => {
    const { spot, r } = each;
    const body = {
      left: spot.x - 1.2 * r,
      right: spot.x + 1.4 * r,
      top: spot.y - 1.2 * r,
      bottom: spot.y + 1.3 * r,
    };
    return [body, nameBox(each) ?? body];
  });
  const [x, y] = [Math.min(...boxes.map((b) => b.left)), Math.min(...boxes.map((b) => b.top))];
  return {
    x,
    y,
    w: Math.max(...boxes.map((b) => b.right)) - x,
    h: Math.max(...boxes.map((b) => b.bottom)) - y,
  };
}

/**
 * A spot and what is on it, in words.
 * @param {BoardSpot} spot
 */
function described({ id, kind, text, said, coins, pieces }) {
  if (kind === "tower") return `tower ${text}`;
  const lying = [
    ...pieces.map((p) => `${p.player} ${p.text}`.trim()),
    coins && (coins === 1 ? "one coin" : `${coins} coins`),
  ].filter(Boolean);
  const name = said || text || id;
  return `${/^\d+$/.test(name) ? `place ${name}` : name}: ${lying.join(", ") || "nothing"}`;
}

/**
 * moved: whether the last turn changed it. can: how it can be tapped. does: what a tap does, in words.
 * @param {DrawnSpot & { players: Player[], moved: boolean, can: string | null, does: string, tap: (id: string) => void, levels: Level[], picked: string[] }} props
 */
function Spot({ spot, r, letters, within, beside: name, players, moved, can, does, tap, levels, picked }) {
  const { x, y, kind, pieces } = spot;
  const tower = towerOf(spot);
  const button = can && {
    role: "button",
    tabindex: 0,
    "data-can": can,
    "aria-label": does,
    "aria-pressed": can === "chosen" || can === "placed" ? "true" : null,
    onKeyDown: (/** @type {KeyboardEvent} */ e) => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      tap(spot.id);
    },
  };
  const rings = can ? ["under", "can"] : moved ? ["under", "moved"] : [];
  const mark = html`<${Mark} ...${{ x, y, r, square: tower !== null, rings }} />`;
  if (tower)
    return html`<g data-spot=${spot.id} data-kind=${kind} ...${button}><${Tower} ...${{ ...tower, x, y, r, levels, picked }} />${mark}</g>`;
  const [fill, ink] = SPOT_COLOURS[kind] ?? SPOT_COLOURS.plain;
  // a short name makes room for a piece; several would be too small beside it
  const names = pieces.length > 1 ? [] : within;
  const aside = names.length > 0 && pieces.length > 0;
  const size =
    kind === "tower"
      ? letters
      : Math.min(aside ? 0.72 * r : 0.95 * r, (1.45 * r) / (LETTER * (within[0]?.length ?? 1)));
  const shape =
    kind === "tower" || kind === "gate" || kind === "home"
      ? html`<rect class="spot" x=${x - r} y=${y - r} width=${2 * r} height=${2 * r} rx=${r / 4} fill=${fill} />`
      : html`<circle class="spot" cx=${x} cy=${y} r=${r} fill=${fill} />`;
  return html`<g data-spot=${spot.id} data-kind=${kind} ...${button}>
    ${kind === "solar" && html`<${Sun} ...${{ x, y, r }} />`}
    ${shape}${mark}
    ${kind === "gate" && !within.length && !pieces.length && html`<${Stones} ...${{ x, y, r }} />`}
    ${names.map(
      (line, i) => html`<text x=${x}
        y=${aside ? y - 0.6 * r : y + (i - (within.length - 1) / 2) * letters} dy="0.36em" font-size=${size}
        font-weight="700" fill=${ink}>${line}</text>`,
    )}
    ${name?.lines.map(
      (line, i) => html`<text class="beside" x=${name.x} y=${name.y + i * letters} dy="0.36em"
        font-size=${letters} style=${{ textAnchor: name.anchor }}>${line}</text>`,
    )}
    ${packed(pieces.length, aside ? 0.72 * r : r).map(
      (place, i) => html`<${Piece}
        ...${{ piece: pieces[i], players }} x=${x + place.x} y=${y + (aside ? 0.3 * r : 0) + place.y}
        r=${place.r} />`,
    )}
  </g>`;
}

/**
 * The rings round what can be tapped or was moved, and an invisible disc as wide as a finger on every screen.
 * @param {{ x: number, y: number, r: number, square: boolean, rings: string[] }} props
 */
const Mark = ({
  x,
  y,
  r,
  square,
  rings,
}) => html`${rings.includes("can") && html`<circle class="finger" cx=${x} cy=${y} r="0.01" />`}
  ${rings.map((ring) =>
    square
      ? html`<rect class=${ring} x=${x - r} y=${y - r} width=${2 * r} height=${2 * r} rx=${r / 6} />`
      : html`<circle class=${ring} cx=${x} cy=${y} r=${r} />`,
  )}`;

/**
 * A piece shows the sign of its player's colour, for people who cannot tell colours apart, and the text of the game
 * up to its first comma; if that is too long, its first word or else its last; without a text, the first letter of its
 * player. A tap on the spot shows the full text.
 * @param {{ piece: BoardPiece, players: Player[], x: number, y: number, r: number }} props
 */
function Piece({ piece, players, x, y, r }) {
  const colour = players.find((p) => p.name === piece.player)?.colour ?? "grey";
  const written = piece.text.split(",")[0] || piece.player.slice(0, 1);
  const words = written.split(" ");
  const said = [written, words[0]].find((text) => text.length <= ON_PIECE) ?? words.at(-1) ?? "";
  return html`<g data-piece=${piece.player}><circle class="piece" cx=${x} cy=${y} r=${r} fill=${BODY[colour]} />
    <path class="of" d=${SIGNS[colour]} transform=${`translate(${x} ${y}) scale(${r / 9.6}) translate(-12 -12)`} fill=${inkOn(colour)} />
    <text x=${x} y=${y} dy="0.36em" font-size=${Math.min(1.25 * r, (2.6 * r) / said.length)} font-weight="800"
        fill=${inkOn(colour)}>${said}</text></g>`;
}

/**
 * Centres and radius of `count` equal circles inside a circle of radius r around (0, 0).
 * @param {number} count
 * @param {number} r
 */
function packed(count, r) {
  if (count === 1) return [{ x: 0, y: 0, r: 0.8 * r }];
  const sine = Math.sin(Math.PI / count);
  const each = (r * sine) / (1 + sine);
  return Array.from({ length: count }, (_, i) => {
    const turn = (2 * Math.PI * i) / count + Math.PI;
    return { x: (r - each) * Math.cos(turn), y: (r - each) * Math.sin(turn), r: each };
  });
}

/**
 * A text in lines of at most `length` letters. A longer word gets its own line.
 * @param {string} text
 * @param {number} length
 */
function wrapped(text, length) {
  return text.split(" ").reduce((lines, word) => {
    const last = lines.at(-1);
    if (last && `${last} ${word}`.length <= length) return [...lines.slice(0, -1), `${last} ${word}`];
    return [...lines, word];
  }, /** @type {string[]} */ ([]));
}

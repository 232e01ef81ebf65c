// Answers that people give by tapping the board: which pieces and places can be tapped, and what a tap means.
// The game lists the moves; nothing here knows a rule of it.
import { useEffect, useState } from "./vendor/preact-htm.js";

/** @import { DrawnSpot, Level, Match, Move, Option, Prompt, Taps, TapOnBoard } from "./types.d.ts" */

const FINGER = 24; // px: a tap this near to what can be tapped means it
const CORNER = Math.SQRT2; // from the middle of a spot to the corner of a square one, in radii

/**
 * The piece of a move: where it stands, or what it is if it comes from beside the board. "" for moves of no
 * piece.
 * @param {Move} move
 */
export const pieceOf = ({ piece, off }) =>
  piece ? `on ${piece}` : off ? `off ${"face" in off ? `${off.colour} ${off.face}` : off.text}` : "";

/**
 * The prompt of a match in one string. Its number is not enough: after a choice was taken back or a throw corrected,
 * another prompt can have the same one, and so can the prompt of another match.
 * @param {Match | null} match
 */
export const promptKey = (match) => JSON.stringify([match?.id, match?.at, match?.prompt]);

/**
 * State that belongs to one prompt: it is forgotten with the next one.
 * @template T
 * @param {string} key of promptKey()
 * @param {T} first
 * @returns {[T, (value: T) => void]}
 */
export function useInPrompt(key, first) {
  const [held, setHeld] = useState({ key, value: first });
  useEffect(() => setHeld((now) => (now.key === key ? now : { key, value: first })), [key]);
  return [held.key === key ? held.value : first, (value) => setHeld({ key, value })];
}

/** @type {{ tapped: string | null, which: Move[], placed: string | null, opened: string | null, picked: string[] }} */
const NOTHING = { tapped: null, which: [], placed: null, opened: null, picked: [] };

/**
 * What can be tapped on the board, and what is chosen. A piece is tapped first and only shows where it can go;
 * the place answers. A place to which one move leads needs no piece before it.
 * @param {Prompt | null} prompt open: it can be answered now
 * @param {string} key of promptKey(), also while the prompt is not open
 * @param {(move: Move) => void} make
 * @returns {Taps}
 */
export function useMoves(prompt, key, make) {
  const [{ tapped, which, placed, opened, picked }, setTaps] = useInPrompt(key, NOTHING);
  /** @param {Partial<typeof NOTHING>} change */
  const set = (change) => setTaps({ tapped, which: [], placed, opened: null, picked, ...change });
  const moves = prompt?.moves ?? [];
  const pieces = new Set(moves.map(pieceOf));
  // a lone piece needs no tap
  const chosen = pieces.size === 1 ? pieceOf(moves[0]) : pieces.has(tapped ?? "") ? tapped : null;
  const shown = chosen === null ? moves : moves.filter((m) => pieceOf(m) === chosen);

  const towers = towersOf(prompt);

  /**
   * Marks an item of a pick, or no longer. Where only one can be picked, it takes the place of the one before.
   * @param {string} item
   */
  function mark(item) {
    if (prompt?.kind !== "pick") return;
    const others = picked.filter((each) => each !== item);
    if (others.length < picked.length) set({ picked: others });
    else if (prompt.most === 1) set({ picked: [item] });
    else if (picked.length < prompt.most) set({ picked: [...picked, item] });
  }

  /** @param {Move[]} meant */
  function answer(meant) {
    set({ which: meant.length > 1 ? meant : [], placed: meant[0].to ?? null });
    if (meant.length === 1) make(meant[0]);
  }

  /** @param {string} piece */
  function choose(piece) {
    const alone = moves.filter((m) => pieceOf(m) === piece && !m.to);
    const goes = moves.some((m) => pieceOf(m) === piece && m.to);
    if (alone.length && (!goes || chosen === piece)) answer(alone);
    else set({ tapped: tapped === piece ? null : piece });
  }

  /**
   * Whether the tap on a spot means anything.
   * @param {string} id
   */
  function tap(id) {
    if (towers.has(id)) {
      set({ opened: opened === id ? null : id });
      return true;
    }
    const piece = `on ${id}`;
    const going = shown.filter((m) => m.to === id);
    if (chosen !== null && going.length) answer(going);
    else if (pieces.has(piece)) choose(piece);
    else if (going.length) answer(going);
    else {
      if (which.length || opened) set({});
      return false;
    }
    return true;
  }

  return {
    chosen,
    placed,
    which,
    shown,
    tap,
    choose,
    select: (piece) => set({ tapped: piece }),
    answer: (move) => answer([move]),
    off: [...new Map(moves.filter((m) => m.off).map((m) => [pieceOf(m), m]))],
    pieces,
    places: new Set(shown.flatMap((m) => m.to ?? [])),
    picked,
    mark,
    towers,
    opened,
  };
}

/**
 * The items of a pick that stand in each tower, the highest first.
 * @param {Prompt | null} prompt
 */
function towersOf(prompt) {
  /** @type {Map<string, Level[]>} */
  const towers = new Map();
  for (const each of (prompt?.kind === "pick" && prompt.levels) || [])
    towers.set(
      each.spot,
      [...(towers.get(each.spot) ?? []), each].sort((a, b) => b.level - a.level),
    );
  return towers;
}

/**
 * A move in words: the text of its option, or the bid.
 * @param {Move} move
 * @param {Option[]} options
 */
export const said = ({ choose, bid }, options) =>
  bid
    ? `${bid.count} of ${bid.faces.length > 1 ? `${bid.faces[0]} to ${bid.faces.at(-1)}` : bid.faces[0]}`
    : (options.find((o) => o.id === choose)?.text ?? "");

/**
 * The spot that a tap means: the nearest one that can be tapped within a finger's width, otherwise the one under
 * the finger; null if the tap is beside all of them. Where fingers' widths overlap, the nearest is meant.
 * @param {TapOnBoard} event
 * @param {DrawnSpot[]} drawn
 * @param {(id: string) => boolean} canBeTapped
 */
export function spotOf(event, drawn, canBeTapped) {
  const screen = event.currentTarget.querySelector("svg")?.getScreenCTM();
  if (!screen || !event.detail) return event.target.closest("[data-spot]")?.getAttribute("data-spot") ?? null; // by a key, or a screen reader
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
  const near = drawn
    .map(({ spot, r }) => ({ id: spot.id, r, far: Math.hypot(spot.x - x, spot.y - y) }))
    .sort((a, b) => a.far - b.far);
  const meant = near.find(({ id }) => canBeTapped(id));
  if (meant && (meant === near[0] || meant.far * screen.a <= FINGER) && within(meant, screen.a))
    return meant.id;
  return near[0]?.far <= CORNER * near[0]?.r ? near[0].id : null;
}

/**
 * @param {{ r: number, far: number }} spot
 * @param {number} scale px of a hundredth of the board
 */
const within = ({ r, far }, scale) => far * scale <= Math.max(FINGER, CORNER * r * scale);

// Boards for fingers: a tap among spots that lie nearer to each other than a finger is wide shows that part of the
// board larger, and the next tap means one of them.
import { useInPrompt } from "./moves.js";

/** @import { BoardPart, Room, Spot, TapOnBoard, ZoomedBoard } from "./types.d.ts" */

const APART = 44; // px between the middles of two spots that a finger can tell apart
const ROOM = 48; // px between them once they are enlarged
const MOST = 6; // times
const MARGIN = 16; // px that stay free below an enlarged board
const BUTTON = 130; // px from a corner to the far end of the button there, and a finger

/**
 * The part of the board that is shown. It stays enlarged for one prompt, as long as everything that can be tapped
 * next lies in it or nothing else was chosen.
 * @param {BoardPart} whole
 * @param {Spot[]} possible what can be tapped
 * @param {{ key: string, chosen: string | null }} now the prompt as promptKey() has it, and the piece that is chosen
 * @returns {ZoomedBoard}
 */
export function useZoom(whole, possible, { key, chosen }) {
  const [last, setLast] = useInPrompt(
    key,
    /** @type {{ part: BoardPart, room: Room, chosen: string | null } | null} */ (null),
  );
  const fits = last !== null && possible.every((spot) => isIn(last.part, spot));
  const zoomed = last !== null && (last.chosen === chosen || fits);

  /**
   * Enlarges the board for a tap that means a spot, if it is too near to another one. False if it is not.
   * @param {TapOnBoard} event
   * @param {string | null} id
   */
  function enlarge(event, id) {
    const spot = possible.find((each) => each.id === id);
    const drawing = event.currentTarget.querySelector("svg");
    const scale = drawing?.getScreenCTM()?.a;
    if (!spot || !drawing || !scale || !byFinger(event)) return false;
    const gaps = possible.filter((each) => each !== spot).map((each) => apart(spot, each));
    if (Math.min(...gaps) * scale >= APART) return false;
    const larger = Math.min(MOST, ROOM / (leastGap(possible) * scale)) * scale;
    const room = roomOf(event.currentTarget, drawing);
    const w = Math.min(whole.w, room.width / larger);
    const part = around(spot, whole, w, Math.min(whole.h, (w * room.height) / room.width));
    setLast({ part, room, chosen });
    return true;
  }

  return {
    part: zoomed ? last.part : whole,
    leave: zoomed
      ? { back: () => setLast(null), style: placeOfButton(last.part, possible, last.room) }
      : null,
    enlarge,
  };
}

/**
 * Whether a finger tapped. A key or a screen reader presses one spot alone, and a mouse is exact.
 * @param {TapOnBoard} event
 */
export function byFinger({ detail, pointerType }) {
  if (!detail) return false;
  return pointerType ? pointerType === "touch" : matchMedia("(pointer: coarse)").matches;
}

/**
 * @param {Pick<Spot, "x" | "y">} a
 * @param {Pick<Spot, "x" | "y">} b
 */
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param {Spot[]} spots */
const leastGap = (spots) => Math.min(...spots.flatMap((a, i) => spots.slice(0, i).map((b) => apart(a, b))));

/**
 * The part of the board of this size, with the spot as near to its middle as the edges of the board allow.
 * @param {Spot} spot
 * @param {BoardPart} whole
 * @param {number} w
 * @param {number} h
 * @returns {BoardPart}
 */
const around = ({ x, y }, whole, w, h) => ({
  x: Math.min(Math.max(x - w / 2, whole.x), whole.x + whole.w - w),
  y: Math.min(Math.max(y - h / 2, whole.y), whole.y + whole.h - h),
  w,
  h,
});

/**
 * @param {BoardPart} part
 * @param {Spot} spot
 */
const isIn = ({ x, y, w, h }, spot) => spot.x >= x && spot.x <= x + w && spot.y >= y && spot.y <= y + h;

/**
 * The place of the button that shows the whole board again, as a style: the corner that is farthest from all spots
 * that can be tapped, or below the drawing if it would cover one in every corner.
 * @param {BoardPart} part
 * @param {Spot[]} possible
 * @param {Room} room
 */
function placeOfButton({ x, y, w, h }, possible, { left, top, width }) {
  const scale = width / w;
  const corners = [
    { x, y, style: `left: ${left}px; top: ${top}px` },
    { x: x + w, y, style: `left: ${left + width}px; top: ${top}px; translate: -100%` },
    { x, y: y + h, style: `left: ${left}px; top: ${top + h * scale}px; translate: 0 -100%` },
    {
      x: x + w,
      y: y + h,
      style: `left: ${left + width}px; top: ${top + h * scale}px; translate: -100% -100%`,
    },
  ].map((corner) => ({ ...corner, free: Math.min(...possible.map((spot) => apart(spot, corner))) * scale }));
  const freest = corners.reduce((a, b) => (b.free > a.free ? b : a));
  return freest.free > BUTTON ? freest.style : `left: ${left}px; top: ${top + h * scale}px`;
}

/**
 * The room for an enlarged board, in px of its frame: where the drawing is, and below it as far as nothing else is.
 * @param {Element} frame
 * @param {Element} drawing
 * @returns {Room}
 */
function roomOf(frame, drawing) {
  const [outer, inner] = [frame.getBoundingClientRect(), drawing.getBoundingClientRect()];
  const lowest = [...frame.querySelectorAll(".off, .notes")].map((e) => e.getBoundingClientRect().bottom);
  const below = Math.max(0, outer.bottom - Math.max(inner.bottom, ...lowest) - MARGIN);
  return {
    left: inner.left - outer.left,
    top: inner.top - outer.top,
    width: inner.width,
    height: inner.height + below,
  };
}

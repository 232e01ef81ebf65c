// Which places of the board the last turn changed, so that the others see what was moved.
import { useRef } from "./vendor/preact-htm.js";

/** @import { BoardView } from "./types.d.ts" */

/**
 * The ids of the spots that pieces left or came to in the last turn that changed any; none until this screen has
 * seen a change.
 * @param {BoardView | null} board
 * @param {string} player whose turn it is
 * @returns {Set<string>}
 */
export function useLatest(board, player) {
  const last = useRef({
    standing: new Map(),
    player,
    turn: 0,
    changedIn: -1,
    changed: /** @type {Set<string>} */ (new Set()),
  });
  const before = last.current;
  const standing = new Map(board?.spots.map((spot) => [spot.id, JSON.stringify(spot.pieces)]));
  const known = [...standing.keys()].every((id) => before.standing.has(id)); // of the same board
  const changes = known
    ? [...standing.keys()].filter((id) => before.standing.get(id) !== standing.get(id))
    : [];
  last.current = {
    standing,
    player,
    turn: before.turn + (player === before.player ? 0 : 1),
    // a change that comes together with the next player's turn belongs to the turn before
    changedIn: changes.length > 0 ? before.turn : before.changedIn,
    changed: !known
      ? new Set()
      : changes.length > 0
        ? new Set([...(before.changedIn === before.turn ? before.changed : []), ...changes])
        : before.changed,
  };
  return last.current.changed;
}

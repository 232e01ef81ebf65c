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
  let { changedIn, changed } = before;
  if (!known) changed = new Set();
  else if (changes.length > 0) {
    changed = new Set([...(changedIn === before.turn ? changed : []), ...changes]);
    changedIn = before.turn; // even if the next player's turn comes together with the change
  }
  last.current = {
    standing,
    player,
    turn: before.turn + (player === before.player ? 0 : 1),
    changedIn,
    changed,
  };
  return changed;
}

// A flat board on a phone held upright: a river of rows half as long, so that its squares are as large as a finger.
import { useUpright } from "./upright.js";

/** @import { BoardView } from "./types.d.ts" */

/**
 * The board as it is drawn on this screen.
 * @param {BoardView} board
 * @returns {BoardView}
 */
export function useFolded(board) {
  const upright = useUpright();
  return upright && board.look === "river" ? folded(board) : board;
}

/**
 * The squares of a river, which are listed from its spring to the sea, in rows half as long. Every second row runs
 * backwards, so that the river never jumps.
 * @param {BoardView} board
 * @returns {BoardView}
 */
function folded(board) {
  const { spots } = board;
  const columns = Math.ceil(spots.filter((spot) => spot.y === spots[0].y).length / 2);
  const rows = Math.ceil(spots.length / columns);
  const square = 100 / Math.max(columns, rows);
  return {
    ...board,
    width: columns * square,
    height: rows * square,
    spots: spots.map((spot, i) => {
      const [row, place] = [Math.floor(i / columns), i % columns];
      const column = row % 2 ? columns - 1 - place : place;
      return { ...spot, x: (column + 0.5) * square, y: (row + 0.5) * square };
    }),
  };
}

// What stands in a box of the sheet.
/** @import { SheetLine } from "./types.d.ts" */

/**
 * The content of a box of the sheet: the text of the game, or the points.
 * @param {SheetLine} line
 */
export const cellText = (line) =>
  `${line.value ?? line.points.toLocaleString("en")}${line.typed ? " ✎" : ""}`;

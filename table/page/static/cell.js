// Points, and what stands in a box of the sheet.
/** @import { Match, SheetLine } from "./types.d.ts" */

/**
 * Points with a minus sign, which is as wide as a figure: a hyphen is too short to be seen from two metres.
 * @param {number} points
 * @param {number} digits after the point, at most
 */
export const pointsText = (points, digits = 0) =>
  withMinus(points.toLocaleString("en", { maximumFractionDigits: digits }));

/**
 * The noun that follows a score, such as “lives”; "" for points, which have none.
 * @param {number} score
 * @param {Match} match
 */
export const counted = (score, { scores_count }) => scores_count?.[score === 1 ? 0 : 1] ?? "";

/**
 * The text with a minus sign in place of the hyphen of a number at its beginning.
 * @param {string} text
 */
const withMinus = (text) => text.replace(/^-(?=[0-9])/, "−");

/**
 * The content of a box of the sheet: the text of the game, or the points.
 * @param {SheetLine} line
 */
export const cellText = (line) =>
  `${withMinus(line.value ?? line.points.toLocaleString("en"))}${line.typed ? " ✎" : ""}`;

/**
 * Whether a ruling of the same moment tells the score already: the game says so, or it names the player, and gives
 * the reason unless the score is 0.
 * @param {SheetLine} line
 * @param {Pick<Match, "players" | "rulings">} match
 */
export const isRuled = ({ at, player, points, reason, told }, { players, rulings }) =>
  told ||
  rulings.some(
    ({ at: then, text }) =>
      then === at &&
      (points === 0 || (reason !== "" && text.includes(reason))) &&
      isNamed(player, players, text),
  );

/**
 * Whether the text has the whole name, and not as a part of a longer word or of another player's name.
 * @param {string} name
 * @param {Match["players"]} players
 * @param {string} text
 */
function isNamed(name, players, text) {
  const longer = players.filter((other) => other.name !== name && other.name.includes(name));
  const without = longer.reduce((rest, other) => rest.replaceAll(other.name, " "), text);
  const [first, ...others] = without.split(name);
  return others.some(
    (after, i) => !/[\p{L}\p{N}]$/u.test(others[i - 1] ?? first) && !/^[\p{L}\p{N}]/u.test(after),
  );
}

// The same game once more.
import { detailsOf } from "./details.js";

/** @import { Match, Send } from "./types.d.ts" */

/**
 * Starts the same game with the same players. The rules say who begins; carried stakes stay.
 * @param {Match} match
 * @param {Send} send
 */
export async function playAgain(match, send) {
  const known = new Set((await detailsOf(match.game)).settings.map((s) => s.name));
  const settings = Object.fromEntries(
    Object.entries(match.settings)
      .filter(([k]) => known.has(k))
      .map(([k, v]) => [k, String(v)]),
  );
  if (match.next_first) settings.start = match.next_first;
  if ("carried" in settings) settings.carried = String(match.carried);
  return send("start", { game: match.game, players: match.players, settings });
}

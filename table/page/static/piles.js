// A player's pile of dice beside the board, drawn: how many of each colour.
import { html } from "./vendor/preact-htm.js";
import { BODY, inkOn } from "./dice.js";
import { Sign, Token } from "./players.js";

/** @import { Player } from "./types.d.ts" */

const PILE = /^(?:(.+)'s pile|(Out of the round)): (.+)$/;
const COUNT = /(\d+) (\w+)/g;

/**
 * Whose pile a note lists, and its dice; null if the note says something else.
 * @param {string} note
 * @param {Player[]} players
 * @returns {{ player: Player | undefined, counts: { colour: string, n: string }[] } | null}
 */
export function pileOf(note, players) {
  const found = note.match(PILE);
  if (!found) return null;
  const player = players.find((p) => p.name === found[1]);
  if (found[1] && !player) return null;
  return { player, counts: [...found[3].matchAll(COUNT)].map(([, n, colour]) => ({ n, colour })) };
}

/**
 * The pile as a row: the player's mark, then a tile with the number of dice of each colour and its sign. Piles below one
 * another have the same columns. note: the same in words. colours: of all piles.
 * @param {{ note: string, player: Player | undefined, counts: { colour: string, n: string }[], colours: string[] }} props
 */
export function Pile({ note, player, counts, colours }) {
  const count = new Map(counts.map(({ n, colour }) => [colour, n]));
  return html`<li class="pile"><span class="unseen">${note}</span><span class="row" aria-hidden="true">${
    player ? html`<${Token} colour=${player.colour} />` : "out"
  }${(counts.length ? colours : []).map(
    (colour) =>
      html`<b data-none=${count.has(colour) ? null : ""} style=${{ background: BODY[colour], color: inkOn(colour) }}>${count.get(colour) ?? 0}<${Sign} colour=${colour} /></b>`,
  )}${counts.length === 0 && "empty"}</span></li>`;
}

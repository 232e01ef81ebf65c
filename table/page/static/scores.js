// The scoreboard along the edge of the table.
import { html } from "./vendor/preact-htm.js";
import { counted, pointsText } from "./cell.js";
import { GamesWon, Token, celebrated, seated } from "./players.js";

/** @import { Match } from "./types.d.ts" */

const FEW = 4; // players whose scores are shown in the largest type

/** @param {{ match: Match }} props */
export function Scores({ match }) {
  const { players, scores, prompt, board } = match;
  const winners = celebrated(match);
  return html`<ul class="scores" id="scores" aria-label="Scores" data-many=${players.length > FEW}
      style=${{ "--players": players.length, "--in-a-row": Math.ceil(players.length / Math.ceil(players.length / 5)) }}>
    ${seated(match).map(
      (p) => html`<li data-player=${p.name}
        class=${p.name === prompt?.player ? "now" : winners.includes(p.name) ? "won" : ""}
        aria-current=${p.name === prompt?.player ? "true" : null}>
      <${Token} colour=${p.colour} second=${p.second} />
      <span class="name">${winners.includes(p.name) && html`<span class="star" role="img" aria-label="winner">★</span>`}${p.name}</span>
      ${board?.progress && html`<${Arrived} ...${board.progress[p.name]} />`}
      <b class="points"><${GamesWon} won=${match.games_won[p.name]} />${pointsText(scores[p.name])}${match.scores_count && html` <small>${counted(scores[p.name], match)}</small>`}</b></li>`,
    )}
  </ul>`;
}

/**
 * How many of a player's pieces have arrived.
 * @param {{ count: number, of: number, what: string }} props
 */
const Arrived = ({ count, of, what }) =>
  html`<span class="arrived"><span class="unseen">${count} of ${of} ${what}</span><span aria-hidden="true">${count}/${of} ${what}</span></span>`;

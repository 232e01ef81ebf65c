// The end of a match: the winners, and how far the others came. The band says how.
import { html } from "./vendor/preact-htm.js";
import { pointsText } from "./cell.js";
import { DayStrip } from "./day.js";
import { Token } from "./players.js";
import { BODY } from "./dice.js";

/** @import { Match } from "./types.d.ts" */

const MOST_WINNERS = 3; // winners who are shown in the largest type

/** @param {{ match: Match }} props */
export function Ending({ match }) {
  const { players, scores, winners } = match;
  const rows = [...players].sort(
    (a, b) =>
      Number(winners.includes(b.name)) - Number(winners.includes(a.name)) || scores[b.name] - scores[a.name],
  );
  const best = Math.max(1, ...players.map((p) => scores[p.name]));
  return html`<div class="ending" id="ending">
    <ol class="finish" aria-label="How they finished" data-many=${rows.length > 5 ? "" : null}
        data-shared=${winners.length > MOST_WINNERS ? "" : null}>
      ${rows.map(
        (p) => html`<li class=${winners.includes(p.name) ? "won" : ""}>
          <${Token} colour=${p.colour} second=${p.second} />
          <span class="name">${winners.includes(p.name) && html`<span role="img" aria-label="winner">★</span> `}${p.name}</span>
          <b class="points">${pointsText(scores[p.name])}</b>
          <span class="bar" style=${{ "--share": Math.max(0, scores[p.name]) / best, "--body": BODY[p.colour ?? "yellow"] }}></span>
        </li>`,
      )}
    </ol>
    ${match.programme && html`<${DayStrip} match=${match} />`}
  </div>`;
}

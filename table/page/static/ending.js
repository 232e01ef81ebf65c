// The end of a match: the winners, or the one who lost, in their colour, how far the others came, and what people will tell of it.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { counted, pointsText } from "./cell.js";
import { DayStrip } from "./day.js";
import { BODY, inkOn } from "./dice.js";
import { RETRY_MS, styled } from "./later.js";
import { GamesWon, SIGNS, Token, celebrated } from "./players.js";
import { highlightsOf } from "./table.js";

/** @import { Highlight, Match, Player } from "./types.d.ts" */

const ONE_LINE = 12; // letters of a name
const MOST_NAMED = 2; // who share a highlight; more are counted instead
const MOST_WINNERS = 3; // winners who are shown in the largest type

await styled("ending.css", import.meta.url);

/**
 * number: of the snapshot.
 * @param {{ match: Match, number: number }} props
 */
export function Ending({ match, number }) {
  const { players, scores } = match;
  const winners = celebrated(match);
  const won = (/** @type {Player} */ p) => winners.includes(p.name);
  const rows = [...players].sort(
    (a, b) => Number(won(b)) - Number(won(a)) || rankOf(a.name, match) - rankOf(b.name, match),
  );
  const best = Math.max(...players.map((p) => scores[p.name]));
  const shared = winners.length > MOST_WINNERS;
  const loser = shared && winners.length === rows.length - 1 ? rows.at(-1) : undefined; // a game for one who loses
  if (loser) rows.unshift(...rows.splice(-1));
  const large = loser ? 1 : shared ? 0 : winners.length;
  return html`<div class="ending" id="ending">
    <ol class="finish" aria-label="How they finished" data-many=${rows.length - large > 4 ? "" : null}
        data-shared=${shared ? "" : null} data-joint=${large > 1 ? "" : null} style=${{ "--large": large || null }}>
      ${rows.map(
        (
          p,
        ) => html`<${Finish} key=${p.name} player=${p} won=${won(p)} large=${p === loser || (won(p) && !shared)}
          points=${scores[p.name]} unit=${counted(scores[p.name], match)} games=${match.games_won[p.name]} prize=${match.prizes[p.name]} share=${best > 0 ? Math.max(0, scores[p.name]) / best : null} rank=${rankOf(p.name, match)} />`,
      )}
    </ol>
    ${match.programme && html`<${DayStrip} match=${match} />`}
    <${Highlights} ...${{ match, number }} />
  </div>`;
}

/**
 * The place of a player who has not won: behind all winners, all with more points, and all who went out later.
 * @param {string} name
 * @param {Match} match
 */
function rankOf(name, match) {
  const { players, scores } = match;
  const winners = celebrated(match);
  const outlasts = (/** @type {string} */ other) =>
    scores[other] > scores[name] ||
    (scores[other] === scores[name] && outAt(other, match) > outAt(name, match));
  return 1 + players.filter((p) => winners.includes(p.name) || outlasts(p.name)).length;
}

/**
 * When a player lost the last die, or the last life: the number of the answer. Never, where nobody begins with any.
 * @param {string} name
 * @param {Match} match
 */
function outAt(name, { scores, sheet }) {
  const own = sheet.filter((line) => line.player === name);
  return !scores[name] && own.some((line) => line.row === 0)
    ? Math.max(...own.map((line) => line.at))
    : Infinity;
}

/**
 * How many letters each line of a name on a poster has, with the star; long names take two lines.
 * @param {string} name
 */
function lettersOf(name) {
  const words = name.split(/[\s-]/).map((word) => word.length);
  if (name.length <= ONE_LINE || words.length < 2) return { "--lines": 1, "--letters": name.length + 2 };
  return { "--lines": 2, "--letters": 3 + Math.max(...words, Math.ceil(name.length / 2)) };
}

/**
 * large: it is shown as a poster. unit: what the points are, if they are none. games: of the match, that they won. prize: what the player won, if there is
 * more than one prize. share: of the longest bar; null where nobody has points, and something else decided.
 * @param {{ player: Player, won: boolean, large: boolean, points: number, unit: string, games: number | undefined, prize: string | undefined, share: number | null, rank: number }} props
 */
function Finish({ player: { name, colour, second }, won, large, points, unit, games, prize, share, rank }) {
  const body = BODY[colour ?? "yellow"];
  const told = html`${pointsText(points)}${unit && html` <small>${unit}</small>`}`;
  const star = won && html`<span role="img" aria-label="winner">★</span> `;
  if (large)
    return html`<li class=${won ? "won poster" : "poster"} data-clan=${second ? "" : null}
        style=${{ "--body": body, "--second": BODY[second ?? ""], "--ink": inkOn(colour ?? "yellow"), ...lettersOf(name) }}>
      <div class="inside">
        <svg class="sign" viewBox="3 3 18 18" aria-hidden="true"><path d=${SIGNS[colour ?? "yellow"]} /></svg>
        <span class="name">${star}${name}</span>
        ${won ? html`<b class="points">${share === null ? "wins" : told}${prize && html`<small class="prize">${prize}</small>`}</b>` : html`<b class="points">loses</b>`}
      </div></li>`;
  return html`<li class=${won ? "won" : ""}>
    <span class="rank">${won ? star : rank}</span>
    <${Token} colour=${colour} second=${second} />
    <span class="name">${name}</span>
    <b class="points"><${GamesWon} won=${games} />${told}</b>
    ${share !== null && html`<span class="bar" style=${{ "--share": share, "--body": body }}></span>`}
  </li>`;
}

/**
 * The highlights: first what players did, then what all did together. Large screens have room to show how.
 * @param {{ match: Match, number: number }} props
 */
function Highlights({ match, number }) {
  const [told, setTold] = useState(/** @type {Highlight[]} */ ([]));
  useEffect(() => {
    let late = false;
    let timer = 0;
    const load = async () => {
      const answer = await highlightsOf();
      if (late) return;
      if (answer.error) timer = setTimeout(load, RETRY_MS);
      else setTold(answer.highlights);
    };
    load();
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [number]);
  return html`<ul class="highlights" aria-label="Highlights">${told.map(
    ({ title, value, player, text, shared }) => {
      const many = shared.length > MOST_NAMED;
      const by = many ? [] : match.players.filter((p) => p.name === player || shared.includes(p.name));
      const who = many ? `${shared.length} share it` : (player ?? text);
      return html`<li class=${who ? "own" : "all"}>
      <span class="title">${title}</span> <b>${value}</b>
      ${who && html`<span class="by">${by.map((p) => html`<${Token} colour=${p.colour} second=${p.second} />`)}<span class="name">${who}</span></span>`}
      ${(player || many) && text && html` <small class=${player ? "how unseen" : "unseen"}>${text}</small>`}
    </li>`;
    },
  )}</ul>`;
}

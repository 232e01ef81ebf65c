// What the coach says: the odds of a prompt, best play, and what was luck. It is loaded once somebody has switched it on.
import { html } from "./vendor/preact-htm.js";
import { pointsText } from "./cell.js";
import { chance } from "./coach.js";
import { unbroken } from "./states.js";

/** @import { Account, BestPlay, Coaching, Odds, ValuedAnswer } from "./types.d.ts" */

/** @param {number} value */
const points = (value) => `${pointsText(value, Math.abs(value) < 100 ? 1 : 0)} points`;

/**
 * The odds and best play. kept: the faces that are marked to be kept. accounted: the match is over, and its
 * account takes a moment.
 * @param {{ odds: Odds[], coaching: Coaching | null, kept: number[], accounted: boolean }} props
 */
export function Coach({ odds, coaching, kept, accounted }) {
  const best = coaching?.best_play;
  const accounts = coaching?.accounts ?? [];
  const awaited = accounted && !coaching;
  if (!odds.length && !best && !accounts.length && !awaited) return null;
  return html`<section class="coach" id="coach" aria-label="Coach" tabindex="0">
    ${awaited && html`<p>One moment …</p>`}
    ${best && html`<p id="best-play" role="status">${unbroken(bestPlay(best, kept))}</p>`}
    ${odds.length > 0 && html`<dl>${odds.map((o) => html`<div><dt>${o.text}</dt><dd>${o.points ? points(o.value) : chance(o.value)}</dd></div>`)}</dl>`}
    ${accounts.length > 0 && html`<${ShortAccounts} accounts=${accounts} />`}</section>`;
}

/**
 * Best play in one line: "Best: throw again, for the chance to win: 54.6 %. Hold 5 costs 4.0 %.", or "Best: throw six
 * dice. The points of a turn, on average: 1,944 points. Stop with 1,500 costs 444 points."
 * @param {BestPlay} play
 * @param {number[]} kept
 */
function bestPlay({ aim, points: inPoints, worth, answers }, kept) {
  const [best, ...others] = answers;
  const aimed = `${aim}: ${amount(worth, inPoints)}`;
  const sentence = `${aimed.charAt(0).toUpperCase()}${aimed.slice(1)}`;
  if (!best) return `${sentence} with best play.`;
  const told = best.keep ? marked(answers, kept) : others.slice(0, MOST_TOLD);
  const costs = told
    .map((a) => `${best.keep ? "yours" : a.text} costs ${amount(a.costs, inPoints)}`)
    .join("; ");
  const what = inPoints ? `${best.text}. ${sentence}` : `${best.text}, for ${aimed}`;
  return `Best: ${what}.${costs && ` ${costs.charAt(0).toUpperCase()}${costs.slice(1)}.`}`;
}

const MOST_TOLD = 2; // other options whose cost fits in the line

/**
 * The answer that keeps the marked dice, if it is allowed.
 * @param {ValuedAnswer[]} answers
 * @param {number[]} kept
 */
function marked(answers, kept) {
  const wanted = [...kept].sort().join();
  return kept.length ? answers.filter((a) => a.keep && [...a.keep].sort().join() === wanted) : [];
}

/**
 * Points, or a chance in percent.
 * @param {number} value
 * @param {boolean} inPoints
 */
const amount = (value, inPoints) => (inPoints ? points(value) : `${(100 * value).toFixed(1)} %`);

/**
 * Points, or a chance in percent, with its sign.
 * @param {Account} account
 * @param {number} value
 */
const signed = ({ points: inPoints }, value) => {
  const size = Math.abs(value);
  return `${value < 0 ? "−" : "+"}${inPoints ? pointsText(size, size < 100 ? 1 : 0) : `${(100 * size).toFixed(1)} %`}`;
};

/**
 * What was luck and what was choice, a line each. Points of one aim speak for themselves beside a chance.
 * @param {{ accounts: Account[] }} props
 */
function ShortAccounts({ accounts }) {
  const aims = (/** @type {Account[]} */ some) => new Set(some.map((a) => a.aim)).size;
  const mixed = aims(accounts) > 1;
  const named = mixed && aims(accounts.filter((a) => a.points)) !== 1;
  /** @param {Account} a */
  const name = (a) => (named || (mixed && !a.points) ? `${a.player}, ${a.aim}` : a.player);
  const inChances = !mixed && !accounts[0].points;
  return html`${inChances && html`<p>How luck and choices moved ${accounts[0].aim}:</p>`}
    <ul id="short-accounts">${accounts.map(
      (a) =>
        html`<li>${name(a)}: luck ${signed(a, a.luck)}, choices ${signed(a, a.choices)}${a.points && " points"}</li>`,
    )}</ul>`;
}

/**
 * What made each result, for the sheet: what best play expected, luck, and choices. They add up to it.
 * @param {{ accounts: Account[] }} props
 */
export function Accounts({ accounts }) {
  const others = accounts.some((a) => a.others);
  return html`<h3>Luck and choice</h3>
    <div class="wide"><table id="accounts"><thead><tr><th scope="col">Player</th><th scope="col">Best play</th><th
      scope="col">Luck</th><th scope="col">Choices</th>${others && html`<th scope="col">The other’s choices</th>`}<th
      scope="col">Result</th></tr></thead>
    <tbody>${accounts.map(
      (a) => html`<tr><th scope="row">${a.player}</th>
      <td>${amount(a.expected, a.points)} <small>${a.points ? "in the turns for points" : a.aim}</small></td><td>${signed(a, a.luck)}</td><td>${signed(a, a.choices)}</td>${
        others && html`<td>${signed(a, a.others)}</td>`
      }<td><b>${amount(a.result, a.points)}</b></td></tr>`,
    )}</tbody></table></div>
    <p class="hint">What best play expects before the first throw, with the luck of the dice and what choices cost, is the result.</p>`;
}

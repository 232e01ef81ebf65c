// The matches that were played at this table: each has its sheet.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { matches, matchOf } from "./table.js";

/** @import { ListedMatch, LoggedMatch, SetNotice } from "./types.d.ts" */

const MANY = 40; // matches that are listed at first: some evenings

/**
 * shown: the number of the match whose sheet is shown. show: shows the sheet of another one. reveal: whether to
 * scroll to the list once it is there.
 * @param {{ shown: number | null, show: (match: LoggedMatch) => void, reveal: { current: boolean }, setNotice: SetNotice }} props
 */
export function Earlier({ shown, show, reveal, setNotice }) {
  const [list, setList] = useState(/** @type {ListedMatch[] | null} */ (null));
  const [all, setAll] = useState(false);
  useEffect(() => {
    matches().then((answer) =>
      answer.error ? setNotice(answer.error, answer.lost) : setList(answer.matches),
    );
  }, []);
  const top = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!list || !reveal.current) return;
    reveal.current = false;
    top.current?.scrollIntoView({ block: "nearest" });
  }, [list]);
  /** @param {number} number */
  async function open(number) {
    const answer = await matchOf(number);
    if (answer.error) setNotice(answer.error, answer.lost);
    else show(answer.match);
  }
  if (!list) return html`<p>One moment …</p>`;
  return html`<ul class="matches" ref=${top}>${(all ? list : list.slice(0, MANY)).map(
    (each) => html`<li key=${each.match}><button class="choice quiet" data-match=${each.match}
      aria-current=${each.match === shown ? "true" : null} onClick=${() => open(each.match)}><b>${each.title}</b>
      <span>${each.players.join(", ")}</span> <small>${when(each.started)}</small></button></li>`,
  )}</ul>
  ${!all && list.length > MANY && html`<button class="choice quiet" id="all-matches" onClick=${() => setAll(true)}>All ${list.length} games</button>`}`;
}

/** @param {string} started */
const when = (started) =>
  new Date(started).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });

// The page: draws the whole view from one snapshot. State that is not in the snapshot (a selection, an open
// dialog) is kept here.
import { html, render, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { act, follow, games as fetchGames, lastMatch } from "./table.js";
import { BODY, inkOn } from "./dice.js";
import { useKeptFocus } from "./focus.js";
import { Head, SETTING_UP } from "./head.js";
import { useHeard } from "./heard.js";
import { later, laterView } from "./later.js";
import { Notice } from "./notice.js";
import { Play } from "./play.js";
import { useSounds } from "./sounds.js";
import { CALM } from "./states.js";
import { reloadIfOld } from "./upgrade.js";
import { useView } from "./views.js";

/** @import { Asking as Asked, Games, LoggedMatch, Notice as NoticeText, Page, Send, Snapshot, View } from "./types.d.ts" */

/**
 * Loads what the arrow keys do, at the first press of any key: most screens have no keys.
 * @param {KeyboardEvent} first
 */
const loadArrows = (first) =>
  import("./arrows.js").then(
    ({ move }) => {
      move(first);
      addEventListener("keydown", move);
    },
    () => addEventListener("keydown", loadArrows, { once: true }),
  );

const NOTICE_MS = 6000;
const READ_MS = 20_000; // in the other views, where nothing happens that would tell it again
const NO_GAMES = "The list of games could not be loaded. Reload the page.";

function App() {
  const [snapshot, setSnapshot] = useState(/** @type {Snapshot | null} */ (null));
  const [linked, setLinked] = useState(true);
  const [view, openView] = useView(ALL_VIEWS);
  const [back, setBack] = useState(/** @type {View} */ ("play"));
  const [notice, setNoticeText] = useState(/** @type {NoticeText | null} */ (null));
  const [asking, setAsking] = useState(/** @type {Asked | null} */ (null));
  const [games, setGames] = useState(/** @type {Games | null} */ (null));
  const [last, setLast] = useState(/** @type {LoggedMatch | null} */ (null));
  const newest = useRef(/** @type {Snapshot | null} */ (null));
  const sending = useRef(/** @type {string | null} */ (null));

  /** @param {View} next */
  function setView(next) {
    if (SETTING_UP.includes(next) && !SETTING_UP.includes(view)) setBack(view);
    openView(next);
  }

  /**
   * Shows a snapshot unless a newer one of the same run is shown. A table that was restarted counts from 1
   * again.
   * @param {Snapshot | undefined} next
   */
  function showIfNewer(next) {
    const shown = newest.current;
    if (!next || (shown && next.run === shown.run && next.seq < shown.seq)) return;
    if (shown && next.run !== shown.run) reloadIfOld();
    newest.current = next;
    setSnapshot(next);
  }

  /**
   * Shows a sentence for some seconds, or until something new happens at the table. lost: the table was not
   * reached; the sentence disappears as soon as it is reached again.
   * @param {string | undefined} text
   */
  const setNotice = (text, lost = false) =>
    setNoticeText(text ? { text, lost, about: happening(newest.current) } : null);

  /** @param {boolean} reached */
  function link(reached) {
    setLinked(reached);
    if (reached) setNoticeText((now) => (now?.lost ? null : now));
  }

  async function fetchList() {
    try {
      setGames(await fetchGames());
      setNoticeText((now) => (now?.text === NO_GAMES ? null : now));
    } catch {
      setNotice(NO_GAMES);
    }
  }

  useEffect(() => follow(showIfNewer, link), []);
  useEffect(() => {
    if (linked && !games) fetchList();
  }, [linked]);
  const between = snapshot !== null && !snapshot.match;
  useEffect(() => {
    if (between && linked) lastMatch().then(setLast);
  }, [between, linked]);
  useEffect(() => setAsking(null), [view]); // a question may be still on its way when people go back
  useKeptFocus();
  useEffect(() => addEventListener("keydown", loadArrows, { once: true }), []);
  useHeard(snapshot);
  const sounds = useSounds();
  // in the other views the tray goes on while people read
  const stale = view === "play" && !!notice?.about && !notice.lost && notice.about !== happening(snapshot);
  useEffect(() => {
    if (stale) setNoticeText(null);
  }, [stale]);
  useEffect(() => {
    if (!notice) return undefined;
    const timer = setTimeout(setNoticeText, view === "play" ? NOTICE_MS : READ_MS, null);
    return () => clearTimeout(timer);
  }, [notice, view]);

  /**
   * Sends an action with the number of the snapshot on screen. Resolves to the result of act(), or to null
   * for a second tap on the same snapshot, which is not sent.
   * @param {string} path
   * @param {object} body
   */
  async function ask(path, body = {}) {
    if (!newest.current) return null;
    const { run, number } = newest.current;
    const tapped = `${run} ${number}`;
    if (sending.current === tapped) return null;
    sending.current = tapped;
    const answer = await act(path, { number, ...body });
    if (sending.current === tapped) sending.current = null;
    showIfNewer(answer.snapshot);
    setNotice(answer.drops ? "" : answer.error, answer.lost);
    return answer;
  }

  /**
   * Sends an action as `ask` does. Resolves to true if the table did it.
   * @type {Send}
   */
  async function send(path, body) {
    const answer = await ask(path, body);
    return answer !== null && !answer.error;
  }

  if (!snapshot) return html`<main class="waiting"><p>Connecting to the table …</p></main>`;
  const match = snapshot.match;
  const player = match?.players.find(
    (p) => p.name === (match.prompt?.player ?? (match.winners.length === 1 ? match.winners[0] : null)),
  );
  const colour = player && (player.colour ?? "yellow");
  const View = VIEWS[view] ?? SetUp;
  return html`<div class="app" data-view=${view} data-seq=${snapshot.seq} style=${colour && { "--turn": BODY[colour], "--ink": inkOn(colour) }}
      onClickCapture=${onlyOnce}>
    <${Head} ...${{ snapshot, view, setView, send, last }} />
    ${!linked && html`<p class="banner" role="alert">The table cannot be reached. Trying again …</p>`}
    ${view !== "play" && html`<${Notice} ...${{ notice, setNotice }} />`}
    <${View} ...${{ snapshot, games, send, setView, asking, setAsking, setNotice, last, view, back }}
      notice=${stale ? null : notice} />
    ${asking && html`<${Asking} ...${{ asking, setAsking, ask, setNotice }} />`}
    ${sounds !== "off" && html`<${Tones} snapshot=${snapshot} voice=${sounds === "voice"} />`}
  </div>`;
}

/**
 * What the table is doing, in one string. A refusal is about the moment in which it was said: when this
 * changes, the table has something newer to say.
 * @param {Snapshot | null} snapshot
 */
const happening = (snapshot) =>
  snapshot &&
  [
    snapshot.run,
    snapshot.match?.at,
    CALM.includes(snapshot.tray.state) ? "calm" : snapshot.tray.state,
    snapshot.tray.message,
  ].join();

/**
 * The views. All but the first one are loaded when they are opened.
 * @type {Partial<Record<View, (props: any) => unknown>>}
 */
const VIEWS = {
  play: Play,
  sheet: laterView(() => import("./sheet.js").then((found) => found.Sheet)),
  rules: laterView(() => import("./rules.js").then((found) => found.Rules)),
  new: laterView(() => import("./newgame.js").then((found) => found.NewGame)),
};
const ALL_VIEWS = [.../** @type {View[]} */ (Object.keys(VIEWS)), ...SETTING_UP];
const Asking = later(() => import("./dialog.js").then((found) => found.Asking));
const Tones = later(() => import("./tones.js").then((found) => found.Tones));
const SetUp = laterView(() => import("./setup.js").then((found) => found.SetUp));

/**
 * Ignores the second tap of a double tap: another choice may already be under the finger.
 * @param {MouseEvent & { target: Element }} event
 */
function onlyOnce(event) {
  if (event.detail < 2 || !event.target.closest(".choice, .throw, .once")) return;
  event.preventDefault();
  event.stopPropagation();
}

render(html`<${App} />`, document.getElementById("app"));
document.getElementById("app")?.removeAttribute("aria-busy");

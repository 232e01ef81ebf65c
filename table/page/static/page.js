// The page: one snapshot in, the whole view out. What is not in the snapshot (a selection, an open dialog) is kept here.
import { html, render, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { act, follow, games as fetchGames } from "./table.js";
import { BODY, Die, inkOn } from "./dice.js";
import { Tray } from "./tray.js";
import { Colours } from "./colours.js";
import { NewGame, playAgain } from "./newgame.js";
import { Sheet } from "./sheet.js";
import { Shower } from "./shower.js";
import { FaceDialog, askAbout, correction } from "./asking.js";

const NOTICE_MS = 6000;
const NO_GAMES = "The list of games could not be fetched. Reload the page.";
const SHORT = 48; // letters of a sentence that can stand large on a seven-inch screen
const SHORT_NAME = 15; // and of a name that stands on one line there

function App() {
  const [snapshot, setSnapshot] = useState(null);
  const [linked, setLinked] = useState(true);
  const [view, setView] = useState("play");
  const [notice, setNoticed] = useState(null);
  const [asking, setAsking] = useState(null);
  const [games, setGames] = useState(null);
  const newest = useRef(null);
  const sending = useRef(null);

  /** Shows a snapshot unless a newer one is shown, of the same run of the table: a table that was restarted counts from 1 again. */
  function take(next) {
    const shown = newest.current;
    if (!next || (shown && next.run === shown.run && next.seq < shown.seq)) return;
    newest.current = next;
    setSnapshot(next);
  }

  /** A sentence for a while. lost: it says that the table was not reached, which is over as soon as it is. */
  const setNotice = (text, lost = false) => setNoticed(text ? { text, lost } : null);

  function link(reached) {
    setLinked(reached);
    if (reached) setNoticed((now) => (now?.lost ? null : now));
  }

  async function fetchList() {
    try {
      setGames(await fetchGames());
      setNoticed((now) => (now?.text === NO_GAMES ? null : now));
    } catch {
      setNotice(NO_GAMES);
    }
  }

  useEffect(() => follow(take, link), []);
  useEffect(() => { if (linked && !games) fetchList(); }, [linked]);
  useEffect(() => {
    if (!notice) return undefined;
    const timer = setTimeout(setNoticed, NOTICE_MS, null);
    return () => clearTimeout(timer);
  }, [notice]);

  /** Does something at the table, numbered with the snapshot that is on screen; what act() resolves to, or null for the second tap of a
   * double tap, which is nothing: nothing was decided since the first. */
  async function ask(path, body = {}) {
    const { run, number } = newest.current;
    const tapped = `${run} ${number}`;
    if (sending.current === tapped) return null;
    sending.current = tapped;
    const told = await act(path, { number, ...body });
    if (sending.current === tapped) sending.current = null;
    take(told.snapshot);
    setNotice(told.drops ? "" : told.error, told.lost);
    return told;
  }

  /** The same; true when it was done. */
  async function send(path, body) {
    const told = await ask(path, body);
    return told !== null && !told.error;
  }

  if (!snapshot) return html`<main class="waiting"><p>Looking for the table …</p></main>`;
  const match = snapshot.match;
  const player = match?.players.find((p) => p.name === (match.prompt?.player ?? (match.winners.length === 1 ? match.winners[0] : null)));
  const colour = player?.colour ?? (player ? "yellow" : "white");
  const views = { play: Play, sheet: Sheet, rules: Rules, new: NewGame, colours: Colours };
  const View = views[view];
  return html`<div class="app" style=${{ "--turn": BODY[colour], "--ink": inkOn(colour) }} onClickCapture=${onlyOnce}>
    <${Head} ...${{ snapshot, view, setView, send }} />
    ${!linked && html`<p class="banner" role="alert">The table cannot be reached. Trying again …</p>`}
    ${view !== "play" && html`<${Notice} ...${{ notice, setNotice }} />`}
    <${View} ...${{ snapshot, games, send, setView, asking, setAsking, notice, setNotice }} />
    ${asking && html`<${FaceDialog} ...${{ asking, setAsking, ask }} />`}
  </div>`;
}

/** The second tap of a double tap chooses nothing: by then another choice may stand where the first one stood. */
function onlyOnce(event) {
  if (event.detail < 2 || !event.target.closest(".choice, .throw, .once")) return;
  event.preventDefault();
  event.stopPropagation();
}

/** A refusal, in a place of its own: it covers nothing that is to be tapped. */
function Notice({ notice, setNotice }) {
  const said = useRef(null);
  useEffect(() => { said.current?.scrollIntoView({ block: "nearest" }); }, [notice]);
  return notice && html`<p class="notice" id="notice" role="alert" ref=${said} onClick=${() => setNotice("")}>${notice.text}</p>`;
}

/** What the table has to say beside the prompt; a refusal stands in its place for a while. */
function Message({ tray, notice, setNotice }) {
  if (notice) return html`<${Notice} ...${{ notice, setNotice }} />`;
  return tray.message && html`<p class="message" id="message" role="status">${tray.message}</p>`;
}

function Head({ snapshot, view, setView, send }) {
  const match = snapshot.match;
  const tab = (name, text) => html`<button class="tab" id=${`tab-${name}`} aria-current=${view === name ? "page" : null}
    onClick=${() => setView(view === name ? "play" : name)}>${text}</button>`;
  return html`<header class="head">
    <h1>${match ? match.title : "Brehon"}</h1>
    <span class="state" id="tray-state" data-state=${snapshot.tray.state}>${snapshot.tray.state}</span>
    <nav>
      ${match?.can_take_back && html`<button class="tab once" id="take-back" onClick=${() => send("take_back")}>Take back</button>`}
      ${match && tab("sheet", "Sheet")} ${match && tab("rules", "Rules")} ${tab("new", "New game")}
    </nav>
  </header>`;
}

// -- playing ------------------------------------------------------------------------------------------------------------

function Play({ snapshot, send, setView, setAsking, notice, setNotice, games }) {
  const { match, tray } = snapshot;
  const prompt = match?.prompt;
  const keeping = prompt?.kind === "keep";
  const [kept, setKept] = useState(new Set());
  const [correcting, setCorrecting] = useState(false);
  useEffect(() => setKept(new Set()), [match?.at, prompt?.kind]);
  useEffect(() => setCorrecting(false), [snapshot.number]);

  const toggle = (i) => setKept((old) => { const now = new Set(old); if (!now.delete(i)) now.add(i); return now; });
  const lies = (die) => ofLastThrow(match, tray, die);
  const chosen = new Set(keeping ? tray.dice.flatMap((d, i) => (lies(d) && kept.has(d.index) ? [i] : [])) : []);

  function tap(i) {
    const die = tray.dice[i];
    if (die.part === "asked") return die.index === null ? setNotice("That die leans, so no face looks up. Throw it again, alone.") : setAsking(askAbout(snapshot, i));
    if (keeping && !correcting && lies(die)) return toggle(die.index);
    const wrong = die.part === "thrown" && die.index !== null ? correction(snapshot, tray.throw_at, die.index, true) : null;
    if (wrong) return setAsking(wrong);
    return setNotice(die.part === "still" ? "That die is not part of the last throw. Older throws are corrected on the sheet." : "Only a throw that counted in a game can be corrected.");
  }

  const label = (die) => `${die.colour} die showing ${die.face}, ${die.part === "asked" ? "not sure: tap to say" : keeping && lies(die) ? "tap to keep" : die.part === "thrown" ? "tap to correct" : "lies still"}`;

  return html`<main class="play">
    <section class="left">
      <${Tray} tray=${tray} chosen=${chosen} onTap=${tap} label=${label} />
    </section>
    <section class="side">
      ${match ? html`<${Turn} ...${{ snapshot, kept, toggle, send, setView, setAsking, notice, setNotice, games }} />` : html`<${FreeThrows} ...${{ snapshot, setView, setAsking, notice, setNotice }} />`}
    </section>
    <div class="tools">
      ${keeping && tray.throw_at !== null && html`<button class="tool" id="correct" aria-pressed=${correcting} onClick=${() => setCorrecting(!correcting)}>Correct</button>`}
      ${tray.short && html`<button class="tool" id="fell-off" onClick=${() => send("fell_off")}>A die fell off</button>`}
      <button class="tool" id="read-again" onClick=${() => send("read_again")}>Read again</button>
      ${snapshot.hand && html`<${SimulatedHand} ...${{ snapshot, kept, send }} />`}
    </div>
    ${match && html`<${Scores} match=${match} />`}
  </main>`;
}

/** Whether this die on the tray is one of the throw that a keep is asked of, so that its index is a place in that throw. */
function ofLastThrow(match, tray, die) {
  return die.part === "thrown" && die.index !== null && tray.throw_at !== null && tray.throw_at === match?.throws.at(-1)?.at;
}

function Turn({ snapshot, kept, toggle, send, setView, setAsking, notice, setNotice, games }) {
  const { match, tray } = snapshot;
  const prompt = match.prompt;
  const said = prompt ? withoutName(prompt) : match.outcome ?? match.broken;
  const asked = askAbout(snapshot);
  const who = prompt ? prompt.player : heading(match);
  const long = said.length > SHORT || who.length > SHORT_NAME;
  const open = asked ? null : prompt; // the table takes no choice before it is told what lies there
  return html`
    ${match.winners.length > 0 && html`<${Shower} colours=${match.players.filter((p) => match.winners.includes(p.name)).map((p) => p.colour)} />`}
    <div class=${`turn${long ? " long" : ""}${match.winners.length ? " won" : ""}`} id="turn" data-player=${prompt?.player ?? ""} aria-live="polite" aria-atomic="true">
      <p class="who">${who}</p>
      <p class="prompt" id="prompt">${said}</p>
    </div>
    <${Message} ...${{ tray, notice, setNotice }} />
    ${match.so_far && html`<p class="so-far" id="so-far">${match.so_far}</p>`}
    <div class="choices" id="choices">
      ${asked && html`<button class="choice" id="say" onClick=${() => setAsking(asked)}>${asked.dice.length > 1 ? "Say what they show" : "Say what it shows"}</button>`}
      ${open?.kind === "choose" && open.options.map((o) => html`<button class="choice" data-option=${o.id} onClick=${() => send("answer", { choose: o.id })}>${o.text}</button>`)}
      ${open?.kind === "keep" && html`<${Keep} ...${{ prompt, kept, toggle, send, tray, match }} />`}
      ${match.phase === "over" && html`<button class="choice" id="play-again" onClick=${() => playAgain(match, games, send)}>Play again</button>`}
      ${match.phase !== "play" && html`<button class="choice quiet" onClick=${() => setView("new")}>Another game</button>`}
    </div>
    <ol class="rulings" id="rulings">${news(match).map((text) => html`<li>${text}</li>`)}</ol>`;
}

/** The last three things that were ruled or scored, the newest first; a score of nothing only where no ruling tells of it. */
function news({ sheet, rulings }) {
  const told = (line) => line.points === 0 && rulings.some((r) => r.at === line.at && r.text.includes(line.player));
  const scored = sheet.filter((line) => !told(line)).map((line) => ({ at: line.at, text: `${line.player}: ${line.points.toLocaleString("en")} (${line.reason})` }));
  return [...scored, ...rulings].sort((a, b) => a.at - b.at).slice(-3).reverse().map((each) => each.text);
}

/** What stands large where no player's name does. */
function heading({ phase, winners }) {
  if (phase !== "over") return "Stopped";
  return winners.length === 1 ? `★ ${winners[0]}` : "Game over";
}

/** The prompt's sentence without the player's name in front, which stands above it. */
function withoutName(prompt) {
  const text = prompt.text.startsWith(`${prompt.player}: `) ? prompt.text.slice(prompt.player.length + 2) : prompt.text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Keep({ prompt, kept, toggle, send, tray, match }) {
  const faces = [...kept].sort((a, b) => a - b).map((i) => prompt.from[i]);
  const colour = (i) => tray.dice.find((d) => ofLastThrow(match, tray, d) && d.index === i)?.colour ?? colourOf(match, i);
  return html`
    <div class="faces" role="group" aria-label="Dice of this throw">
      ${prompt.from.map((face, i) => html`<button class="face" aria-pressed=${kept.has(i)} aria-label=${`keep ${face}`} data-keep=${i} onClick=${() => toggle(i)}>
        <${Die} face=${face} colour=${colour(i)} /></button>`)}
    </div>
    <div class="keep-row">
      <button class="choice" id="keep" disabled=${!kept.size} onClick=${() => send("answer", { keep: faces })}>
        ${kept.size ? `Keep ${faces.join(", ")}` : "Tap what you keep"}</button>
      ${prompt.from.length > 1 && html`<button class="choice quiet" id="mark-all" disabled=${kept.size === prompt.from.length}
        onClick=${() => prompt.from.forEach((_, i) => kept.has(i) || toggle(i))}>All</button>`}
    </div>
    ${prompt.from.length > 1 && html`<p class="hint" id="hint">Or leave them lying and throw the rest.</p>`}`;
}

const colourOf = (match, i) => match.throws.at(-1)?.roll[i]?.colour ?? "white";

function SimulatedHand({ snapshot, kept, send }) {
  const { match, tray } = snapshot;
  const [thrownAt, setThrownAt] = useState(-1); // the seq of the snapshot that was thrown on, until the tray rests again
  const keeping = match?.prompt?.kind === "keep";
  const moving = ["ROLLING", "HAND", "SETTLING", "READING"].includes(tray.state);
  const busy = moving || thrownAt === snapshot.seq;
  const rest = tray.dice.flatMap((d, i) => (ofLastThrow(match, tray, d) && !kept.has(d.index) ? [i] : []));
  const picked = keeping ? rest : tray.dice.flatMap((d, i) => (tray.state === "COCKED" && d.part === "asked" ? [i] : []));
  async function toss() {
    setThrownAt(snapshot.seq);
    if (!(await send("hand", { picked_up: picked }))) setThrownAt(-1);
  }
  return html`<button class="tool throw" id="throw" disabled=${busy || (keeping && (!kept.size || !rest.length))} onClick=${toss}>${keeping ? "Throw rest" : "Throw"}<small>Simulated hand</small></button>`;
}

function FreeThrows({ snapshot, setView, setAsking, notice, setNotice }) {
  const { tray } = snapshot;
  const asked = askAbout(snapshot);
  return html`
    <div class="turn" aria-live="polite"><p class="who">No game on</p><p class="prompt" id="prompt">Throw any dice: they are read and shown.</p></div>
    <${Message} ...${{ tray, notice, setNotice }} />
    <div class="choices">
      ${asked && html`<button class="choice" id="say" onClick=${() => setAsking(asked)}>Say what it shows</button>`}
      <button class="choice" id="new-game" onClick=${() => setView("new")}>New game</button></div>
    <ol class="rulings" id="free-throws">${tray.free_throws.slice(-8).reverse().map((t) => html`<li>${t.join("  ")}</li>`)}</ol>`;
}

function Scores({ match }) {
  return html`<ul class="scores" id="scores" data-many=${match.players.length > 5}>
    ${match.players.map((p) => html`<li class=${p.name === match.prompt?.player ? "now" : match.winners.includes(p.name) ? "won" : ""} data-player=${p.name}
        aria-current=${p.name === match.prompt?.player ? "true" : null}>
      <span class="swatch" style=${{ background: BODY[p.colour] ?? "transparent" }}></span>
      ${match.winners.includes(p.name) && html`<span class="star" role="img" aria-label="winner">★</span>`}<span class="name">${p.name}</span><b class="points">${match.scores[p.name].toLocaleString("en")}</b></li>`)}
  </ul>`;
}

function Rules({ snapshot, games }) {
  const game = games?.games.find((g) => g.name === snapshot.match?.game);
  if (!game) return html`<main class="text"><p>No game is on.</p></main>`;
  return html`<main class="text"><h2>${game.title}</h2>${sentences(game.rules).map(([lead, text]) => html`<p>${lead && html`<strong>${lead}</strong> `}${text}</p>`)}
    <h3>Settings of this game</h3><ul>${Object.entries(snapshot.match.settings).map(([k, v]) => html`<li>${k}: ${v}</li>`)}</ul></main>`;
}

/** The paragraphs of a rulebook's text, each with its lead ("On the tray:") apart. A line that does not end a sentence runs on. */
function sentences(rules) {
  return rules.replace(/([^.:\n])\n(?!\n)/g, "$1 ").split(/\n+/).map((line) => {
    const [, lead, text] = line.match(/^([A-Z][^.:]{3,24}:) (.*)$/s) ?? [null, "", line];
    return [lead, text];
  });
}

render(html`<${App} />`, document.getElementById("app"));
document.getElementById("app").removeAttribute("aria-busy");

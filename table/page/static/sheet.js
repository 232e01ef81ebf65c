// The score sheet. It fills itself and can be printed.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Accounts } from "./advice.js";
import { correction } from "./asking.js";
import { Card, CardTabs } from "./card.js";
import { coachIsOn, useCoaching } from "./coach.js";
import { cellText, pointsText } from "./cell.js";
import { useDetails } from "./details.js";
import { later, styled } from "./later.js";
import { Picture } from "./picture.js";
import { Token, seated } from "./players.js";
import { Print } from "./rules.js";
import { useNarrow } from "./upright.js";

/** @import { FormRow, LoggedMatch, Match, Page, Player, SheetLine, Shown } from "./types.d.ts" */

await styled("sheet.css", import.meta.url);

const Earlier = later(() => import("./earlier.js").then((found) => found.Earlier));

/** @param {Page} props */
export function Sheet({ snapshot, setAsking, setNotice, last }) {
  const [earlier, setEarlier] = useState(/** @type {LoggedMatch | null} */ (null));
  const [listed, setListed] = useState(false);
  const logged = earlier ?? (snapshot.match ? null : last);
  const match = logged ?? snapshot.match;
  const on = logged === null; // corrections are those of the match that is on
  const [shown, setShown] = useState(/** @type {Shown | null} */ (null));
  const [chosen, setChosen] = useState(/** @type {string | null | undefined} */ (undefined));
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  const reveal = useRef(false); // the list that was just asked for
  const opened = useRef(false); // from the list, which is far below what it opens
  useEffect(() => {
    if (!opened.current || !title.current) return;
    opened.current = false;
    title.current.focus();
  });
  const coaching = useCoaching(coachIsOn(), snapshot);
  const accounts = (!earlier && coaching?.accounts) || [];
  const game = useDetails(match?.game);
  /** @param {LoggedMatch} other */
  function show(other) {
    const isOn = snapshot.match?.id === other.id;
    setEarlier(isOn ? null : other);
    setChosen(undefined);
    document.querySelector("main.sheet")?.scrollTo(0, 0);
    opened.current = true;
  }
  if (!match) return html`<main class="text"><p>No game is on.</p></main>`;
  if (!game) return html`<main class="text"><p>One moment …</p></main>`;
  const { form, card } = game;
  const whose = card.length ? (chosen === undefined ? firstCard(match) : chosen) : null;
  const player = match.players.find((p) => p.name === whose);
  const boxes = new Set(form.map((row) => row.box).filter(Boolean));
  const told = story(match);
  const outcome = match.outcome ?? (logged?.ended && `Not played to the end: ${logged.ended}.`);
  /** @param {Player} p @param {string} [id] */
  const cardOf = (p, id) => html`<${Card} key=${id ? p.name : `${p.name} on paper`} title=${match.title}
    ...${{ player: p, card, id }} written=${cellText} about=${[aboutMatch(match), outcome].filter(Boolean).join(" · ")}
    lines=${new Map(match.sheet.filter((l) => l.player === p.name).map((l) => [l.box ?? "", l]))} />`;
  const beside = match.sheet.filter((line) => !boxes.has(line.box ?? ""));
  const turns = html`<${Turns} ...${{ match, sheet: beside, below: form.length > 0 }} />`;
  return html`<main class="sheet" data-many=${match.players.length > 5}>
    <div class="pad">
    <div class="title"><h2 ref=${title} tabindex="-1">${match.title}</h2><span class="date" data-earlier=${earlier && ""}>${aboutMatch(match)}</span><span
        class="no-print" id="files">${["PDF", "CSV", "JSON"].map(
          (kind) => html`<a class="tool"
          href=${`/api/matches/${earlier?.id ?? "last"}.${kind.toLowerCase()}`} download>${kind}</a> `,
        )}</span><span class="no-print" id="printing">${
          player &&
          html`<button class="tool" id="print-one" onClick=${printOpenCard}>Print this one</button> `
        }<button class="tool" id="print" onClick=${() => print()}>${player ? "Print all" : "Print"}</button></span></div>
    <p class=${outcome ? "outcome" : "outcome unfinished"}>${outcome || "Not over yet."}</p>
    ${card.length > 0 && html`<${CardTabs} match=${match} shown=${whose} show=${setChosen} />`}
    ${player && [cardOf(player, "card"), ...match.players.map((p) => cardOf(p))]}
    ${form.length > 0 && !player && html`<${Form} ...${{ match, form, clans: game.two_colours }} />`}
    ${!form.length && turns}
    </div>
    ${form.length > 0 && beside.length > 0 && turns}
    ${accounts.length > 0 && html`<${Accounts} accounts=${accounts} />`}
    ${match.at > 0 && html`<h3>Throws and rulings</h3>`}
    <ol class="story no-print">${[...told].reverse().map(
      (s) => html`<li key=${s.key}>${s.text}
      ${
        s.thrown &&
        html`<span> ${
          s.pictured &&
          html`<button class="link" data-picture=${s.at} aria-label=${`picture: ${s.text}`}
            onClick=${() => setShown({ ...s, match: logged?.id })}>picture</button> `
        }${
          on &&
          html`<button class="link" data-correct=${s.at} aria-label=${`correct: ${s.text}`}
            onClick=${() => setAsking(correction(snapshot, s.at, 0, s.at === snapshot.tray.throw_at))}>correct</button>`
        }</span>`
      }</li>`,
    )}</ol>
    <ol class="record">${told.map((s) => html`<li key=${s.key}>${s.text}</li>`)}</ol>
    <${Print} game=${match.game} />
    <p class="no-print"><button class="choice quiet" id="earlier" aria-expanded=${listed}
      onClick=${() => {
        reveal.current = !listed;
        setListed(!listed);
      }}>All games played here</button></p>
    ${listed && html`<div class="no-print"><${Earlier} ...${{ shown: logged?.id ?? null, show, reveal, setNotice }} /></div>`}
    ${shown && html`<${Picture} ...${{ shown, setShown, replays: snapshot.replays }} />`}
  </main>`;
}

/** Prints the card that is open, and not those of all players. */
function printOpenCard() {
  const { dataset } = document.documentElement;
  dataset.printing = "card";
  addEventListener("afterprint", () => delete dataset.printing, { once: true });
  print();
}

/**
 * The player whose card opens first: whose turn it is, or who won.
 * @param {Match} match
 */
const firstCard = ({ prompt, winners, players }) => prompt?.player ?? winners[0] ?? players[0].name;

/** @param {SheetLine | undefined} line */
const textOf = (line) => line && cellText(line);
const PAGE_ROWS = 25; // rows of a form that leave room for the reasons on one A4 page

/**
 * The game's paper sheet: one column per player, one row per box. The last line for a box fills it; a tap
 * shows the reason, or on a narrow screen those of the row. The totals are below, unless the last row of the form
 * has them.
 * @param {{ match: Match, form: FormRow[], clans: boolean }} props
 */
function Form({ match, form, clans }) {
  const [open, setOpen] = useState(/** @type {string | null} */ (null));
  const { players } = match;
  const narrow = useNarrow(players.length) === "upright" ? "upright" : null; // on a low screen the cards have it
  const filled = new Map(match.sheet.map((line) => [`${line.player}\n${line.box}`, line]));
  const coloured = players.some((p) => p.colour);
  const summed = players.every(
    (p) => textOf(filled.get(`${p.name}\n${form.at(-1)?.box}`)) === pointsText(match.scores[p.name]),
  );
  return html`<div class="wide"><table id="form" class=${form.length > PAGE_ROWS ? "form long" : "form"} data-narrow=${narrow}
      style=${{ "--players": players.length, "--longest": Math.max(...players.map((p) => longestWord(p.name))), "--rows": form.length + (clans ? 4 : 3) }}>
    <thead>
      ${clans && html`<tr class="clans"><th scope="row">Clan</th>${players.map(() => html`<td></td>`)}</tr>`}
      <tr><th scope="col">${clans ? "Competitor" : "Player"}</th>${players.map(
        (p) => html`<${Head} player=${p} />`,
      )}</tr>
      ${
        coloured &&
        html`<tr class="colours"><th
          scope="row">${clans ? "Clan colours" : "Colour"}</th>${players.map(
            (p) => html`<td><${Clan}
              colours=${clans ? [p.colour, p.second] : [p.colour]} /></td>`,
          )}</tr>`
      }
    </thead>
    <tbody>${form.map((row, i) => {
      if (!row.box)
        return html`<tr class="heading"><th scope="rowgroup" colspan=${players.length + 1}>${row.text}</th></tr>`;
      const named = [row.text, headingOf(form, i)];
      const cells = players.map((p) => {
        const key = `${p.name}\n${row.box}`;
        const line = filled.get(key);
        return {
          key,
          player: p.name,
          lines: line ? [{ ...line, reason: withoutName(line.reason, named) }] : [],
        };
      });
      if (narrow)
        return html`<${NarrowRow} key=${row.box} ...${{ box: row.box, text: row.text, cells, open: open === row.box }}
          toggle=${() => setOpen(open === row.box ? null : row.box)} />`;
      return html`<tr data-box=${row.box}><th scope="row">${row.text}</th>${cells.map(
        ({ key, lines }) => html`<${Box} key=${key} line=${lines[0]} open=${open === key}
            toggle=${() => setOpen(open === key ? null : key)} />`,
      )}</tr>`;
    })}</tbody>
    ${
      !summed &&
      html`<tfoot><tr><th
        scope="row">Total</th>${players.map((p) => html`<td><b>${pointsText(match.scores[p.name])}</b></td>`)}</tr></tfoot>`
    }
  </table></div>`;
}

/** @param {string} name */
const longestWord = (name) => Math.max(...name.split(/[\s-]/).map((word) => word.length));

/**
 * The head of a player's column. No word of a name is split: a long one is smaller, and its column wider.
 * @param {{ player: Player }} props
 */
const Head = ({ player: { name, colour, second } }) =>
  html`<th scope="col"><${Token} ...${{ colour, second }} /><span
    class="name" style=${{ "--longest": longestWord(name) }}>${name}</span></th>`;

/**
 * The heading above a row of the form; "" if there is none.
 * @param {FormRow[]} form
 * @param {number} row
 */
const headingOf = (form, row) =>
  form
    .slice(0, row)
    .filter(({ box }) => !box)
    .at(-1)?.text ?? "";

/**
 * The reason without what the row or its heading says already.
 * @param {string} reason
 * @param {string[]} named
 */
function withoutName(reason, named) {
  const said = named.map((name) => name.replace(/^[=+−] /, "").toLowerCase());
  const [first, rest] = reason.split(/: (.*)/);
  return said.includes(first.toLowerCase()) ? (rest ?? "") : reason;
}

/** @param {{ line: SheetLine | undefined, open: boolean, toggle: () => void }} props */
function Box({ line, open, toggle }) {
  if (!line) return html`<td class="empty"></td>`;
  if (!line.reason) return html`<td><b>${cellText(line)}</b></td>`;
  return html`<td><button class="cell" aria-expanded=${open}
      onClick=${toggle}><b>${cellText(line)}</b> <small>${line.reason}</small></button></td>`;
}

/**
 * A row whose columns have room for the points only. A tap on its head shows the reasons of all players below it.
 * @param {{ box?: string, text: string | number, cells: { player: string, lines: SheetLine[] }[], open: boolean, toggle: () => void }} props
 */
function NarrowRow({ box, text, cells, open, toggle }) {
  const told = cells.flatMap(({ player, lines }) => {
    const reasons = lines.filter((l) => l.reason).map((l) => `${cellText(l)}: ${l.reason}`);
    return reasons.length ? [{ player, reasons: reasons.join("; ") }] : [];
  });
  return html`<tr data-box=${box}><th scope="row">${
    told.length ? html`<button class="cell" aria-expanded=${open} onClick=${toggle}>${text}</button>` : text
  }</th>${cells.map(({ lines }) => html`<td>${lines.map((l) => html`<${Line} line=${l} />`)}</td>`)}</tr>
    ${
      open &&
      html`<tr class="row-note no-print"><td colspan=${cells.length + 1}>${told.map(
        ({ player, reasons }) => html`<div>${player} <b>${reasons}</b></div>`,
      )}</td></tr>`
    }`;
}

/** @param {{ line: SheetLine }} props */
const Line = ({ line }) =>
  html`<div><b>${cellText(line)}</b>${line.sum !== undefined && html` <span class="sum">(${pointsText(line.sum)})</span>`} <small>${line.reason}</small></div>`;

/** @param {{ colours: (string | null | undefined)[] }} props */
function Clan({ colours }) {
  const known = colours.filter(Boolean);
  return html`<span class="clan">${known.map(
    (c) => html`<${Token} colour=${c} />`,
  )} ${known.join(" and ")}</span>`;
}

/**
 * A row for each turn or round, with the lines of each player. below: the table is below the game's own form, which
 * has the totals.
 * @param {{ match: Match, sheet: SheetLine[], below: boolean }} props
 */
function Turns({ match, sheet, below }) {
  const [open, setOpen] = useState(/** @type {number | null} */ (null));
  const players = seated(match);
  const narrow = useNarrow(players.length);
  const notes = new Map(match.row_notes.map(({ row, text }) => [row, text]));
  const rows = [...new Set([...sheet.map((l) => l.row ?? 0), ...notes.keys()])].sort((a, b) => a - b);
  return html`<div class="wide"><table id="sheet" data-narrow=${narrow}>
    <thead><tr><th scope="col">${below ? "Also" : "No."}</th>${players.map(
      (p) => html`<${Head} player=${p} />`,
    )}</tr></thead>
    <tbody>${(rows.length ? rows : [1]).map((row) => {
      const cells = players.map(({ name }) => ({
        player: name,
        lines: sheet.filter((l) => l.player === name && (l.row ?? 0) === row),
      }));
      const text = row || "Start";
      return html`${
        narrow
          ? html`<${NarrowRow} key=${row} ...${{ text, cells, open: open === row }}
              toggle=${() => setOpen(open === row ? null : row)} />`
          : html`<tr><th scope="row">${text}</th>${cells.map(
              ({ lines }) => html`<td>${lines.map((l) => html`<${Line} line=${l} />`)}</td>`,
            )}</tr>`
      }
      ${notes.has(row) && html`<tr class="row-note"><td colspan=${players.length + 1}><div>${notes.get(row)}</div></td></tr>`}`;
    })}</tbody>
    ${
      !below &&
      html`<tfoot><tr><th
        scope="row">Total</th>${players.map((p) => html`<td><b>${pointsText(match.scores[p.name])}</b></td>`)}</tr></tfoot>`
    }
  </table></div>`;
}

/**
 * The date of the printed sheet: today's while the match is on.
 * @param {string | undefined} started
 */
const dateOf = (started) =>
  (started ? new Date(started) : new Date()).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
  });

/**
 * What the printed sheet says about the match below its title, as in the PDF.
 * @param {Match & { started?: string }} match
 */
const aboutMatch = ({ id, unusual, started }) =>
  [dateOf(started), id && `match ${id}`, unusual.join("; ") || "the usual settings"]
    .filter(Boolean)
    .join(" · ");

/**
 * Throws and rulings, oldest first, as they are printed. The screen shows the newest first. Each has a key, so that a tap on a row that moves is not taken for a tap
 * on the row that replaces it.
 * @param {Match} match
 */
function story(match) {
  const throws = match.throws.map((t) => ({
    key: `throw ${t.at}`,
    at: t.at,
    order: t.at,
    text: t.text,
    thrown: true,
    pictured: !t.typed,
  }));
  const rulings = match.rulings.map((r, i) => ({
    key: `ruling ${i}`,
    at: r.at,
    order: r.at - 0.5,
    text: r.text,
    thrown: false,
    pictured: false,
  }));
  return [...throws, ...rulings].sort((a, b) => a.order - b.order);
}

// The programme of a match in several events: which are over and who won them, which is on, and which come. It is
// loaded with the first such match.
import { html } from "./vendor/preact-htm.js";
import { pointsText } from "./cell.js";
import { BODY, inkOn } from "./dice.js";
import { Token } from "./players.js";

/** @import { Match, Player, Programme, ProgrammeEvent } from "./types.d.ts" */

/**
 * The picture of each event, in a square of 48. Parts with "fill" are filled, the others drawn as lines.
 * @type {Record<string, { lines: string, fill?: string }>}
 */
const PICTURES = {
  dash: { lines: "M27 14 20 24l8 6-3 11M20 24l-9 1M27 14l-9 1-5 6M27 15l6 7 7-2M28 30l-7 5-9 1M4 12h6M2 18h5", fill: "M31 4a4.4 4.4 0 1 0 .01 0z" },
  haggis: { lines: "M6 40C8 30 14 24 21 21M12 44c1-6 4-10 8-13M37 11l6-5M39 14l6 0", fill: "M21 24c-4-8 2-16 9-16s11 5 9 12-13 13-18 4z" },
  hammer: { lines: "M12 36 36 10M33 7l7 7", fill: "M12 27a9 9 0 1 0 .01 0z" },
  sheaf: { lines: "M6 45V26M42 45V26M4 27h40M17 20c4-3 10-3 14 0", fill: "M16 4h16l-5 6 6 9H15l6-9z" },
  shot: { lines: "M5 41C9 22 17 13 28 10M13 43c2-10 6-16 12-20M3 45h42", fill: "M35 4a7.5 7.5 0 1 0 .01 0z" },
  caber: { lines: "M4 45h40M30 45a18 18 0 0 0 12-13M13 33l-6-4", fill: "M11 34 31 3l5 3-20 31z" },
  weight: { lines: "M6 45V28M42 45V28M4 29h40M24 10a4 4 0 1 1 .01 0", fill: "M18 11h12l4 13H14z" },
  tug: { lines: "M2 24c5-4 8 4 13 0s8-4 12 0 8 4 12 0l7-1M24 24v16M9 17v13M39 17v13", fill: "M24 29l10 4-10 5z" },
}; // prettier-ignore

/** @param {{ id: string }} props */
function Picture({ id }) {
  const { lines, fill } = PICTURES[id] ?? { lines: "M24 6a18 18 0 1 0 .01 0z" };
  return html`<svg class="event-picture" viewBox="0 0 48 48" aria-hidden="true"><path class="lines" d=${lines} />${fill && html`<path class="body" d=${fill} />`}</svg>`;
}

/**
 * What an event's tile says, for screen readers.
 * @param {ProgrammeEvent} event
 */
function inWords({ title, state, best, leaders }) {
  const who = leaders.join(" and ");
  if (state === "over")
    return `${title}: ${who ? `won by ${who} with ${pointsText(best ?? 0)}` : "nobody won"}`;
  if (state === "on") return `${title}, now${who ? `: ${who} leads with ${pointsText(best ?? 0)}` : ""}`;
  return `${title}, still to come`;
}

/**
 * All events, by sessions, with the names of the winners.
 * @param {{ match: Match & { programme: Programme } }} props
 */
export function Day({ match: { programme, players } }) {
  const sessions = [...new Set(programme.events.map((e) => e.session))];
  return html`<div class="day" id="day">${sessions.map(
    (session) =>
      html`<section aria-label=${session}><h3>${session}</h3><ol>${programme.events
        .filter((e) => e.session === session)
        .map((e) => html`<${Tile} event=${e} players=${players} />`)}</ol></section>`,
  )}</div>`;
}

const MOST_MARKS = 2; // of winners; more are counted instead

/** @param {{ event: ProgrammeEvent, players: Player[] }} props */
function Tile({ event, players }) {
  const { id, title, state, best, leaders } = event;
  const winner = leaders.length === 1 ? players.find((p) => p.name === leaders[0]) : undefined;
  const counted = leaders.length > MOST_MARKS;
  return html`<li class="event" data-event=${id} data-state=${state} data-nobody=${state === "over" && !leaders.length ? "" : null}
      style=${winner?.colour ? { "--won": BODY[winner.colour], "--won-ink": inkOn(winner.colour) } : null}>
    <span class="unseen">${inWords(event)}</span>
    <${Picture} id=${id} />
    <span class="event-title" aria-hidden="true">${title}</span>
    <span class="event-best" aria-hidden="true">${
      leaders.length
        ? html`${(counted ? [] : leaders).map((name) => {
            const p = players.find((each) => each.name === name);
            return html`<${Token} colour=${p?.colour} second=${p?.second} />`;
          })}<span class="name">${counted ? `${leaders.length} share it` : leaders.length === 1 && leaders[0]}</span> <b>${pointsText(best ?? 0)}</b>`
        : html`<span class="name">${{ over: "nobody", on: "now", ahead: "" }[state]}</span>`
    }</span>
  </li>`;
}

/**
 * The events in one row: their pictures, and the marks of the winners.
 * @param {{ match: Match & { programme: Programme } }} props
 */
export function DayStrip({ match: { programme, players } }) {
  return html`<ol class="day-strip" id="day-strip" aria-label="The events">${programme.events.map(
    (event) => html`<li data-event=${event.id} data-state=${event.state} title=${event.title}>
      <span class="unseen">${inWords(event)}</span><${Picture} id=${event.id} />
      <span class="marks" aria-hidden="true">${event.leaders.slice(0, 2).map((name) => {
        const p = players.find((each) => each.name === name);
        return html`<${Token} colour=${p?.colour} second=${p?.second} />`;
      })}</span></li>`,
  )}</ol>`;
}

// The paper sheet of one player, event by event as it is printed, and a row of names to open another one.
import { html, useState } from "./vendor/preact-htm.js";
import { pointsText } from "./cell.js";
import { Token } from "./players.js";

/** @import { CardLine, Match, Player, SheetLine } from "./types.d.ts" */

/**
 * The names of all players, and of the table of all of them. shown: the player whose card is open, or null for
 * the table.
 * @param {{ match: Match, shown: string | null, show: (name: string | null) => void }} props
 */
export function CardTabs({ match: { players, scores }, shown, show }) {
  return html`<div class="card-tabs no-print" role="group" aria-label="Whose sheet">
    ${players.map(
      (
        p,
      ) => html`<button class="chip" data-card=${p.name} aria-pressed=${shown === p.name} onClick=${() => show(p.name)}>
        <${Token} colour=${p.colour} second=${p.second} /><span class="name">${p.name}</span> <b>${pointsText(scores[p.name])}</b></button>`,
    )}
    <button class="chip" id="all-cards" aria-pressed=${shown === null} onClick=${() => show(null)}>All side by side</button>
  </div>`;
}

/**
 * The lines of the card. A total that is printed below its event stands beside it, where there is room.
 * @param {CardLine[]} card
 */
const linesOf = (card) =>
  card.reduce((/** @type {CardLine[]} */ lines, { event, blanks }) => {
    const above = lines.at(-1);
    return above && !event && blanks.length === 1
      ? [...lines.slice(0, -1), { event: above.event, blanks: [...above.blanks, ...blanks] }]
      : [...lines, { event, blanks }];
  }, []);

/**
 * written: the text of each box. lines: what filled it. about: what is printed about the
 * match. id: of the open card; the others are only printed.
 * @param {{ title: string, about: string, player: Player, card: CardLine[], lines: Map<string, SheetLine>, written: (line: SheetLine) => string, id?: string }} props
 */
export function Card({ title, about, player, card, lines, written, id }) {
  const [open, setOpen] = useState(/** @type {string | null} */ (null));
  /** @param {string} box */
  const textOf = (box) => {
    const line = lines.get(box);
    return line ? written(line) : "";
  };
  const counted = new Set(
    card.map(
      ({ blanks }) => blanks.find((b) => b.best && textOf(b.box) && textOf(b.box) === textOf(b.best))?.box,
    ),
  );
  /** @param {CardLine["blanks"][number]} blank */
  const Blank = ({ label, box }) => {
    const line = lines.get(box);
    const text = html`<b class="written" data-counts=${counted.has(box) ? "" : null}>${textOf(box)}${
      counted.has(box) && html`<span class="unseen"> counts</span>`
    }</b>`;
    return html`<span class="blank" data-box=${box}>${label && html`<span class="label">${label}</span>`}${
      line?.reason
        ? html`<button class="fill" aria-expanded=${open === box} aria-label=${`${label} ${textOf(box)}, why`}
            onClick=${() => setOpen(open === box ? null : box)}>${text}</button>`
        : html`<span class="fill">${text}</span>`
    }</span>`;
  };
  return html`<section class=${id ? "card" : "card on-paper"} id=${id} data-player=${player.name} aria-label=${`${title}, ${player.name}`}>
    <div class="printed-title"><h2>${title}</h2><span>${about}</span></div>
    <div class="line top"><span class="blank clan"><span class="label">Clan:</span><span class="fill"></span></span>
      <span class="blank"><span class="label">Competitor:</span><span class="fill"><b class="written">${player.name}</b></span></span></div>
    <div class="line top"><span class="blank"><span class="label">Clan colours:</span><span class="fill"><${Token} colour=${player.colour}
        second=${player.second} /> <b class="written">${[player.colour, player.second].filter(Boolean).join(" and ")}</b></span></span></div>
    ${linesOf(card).map(
      (each) =>
        html`<div class="line"><b class="event-name">${each.event}</b><span class="blanks">${each.blanks.map(Blank)}</span>${each.blanks.map(
          ({ box }) => open === box && html`<p class="why">${lines.get(box)?.reason}</p>`,
        )}</div>`,
    )}
  </section>`;
}

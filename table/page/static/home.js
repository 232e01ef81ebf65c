// The table between two games: the same again, another game, the last sheet, and dice that are read for fun.
import { html } from "./vendor/preact-htm.js";
import { playAgain } from "./again.js";
import { later } from "./later.js";
import { Message } from "./notice.js";
import { OfferPlace } from "./offerplace.js";
import { Token } from "./players.js";

/** @import { AskingDice, AskingSeenSticks, Page } from "./types.d.ts" */

const Shelf = later(() => import("./shelf.js").then((found) => found.Shelf));

/**
 * asked: the dice in question; the tap to say what they show.
 * @param {Omit<Page, "asking"> & { asked: AskingDice | AskingSeenSticks | null, hand: unknown }} props
 */
export function Home({ snapshot, games, asked, send, setView, setAsking, notice, setNotice, last, hand }) {
  const { tray } = snapshot;
  return html`
    <div class="choices" id="choices">
      ${asked && html`<button class="choice" id="say" onClick=${() => setAsking(asked)}>Say what it shows</button>`}
      ${
        last &&
        html`<button class="choice again" id="same-again"
          onClick=${() => playAgain(last, send)}>
          <span>Same again: ${last.title}</span>
          <span class="who-again">${last.players.map(
            (p) => html`<span><${Token} colour=${p.colour} second=${p.second} />${p.name}</span>`,
          )}</span>${last.rematch && html`<small>${last.rematch}</small>`}</button>`
      }
      ${
        last
          ? html`<div class="row-of-two"><${NewGameButton} quiet ...${{ setView }} />
            <button class="choice quiet" id="last-sheet" onClick=${() => setView("sheet")}>The last sheet</button></div>`
          : html`<${NewGameButton} ...${{ setView }} />`
      }
      ${hand}
      <div class="row-of-two"><${OfferPlace} setView=${setView} />
        <button class="choice quiet" id="set-up" onClick=${() => setView("health")}>Set-up</button></div>
    </div>
    <${Shelf} ...${{ games, last, setView }} />
    <ol class="rulings" id="free-throws" aria-label="What was thrown">${tray.free_throws
      .slice(-8)
      .reverse()
      .map((t) => html`<li>${t.join("  ")}</li>`)}</ol>
    <${Message} ...${{ snapshot, notice, setNotice }} />`;
}

/** @param {Pick<Page, "setView"> & { quiet?: boolean }} props */
function NewGameButton({ quiet, setView }) {
  return html`<button class=${quiet ? "choice quiet" : "choice"} id="new-game" onClick=${() => setView("new")}>
    ${quiet ? "Another game" : "New game"}</button>`;
}

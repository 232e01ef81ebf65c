// The shelf at home: the pictures of all games. A tap opens the form for a new game with that game chosen.
import { html } from "./vendor/preact-htm.js";
import { draft, saveDraft, whoPlayed } from "./draft.js";
import { EmblemOf } from "./emblems.js";

/** @import { Page } from "./types.d.ts" */

/** @param {Pick<Page, "games" | "last" | "setView">} props */
export function Shelf({ games, last, setView }) {
  /** @param {string} name */
  function take(name) {
    const { players, settings } = draft() ?? { players: whoPlayed(last), settings: {} };
    saveDraft({ name, players, settings, chosen: true });
    setView("new");
  }
  return html`<section class="shelf" aria-label="Games">
    <div class="scrolls">${games?.games.map(
      (g) => html`<button data-game=${g.name} onClick=${() => take(g.name)}>
        <${EmblemOf} name=${g.name} />${g.title}</button>`,
    )}</div>
  </section>`;
}

// The button to set the tray, on the screen between two games.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { placeOf } from "./table.js";

/** @import { Page } from "./types.d.ts" */

/**
 * The button to set the tray, as long as nobody has set it.
 * @param {Pick<Page, "setView">} props
 */
export function OfferPlace({ setView }) {
  const [asked, setAsked] = useState(true);
  useEffect(() => {
    placeOf().then((current) => setAsked(current.asked ?? true));
  }, []);
  return asked
    ? null
    : html`<button class="choice quiet" id="set-tray"
        onClick=${() => setView("place")}>Set the tray</button>`;
}

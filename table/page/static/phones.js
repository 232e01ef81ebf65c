// The step for phones: the table's address, to type or to scan.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { StepTools } from "./steps.js";
import { addressesOf } from "./table.js";

/** @import { Page, PhoneAddress, View } from "./types.d.ts" */

const QUIET = 4; // modules of white round a QR code, as its standard asks

/** @param {Page & { view: View }} props */
export function PhonesStep({ view, setView, setNotice, back }) {
  const [addresses, setAddresses] = useState(/** @type {PhoneAddress[] | null} */ (null));
  const [shown, setShown] = useState(0);
  useEffect(() => {
    addressesOf().then((answer) => {
      setNotice(answer.error ?? "", answer.lost);
      if (!answer.error) setAddresses(answer.addresses);
    });
  }, []);
  if (!addresses) return html`<main class="text"><p>Looking for the address …</p></main>`;
  const tools = html`<${StepTools} ...${{ view, id: "phones-done", done: true, setView, back }} />`;
  const address = addresses[shown];
  if (!address)
    return html`<main class="set-up phones alone">
      <p class="summary" id="no-address">Phones cannot reach this table: it serves this computer alone, or has no network.</p>
      <p class="hint">Connect it to the house's network, and start it without --host 127.0.0.1.</p>
      ${tools}</main>`;
  return html`<main class="set-up phones">
    <div class="qr-place"><${QrCode} rows=${address.qr} of=${address.url} /></div>
    <section class="side">
      <p class="summary">Point a phone's camera at the code, or type:</p>
      <p class="address" id="address">${address.url}</p>
      <p class="hint">The phone has to be in the same network. Everybody there can follow the game.</p>
      ${
        addresses.length > 1 &&
        html`<div class="chips" role="group" aria-label="Other addresses">${addresses.map(
          ({ url }, i) => html`<button class="chip" aria-pressed=${i === shown}
            onClick=${() => setShown(i)}>${url.slice("http://".length, -1)}</button>`,
        )}</div>
        <p class="hint">If one does not open, try the next.</p>`
      }
    </section>
    ${tools}</main>`;
}

/**
 * A QR code, dark on white in every scheme, because many phones read no other.
 * @param {{ rows: string[], of: string }} props
 */
function QrCode({ rows, of }) {
  const size = rows.length + 2 * QUIET;
  const path = rows
    .flatMap((row, y) => [...row].map((c, x) => (c === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")))
    .join("");
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${`QR code of ${of}`}
      shape-rendering="crispEdges"><rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" /></svg>`;
}

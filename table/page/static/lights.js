// The step of the lights and buttons: a tap lights a light at the table, and a press there shows here.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { StepTools } from "./steps.js";
import { lightsOf, tryLight } from "./table.js";

/** @import { Answer, Lights, Page, View } from "./types.d.ts" */

const ASK_MS = 400; // a press shows while the finger is still there
const SHINES_MS = 2000; // as long as the light at the table
/** @type {Record<string, string>} */
const BUTTONS = { confirm: "Hold / confirm", read_again: "Read again" };

/** @param {Page & { view: View }} props */
export function LightsStep({ view, snapshot, setView, setNotice, back }) {
  const [lights, setLights] = useState(/** @type {Lights | null} */ (null));
  const [lit, setLit] = useState(/** @type {number | null | undefined} */ (undefined)); // null: the status light

  /** @param {Answer<Lights>} answer */
  function take(answer) {
    if (!answer.error) setLights(answer);
    return !answer.error;
  }
  useEffect(() => {
    const ask = async () => take(await lightsOf());
    ask();
    const timer = setInterval(ask, ASK_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (lit === undefined) return undefined;
    const timer = setTimeout(setLit, SHINES_MS, undefined);
    return () => clearTimeout(timer);
  }, [lit]);

  /** @param {number | null} seat */
  async function light(seat) {
    const answer = await tryLight(seat);
    setNotice(answer.error ?? "", answer.lost);
    if (take(answer)) setLit(seat);
  }

  if (!lights) return html`<main class="text"><p>Looking at the lights …</p></main>`;
  const tools = html`<${StepTools} ...${{ view, id: "lights-done", done: lights.present, setView, back }} />`;
  if (!lights.present)
    return html`<main class="set-up lights">
      <p class="summary">The table has no lights or buttons. It works without them.</p>
      <p class="hint" id="no-lights">${sentence(lights.reason)}</p>
      <p class="hint">How to wire them is in the README, under “Lights and buttons”.</p>
      ${tools}</main>`;
  const names = snapshot.match?.players.map((p) => p.name) ?? [];
  return html`<main class="set-up lights">
    <p class="summary" id="try-lights" role="status">${asks(lights)}</p>
    <div class="lamps" role="group" aria-label="Lights">
      ${Array.from({ length: lights.seats }, (_, i) => i).map(
        (
          i,
        ) => html`<button class="lamp" id=${`light-${i}`} disabled=${!lights.may_try} data-lit=${lit === i ? "" : null}
          onClick=${() => light(i)}><i aria-hidden="true"></i>${names[i] ?? `Seat ${i + 1}`}</button>`,
      )}
      <button class="lamp" id="light-status" disabled=${!lights.may_try} data-lit=${lit === null ? "" : null}
          onClick=${() => light(null)}><i aria-hidden="true"></i>Status</button>
    </div>
    <ul class="buttons" aria-label="Buttons at the table">${lights.buttons.map(
      ({
        name,
        presses,
        held,
      }) => html`<li class="button-seen" data-button=${name} data-held=${held ? "" : null}>
        <b>${BUTTONS[name] ?? name}</b> <span role="status">${pressed(presses, held)}</span></li>`,
    )}</ul>
    ${tools}</main>`;
}

/** @param {Lights} lights */
const asks = ({ may_try }) =>
  may_try
    ? "Tap a light: it shines for two seconds at the table. Press each button there: it shows here."
    : "Press a button at the table. Then its lights can be tried from here; this keeps guests from doing it.";

/**
 * @param {number} presses
 * @param {boolean} held
 */
function pressed(presses, held) {
  if (held && !presses) return "looks pressed, but nobody pressed it: check its wires";
  if (held) return "is pressed now";
  if (!presses) return "not pressed yet";
  return presses === 1 ? "✓ pressed once" : `✓ pressed ${presses} times`;
}

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

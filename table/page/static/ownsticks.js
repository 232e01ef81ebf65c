// Showing the table its own sticks: the sticks in the tray, the side that lies up, and what was learned before.
import { html, useState } from "./vendor/preact-htm.js";
import { StepTools } from "./steps.js";
import { forgetSide, learnSide, ownSticks, undoStep } from "./table.js";
import { useTaught } from "./taught.js";
import { Tray } from "./tray.js";

/** @import { Page, TrayStick } from "./types.d.ts" */

const GOOD = 8; // descriptors of a side after which more help little: two sticks in two places

/** @param {number} samples */
const ticks = (samples) => (samples >= GOOD ? " ✓✓" : samples ? " ✓" : "");

/** @param {Page} page */
export function ShowSticks(page) {
  const { snapshot, setView, back } = page;
  const { tray, match } = snapshot;
  const { listed, busy, setBusy, learned, setLearned, moving, take, refresh } = useTaught(ownSticks, page);
  const [face, setFace] = useState("round");

  if (!listed?.lying) return html`<main class="text"><p>Looking at the tray …</p></main>`;
  const { lying, faces, telling } = listed;
  const count = moving ? 0 : lying.sticks.length;
  /** @type {TrayStick[]} */
  const marks = moving ? [] : lying.sticks.map((s) => ({ ...s, part: "still", index: null, likely: [] }));

  async function learn() {
    setBusy(true);
    if (take(await learnSide(face))) {
      setLearned(`${face} is learned. Turn them a little and learn it again.`);
      await refresh();
    }
    setBusy(false);
  }

  /** @param {string} side */
  async function forget(side) {
    setLearned("");
    if (take(await forgetSide(side))) await refresh();
  }

  async function undo() {
    setLearned("");
    if (take(await undoStep("sticks"))) await refresh();
  }

  return html`<main class="play colours">
    <section class="left"><${Tray} tray=${{ ...tray, size: lying.size, dice: [], sticks: marks }}
        chosen=${new Set()} label=${() => "a stick to learn"} /></section>
    <section class="side">
      ${
        match?.phase === "play" &&
        html`<p class="message"
          id="playing">A game is on: sticks put in the tray now count as thrown.</p>`
      }
      <p id="lying" role="status">${
        learned ||
        (count
          ? `${count === 1 ? "One stick is" : `${count} sticks are`} seen in the tray.`
          : tray.blind
            ? tray.message
            : moving
              ? "Wait until the sticks lie still."
              : "Lay one or more sticks in the tray, all with the same side up, not touching.")
      }</p>
      <div class="chips" role="group" aria-label="Which side is up">${faces.map(
        (side) => html`<button class="chip" data-side=${side.face} aria-pressed=${face === side.face}
          aria-label=${`${side.face}, learned from ${side.samples} pictures`}
          onClick=${() => setFace(side.face)}>${side.face}${ticks(side.samples)}</button>`,
      )}</div>
      <div class="send-row"><button class="choice" id="learn" disabled=${!count || busy}
          onClick=${learn}>${busy ? "Learning …" : `Learn this side: ${face}`}</button>
        ${
          faces.some((side) => side.face === face && side.samples > 0) &&
          html`<button class="tool" id="forget" aria-label=${`forget ${face}`}
            onClick=${() => forget(face)}>Forget</button>`
        }</div>
      <p class="hint" id="taught-hint">${
        telling
          ? "The table knows your sticks by these sides."
          : "Show at least two sides, each in a few positions. Sticks with Ogham letters need not be shown."
      }</p>
    </section>
    <${StepTools} ...${{ view: "sticks", id: "sticks-done", setView, back, undo }} done=${telling}
      undoable=${busy ? 0 : listed.undo} />
  </main>`;
}

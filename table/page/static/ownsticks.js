// Showing the table its own sticks, or the coins in place of them: those in the tray, the side that lies up, and
// what was learned before.
import { html, useState } from "./vendor/preact-htm.js";
import { NothingYet, StepTools } from "./steps.js";
import { forgetSide, learnSide, ownCoins, ownSticks, undoStep } from "./table.js";
import { useTaught } from "./taught.js";
import { Tray } from "./tray.js";

/** @import { Page, TrayStick } from "./types.d.ts" */

/**
 * What is shown. good: descriptors of a side after which more help little, such as two sticks in two places.
 * @typedef {{ what: "sticks" | "coins", noun: string, first: string, good: number, ask: typeof ownSticks, told: string, hint: string }} Shown
 */

/** @type {Shown} */
const STICKS = {
  what: "sticks",
  noun: "stick",
  first: "round",
  good: 8,
  ask: ownSticks,
  told: "The table knows your sticks by these sides.",
  hint: "Show at least two sides, each in a few positions. Sticks with Ogham letters need not be shown.",
};

/** @type {Shown} */
const COINS = {
  what: "coins",
  noun: "coin",
  first: "heads",
  good: 16,
  ask: ownCoins,
  told: "The table knows your coins by both sides.",
  hint: "Show heads and tails, all four coins at once, in four positions each.",
};

/**
 * The sticks, or the coins in place of them; the game that is on says which come first.
 * @param {Page} page
 */
export function ShowSticks(page) {
  const plays = page.snapshot.match?.settings["sticks"];
  const [shown, setShown] = useState(plays === "coins" ? COINS : STICKS);
  const choice = html`<div class="chips" role="group" aria-label="What you throw">${[STICKS, COINS].map(
    (each) => html`<button class="chip" id=${`show-${each.what}`} aria-pressed=${each === shown}
      onClick=${() => setShown(each)}>${each.noun}s</button>`,
  )}</div>`;
  return html`<${ShowSides} key=${shown.what} ...${page} shown=${shown} choice=${choice} />`;
}

/** @param {Page & { shown: Shown, choice: unknown }} props */
function ShowSides({ shown, choice, ...page }) {
  const { what, noun, good } = shown;
  const { snapshot, setView, back } = page;
  const { tray, match } = snapshot;
  const { listed, busy, setBusy, learned, setLearned, moving, take, refresh } = useTaught(shown.ask, page);
  const [face, setFace] = useState(shown.first);

  if (!listed?.lying)
    return html`<${NothingYet} ...${{ view: "sticks", id: "sticks-done", tray, setView, back }} />`;
  const { lying, faces, telling } = listed;
  const count = moving ? 0 : lying.sticks.length;
  /** @type {TrayStick[]} */
  const marks = moving ? [] : lying.sticks.map((s) => ({ ...s, part: "still", index: null, likely: [] }));

  async function learn() {
    setBusy(true);
    if (take(await learnSide(what, face))) {
      setLearned(`${face} is learned. Turn them a little and learn it again.`);
      await refresh();
    }
    setBusy(false);
  }

  /** @param {string} side */
  async function forget(side) {
    setLearned("");
    if (take(await forgetSide(what, side))) await refresh();
  }

  async function undo() {
    setLearned("");
    if (take(await undoStep(what))) await refresh();
  }

  return html`<main class="play colours">
    <section class="left"><${Tray} tray=${{ ...tray, size: lying.size, dice: [], sticks: marks }}
        chosen=${new Set()} label=${() => `a ${noun} to learn`} /></section>
    <section class="side">
      ${choice}
      ${
        match?.phase === "play" &&
        html`<p class="message"
          id="playing">A game is on: ${noun}s put in the tray now count as thrown.</p>`
      }
      <p id="lying" role="status">${
        learned ||
        (count
          ? `${count === 1 ? `One ${noun} is` : `${count} ${noun}s are`} seen in the tray.`
          : tray.blind
            ? tray.message
            : moving
              ? `Wait until the ${noun}s lie still.`
              : `Lay one or more ${noun}s in the tray, all with the same side up, not touching.`)
      }</p>
      <div class="chips" role="group" aria-label="Which side is up">${faces.map(
        (side) => html`<button class="chip" data-side=${side.face} aria-pressed=${face === side.face}
          aria-label=${`${side.face}, learned from ${side.samples} pictures`}
          onClick=${() => setFace(side.face)}>${side.face}${side.samples >= good ? " ✓✓" : side.samples ? " ✓" : ""}</button>`,
      )}</div>
      <div class="send-row"><button class="choice" id="learn" disabled=${!count || busy}
          onClick=${learn}>${busy ? "Learning …" : `Learn this side: ${face}`}</button>
        ${
          faces.some((side) => side.face === face && side.samples > 0) &&
          html`<button class="tool" id="forget" aria-label=${`forget ${face}`}
            onClick=${() => forget(face)}>Forget</button>`
        }</div>
      <p class="hint" id="taught-hint">${telling ? shown.told : shown.hint}</p>
    </section>
    <${StepTools} ...${{ view: "sticks", id: "sticks-done", setView, back, undo }} done=${telling}
      undoable=${busy ? 0 : listed.undo} />
  </main>`;
}

// Teaching dice colours: the dice in the tray, the name for their colour, and the colours that were taught
// before.
import { html, useState } from "./vendor/preact-htm.js";
import { Keyboard, useKeyboard, useTyping } from "./keyboard.js";
import { NothingYet, StepTools } from "./steps.js";
import { coloursOf, forgetColour, learnColour, undoStep } from "./table.js";
import { useTaught } from "./taught.js";
import { Tray } from "./tray.js";

/** @import { Box, TaughtColour, Marked, Page, Typed } from "./types.d.ts" */

/**
 * The dice in the tray as marks for the picture.
 * @param {{ boxes: Box[] }} lying
 * @returns {Marked[]}
 */
const marks = ({ boxes }) => boxes.map((box) => ({ box, face: null, part: "thrown" }));
const MOST_SWATCHES = 6;

/** @param {{ colour: string, label?: string }} props */
const Swatch = ({ colour, label }) =>
  html`<span class="swatch" role="img" aria-label=${label ?? ""} style=${{ background: colour }}></span>`;

/**
 * A free name: the colour itself, or the colour with a number.
 * @param {string | null} colour
 * @param {TaughtColour[]} taught
 */
function freeName(colour, taught) {
  const names = new Set(taught.map((c) => c.name.toLowerCase()));
  let name = colour ?? "";
  for (let n = 2; names.has(name); n += 1) name = `${colour} ${n}`;
  return name;
}

/** @param {Page} page */
export function Colours(page) {
  const { snapshot, games, setView, back } = page;
  const { tray, match } = snapshot;
  const { listed, busy, setBusy, learned, setLearned, moving, take, refresh } = useTaught(coloursOf, page);
  // null: nothing was typed, so a free name is suggested
  const [name, setName] = useState(/** @type {string | null} */ (null));
  const [playsAs, setPlaysAs] = useState(/** @type {string | null} */ (null));

  const keyboard = useKeyboard();
  const { typing, enter, leave } = useTyping();

  if (!listed?.lying)
    return html`<${NothingYet} ...${{ view: "colours", id: "colours-done", tray, setView, back }} />`;
  const { lying, colours, telling } = listed;
  const count = moving ? 0 : lying.boxes.length;
  const called = name ?? freeName(lying.colour, colours);
  const again = colours.find((c) => c.name.toLowerCase() === called.trim().toLowerCase());
  const plays = playsAs ?? again?.plays_as ?? lying.plays_as ?? "";
  /** @param {string} text */
  const rename = (text) => {
    setName(text);
    setLearned("");
  };
  /** @param {string} colour */
  const takenBy = (colour) => colours.find((c) => c.plays_as === colour && c !== again);

  /** @param {Event} event */
  async function learn(event) {
    event.preventDefault();
    setBusy(true);
    if (take(await learnColour(called, plays))) {
      setLearned(`${called.trim()} is learned.`);
      setName(null);
      setPlaysAs(null);
      await refresh();
    }
    setBusy(false);
  }

  /** @param {TaughtColour} colour */
  async function forget(colour) {
    setLearned("");
    if (take(await forgetColour(colour.name))) await refresh();
  }

  async function undo() {
    setLearned("");
    if (take(await undoStep("colours"))) await refresh();
  }

  return html`<main class="play colours">
    <section class="left"><${Tray} tray=${{ ...tray, size: lying.size, dice: moving ? [] : marks(lying), sticks: [] }}
        chosen=${new Set()} label=${() => "a die to learn"} /></section>
    <section class="side">
      ${
        match?.phase === "play" &&
        html`<p class="message"
          id="playing">A game is on: dice put in the tray now count as thrown.</p>`
      }
      <form class="teach" onSubmit=${learn}>
        <p id="lying" role="status">${
          learned &&
          html`<b
            id="learned">${learned}</b> `
        }${
          count
            ? html`${lying.swatches.slice(0, MOST_SWATCHES).map(
                (colour) => html`<${Swatch}
                colour=${colour} />`,
              )} ${lying.swatches.length > MOST_SWATCHES && "… "}${count === 1 ? "One die lies" : `${count} dice lie`} in the tray.`
            : tray.blind
              ? tray.message
              : moving
                ? "Wait until the dice lie still."
                : "Put a few dice of one colour in the tray, not touching."
        }</p>
        <label class="setting"><span>Name</span><input name="colour-name" maxlength="24" autocomplete="off"
            value=${called} disabled=${!count} inputmode=${keyboard ? "none" : null}
            onFocus=${() => enter(0)} onBlur=${leave}
            onInput=${(/** @type {Typed} */ e) => rename(e.target.value)} /></label>
        <label class="setting"><span>Plays as<small>the colour in games</small></span>
          <select name="plays-as" value=${plays} disabled=${!count}
              onChange=${(/** @type {Typed} */ e) => setPlaysAs(e.target.value)}>
            ${(games?.colours ?? []).map(
              (c) => html`<option value=${c}
                disabled=${Boolean(takenBy(c))}>${c}${takenBy(c) ? ` (${takenBy(c)?.name})` : ""}</option>`,
            )}</select></label>
        <button class="choice" id="learn" type="submit"
            disabled=${!count || busy || !called.trim()}>${busy ? "Learning …" : again ? `Learn more of ${again.name}` : "Learn these dice"}</button>
      </form>
      <ul class="taught" id="taught">${colours.map(
        (c) => html`<${Taught} key=${c.name} colour=${c}
          forget=${() => forget(c)} />`,
      )}</ul>
      <p class="hint"
          id="taught-hint">${telling ? "The table recognises your dice by these colours in any light." : "Teach at least two colours. Then the table recognises your dice in any light."}</p>
    </section>
    <${StepTools} ...${{ view: "colours", id: "colours-done", setView, back, undo }} done=${telling}
      undoable=${busy ? 0 : listed.undo} />
  </main>
  ${keyboard && typing !== null && html`<${Keyboard} value=${called} onChange=${rename} />`}`;
}

/**
 * One taught colour. Its button forgets it after a second tap.
 * @param {{ colour: TaughtColour, forget: () => void }} props
 */
function Taught({ colour, forget }) {
  const [confirming, setConfirming] = useState(false);
  return html`<li data-colour=${colour.name}>
    <${Swatch} colour=${colour.swatch} />
    <span
        class="name">${colour.name}${colour.name !== colour.plays_as && html`<small>plays as ${colour.plays_as}</small>`}</span>
    <button class=${confirming ? "tool sure" : "tool"} aria-label=${`forget ${colour.name}`}
        onBlur=${() => setConfirming(false)}
        onClick=${confirming ? forget : () => setConfirming(true)}>${confirming ? "Tap again" : "Forget"}</button>
  </li>`;
}

// What no camera sees and people tell by tapping: sticks, numbers, bids, bets, picks, and choices from a long list.
import { html, useState } from "./vendor/preact-htm.js";
import { BODY, Die } from "./dice.js";
import { Sticks } from "./sticks.js";

/**
 * @import {
 *   BetsPrompt, Bid, BidPrompt, ChoosePrompt, Match, NumberPrompt, Option, PickPrompt, Prompt,
 *   SticksPrompt, Tell, Typed
 * } from "./types.d.ts"
 */

const FEW = 4; // options that stand beside the tray
const CHIPS = 11; // numbers that are tapped outright; more are told by the keypad
const MOST_BID = 99;

/**
 * Whether a prompt is answered with controls that want more room than there is beside the tray.
 * @param {Prompt} prompt
 */
export const wantsRoom = (prompt) =>
  prompt.kind in CONTROLS || (prompt.kind === "choose" && prompt.options.length > FEW);

/**
 * The options that stand as large buttons below the prompt: all of a short choice, and those beside a bid or the bets.
 * @param {Prompt} prompt
 * @returns {Option[]}
 */
export const shortOptions = (prompt) =>
  prompt.kind === "choose" && prompt.options.length > FEW ? [] : (prompt.options ?? []);

/**
 * The controls of a prompt that wants room. tell: sends an answer; resolves to whether it counted.
 * @param {{ prompt: Prompt, match: Match, tell: Tell }} props
 */
export function Telling({ prompt, match, tell }) {
  const Controls = CONTROLS[prompt.kind] ?? LongChoice;
  const same = prompt.kind === "bets" ? prompt.player : match.at; // what was marked for one bet stays for the next
  return html`<div class="telling" id="telling" data-kind=${prompt.kind}><${Controls}
      key=${`${prompt.kind} ${same}`} ...${{ prompt, match, tell }} /></div>`;
}

/** @param {{ prompt: ChoosePrompt, tell: Tell }} props */
function LongChoice({ prompt, tell }) {
  return html`<div class="choices many">${prompt.options.map(
    (o) => html`<button class="choice"
      data-option=${o.id} onClick=${() => tell({ choose: o.id })}>${o.text}</button>`,
  )}</div>`;
}

/** @param {{ prompt: SticksPrompt, tell: Tell }} props */
function StickThrow({ prompt, tell }) {
  const [faces, setFaces] = useState(prompt.sticks.map((of) => of[0]));
  return html`<p class="hint">Tap each stick until it shows what lies there.</p>
    <${Sticks} of=${prompt.sticks} ...${{ faces, setFaces }} />
    <button class="choice" id="lie-so" onClick=${() => tell({ sticks: faces })}>They lie so</button>`;
}

/**
 * value: null before anything was told. Few numbers are tapped outright, others typed on a keypad: a screen on the table has no keys.
 * @param {{ label: string, value: number | null, setValue: (value: number | null) => void, least: number, most: number, keypad?: boolean }} props
 */
function Amount({ label, value, setValue, least, most, keypad = true }) {
  /** @param {number} by */
  const step = (by) => setValue(value === null ? least : Math.min(most, Math.max(least, value + by)));
  /** @param {string} text */
  const type = (text) => {
    const digits = text.replace(/\D/g, "").slice(0, 15);
    setValue(digits ? Number(digits) : null);
  };
  const chips = keypad && most - least < CHIPS;
  return html`<div class="amounts"><div class="amount" role="group" aria-label=${label}>
    <button class="step" aria-label="one less" disabled=${value === null || value <= least}
        onClick=${() => step(-1)}>−</button>
    <input class="count" inputmode="numeric" autocomplete="off" aria-label=${label}
        placeholder=${`${least.toLocaleString("en")} to ${most.toLocaleString("en")}`}
      value=${value ?? ""} onInput=${(/** @type {Typed} */ e) => {
        type(e.target.value);
        if (/\D/.test(e.target.value)) e.target.value = e.target.value.replace(/\D/g, "");
      }} />
    <button class="step" aria-label="one more" disabled=${value !== null && value >= most}
        onClick=${() => step(1)}>+</button>
  </div>
  ${
    chips &&
    html`<div class="chips" role="group" aria-label=${label}>${Array.from(
      { length: most - least + 1 },
      (_, i) => least + i,
    ).map(
      (n) => html`<button
    class="chip" data-number=${n} aria-pressed=${value === n} onClick=${() => setValue(n)}>${n}</button>`,
    )}</div>`
  }
  ${
    keypad &&
    !chips &&
    html`<div class="keypad" role="group" aria-label="keypad">
    ${[1, 2, 3, 4, 5].map(
      (n) => html`<button class="chip" data-key=${n}
        onClick=${() => type(`${value ?? ""}${n}`)}>${n}</button>`,
    )}
    <button class="chip" data-key="back" aria-label="take the last digit away"
        onClick=${() => type(String(value ?? "").slice(0, -1))}>⌫</button>
    ${[6, 7, 8, 9, 0].map(
      (n) => html`<button class="chip" data-key=${n}
        onClick=${() => type(`${value ?? ""}${n}`)}>${n}</button>`,
    )}
    <button class="chip" data-key="clear" aria-label="clear" onClick=${() => setValue(null)}>C</button>
  </div>`
  }</div>`;
}

/** @param {{ prompt: NumberPrompt, tell: Tell }} props */
function NumberTold({ prompt: { least, most }, tell }) {
  const [value, setValue] = useState(most - least < CHIPS ? least : null);
  return html`<${Amount} label="number" ...${{ value, setValue, least, most }} />
    <button class="choice" id="tell-number" disabled=${value === null}
        onClick=${() => tell({ number: value })}>
      ${value === null ? "Tap the number" : `Say ${value.toLocaleString("en")}`}</button>`;
}

/**
 * One more of the face that stands is above it by the rules of every bid; lower ones are a tap or two away.
 * @param {BidPrompt["above"]} above
 * @returns {Bid}
 */
const firstBid = (above) => (above ? { count: above.count + 1, face: above.face } : { count: 1, face: 2 });

/** @param {{ prompt: BidPrompt, tell: Tell }} props */
function BidTold({ prompt, tell }) {
  const [{ count, face }, setBid] = useState(firstBid(prompt.above));
  return html`${
    prompt.above &&
    html`<p class="standing"
      id="above">The bid: <b>${prompt.above.count} ×</b> <span class="inline-die"><${Die}
          face=${prompt.above.face} /></span><span
              class="unseen">${`dice of face ${prompt.above.face}`}</span></p>`
  }
    <${Amount} label="how many dice" value=${count}
        setValue=${(/** @type {number | null} */ n) => setBid({ count: n, face })} least=${1} most=${MOST_BID}
        keypad=${false} />
    <div class="faces six" role="group" aria-label="of which face">${[1, 2, 3, 4, 5, 6].map(
      (f) => html`<button class="face" data-face=${f} aria-pressed=${face === f} aria-label=${`face ${f}`}
      onClick=${() => setBid({ count, face: f })}><${Die} face=${f} /></button>`,
    )}</div>
    <button class="choice" id="bid" disabled=${count === null}
        aria-label=${`bid ${count} dice of face ${face}`} onClick=${() => tell({ bid: { count, face } })}>
      Bid ${count} × <span class="inline-die"><${Die} face=${face} /></span></button>`;
}

/** @param {{ prompt: BetsPrompt, match: Match, tell: Tell }} props */
function Bets({ prompt, match, tell }) {
  const [who, setWho] = useState(prompt.bettors.length === 1 ? prompt.bettors[0] : null);
  const [on, setOn] = useState(/** @type {string | null} */ (null));
  const [stake, setStake] = useState(/** @type {number | null} */ (null));
  const player = prompt.bettors.find((p) => p === who);
  const target = prompt.on.find((o) => o.id === on);
  const open = [!player && "who bets", !target && "on what", stake === null && "how much"].filter(Boolean);
  const whole = `${player}: ${stake?.toLocaleString("en")} on ${target?.text}`;
  const bet = async () => {
    if (await tell({ bet: { player, on, stake } })) setStake(null);
  };
  /** @param {string} name */
  const colourOf = (name) => match.players.find((p) => p.name === name)?.colour ?? "";
  /** @param {string} name */
  const bettor = (name) => html`<button class="chip" data-bettor=${name} aria-pressed=${player === name}
      onClick=${() => setWho(name)}>
    <span class="swatch"
        style=${{ background: BODY[colourOf(name)] ?? "transparent" }}></span> ${name}</button>`;
  return html`${
    prompt.bettors.length > 1 &&
    html`<div class="chips" role="group"
      aria-label="who bets">${prompt.bettors.map(bettor)}</div>`
  }
    <div class="chips" role="group" aria-label="on what">${prompt.on.map(
      (o) => html`<button class="chip"
        data-on=${o.id} aria-pressed=${on === o.id} onClick=${() => setOn(o.id)}>${o.text}</button>`,
    )}</div>
    <${Amount} label="stake" value=${stake} setValue=${setStake} least=${1} most=${prompt.most} />
    <button class="choice" id="bet" disabled=${open.length > 0}
        onClick=${bet}>${open.length ? `Tell ${open.join(", ")}` : whole}</button>`;
}

/** @param {{ prompt: PickPrompt, tell: Tell }} props */
function Pick({ prompt: { items, least, most }, tell }) {
  const [picked, setPicked] = useState(/** @type {string[]} */ ([]));
  const full = picked.length >= most;
  const wanted = least === most ? `${least}` : `${least} to ${most}`;
  /** @param {string} id */
  const toggle = (id) =>
    setPicked(picked.includes(id) ? picked.filter((p) => p !== id) : most === 1 ? [id] : [...picked, id]);
  const take = ["Take none", "Take this one"][picked.length] ?? `Take these ${picked.length}`;
  const enough = picked.length >= least && picked.length <= most;
  return html`<div class="chips wide" role="group" aria-label=${`pick ${wanted}`}>${items.map(
    (o) => html`<button class="chip" data-item=${o.id} aria-pressed=${picked.includes(o.id)}
      disabled=${full && most > 1 && !picked.includes(o.id)}
      onClick=${() => toggle(o.id)}>${
        BODY[o.text] &&
        html`<span class="swatch"
          style=${{ background: BODY[o.text] }}></span> `
      }${o.text}</button>`,
  )}</div>
    <button class="choice" id="pick" disabled=${!enough}
        onClick=${() => tell({ pick: items.map((o) => o.id).filter((id) => picked.includes(id)) })}>
      ${enough ? take : `Tap ${wanted}: ${picked.length} so far`}</button>`;
}

/**
 * The controls by the kind of the prompt.
 * @type {Record<string, (props: any) => unknown>}
 */
const CONTROLS = { sticks: StickThrow, number: NumberTold, bid: BidTold, bets: Bets, pick: Pick };

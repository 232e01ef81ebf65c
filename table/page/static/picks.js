// Picks: dice from a pile, dice that fell from towers, players, or items of a list.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { BODY } from "./dice.js";
import { DiceInTower } from "./intower.js";
import { Token } from "./players.js";
import { unbroken } from "./states.js";
import { fallenWith, towerOf } from "./towers.js";

/** @import { Level, Match, Option, PickPrompt, SendAnswer, Spot, Taps, TrayView } from "./types.d.ts" */

const MOST_PILES = 4; // kinds of dice that have a pile each, side by side

/** @param {{ prompt: PickPrompt, match: Match, tray: TrayView, taps: Taps, sendAnswer: SendAnswer }} props */
export function Pick({
  prompt: { items, least, most, for: about, levels = [] },
  match: { players, board },
  tray,
  taps,
  sendAnswer,
}) {
  const { picked } = taps;
  const full = picked.length >= most;
  const wanted = least === most ? `${least}` : `${least} to ${most}`;
  /** @param {Option} item */
  const person = (item) => players.find((p) => p.name === item.text);
  const fallen = new Set([...picked, ...fallenWith(levels, picked).map((each) => each.item)]).size;
  const label = items.every(person)
    ? items.flatMap((o) => (picked.includes(o.id) ? [o.text] : [])).join(", ") || "Nobody"
    : about === "fell"
      ? fallen === 1
        ? "This one fell"
        : `These ${fallen} fell`
      : (["Take none", "Take this one"][picked.length] ?? `Take these ${picked.length}`);
  const dice = items.every((o) => BODY[o.text.split(" ")[0]]);
  const asked = items.every(person) ? "Tap who" : dice ? "Tap the dice" : "Tap which";
  const count = least === most && picked.length ? `${picked.length} of ${most}` : wanted;
  const any = least === 1 && most === items.length; // as many as there are
  const enough = picked.length >= least && picked.length <= most;
  const kinds = [...new Set(items.map((o) => o.text))];
  const piled = kinds.length <= MOST_PILES && kinds.length < items.length;
  return html`${
    piled
      ? html`<${Piles} ...${{ items, kinds, taps, full }} />`
      : levels.length && board
        ? html`<${Towers} spots=${board.spots} ...${{ levels, taps }} first=${tray.fallen_from[0]} />`
        : html`<${List} ...${{ items, players, taps, disabled: full && most > 1, wanted }} />`
  }
    <button class="choice" id="pick" disabled=${!enough}
        onClick=${() => sendAnswer({ pick: items.map((o) => o.id).filter((id) => picked.includes(id)) })}>
      ${enough ? label : any ? asked : `${asked} (${count})`}</button>`;
}

/**
 * Piles of alike dice: a tap takes one more of a pile, and the button below it puts one back.
 * @param {{ items: Option[], kinds: string[], taps: Taps, full: boolean }} props
 */
function Piles({ items, kinds, taps: { picked, mark }, full }) {
  return html`<div class="piles" style=${{ "--piles": kinds.length }}>${kinds.map((kind) => {
    const alike = items.filter((o) => o.text === kind);
    const taken = alike.filter((o) => picked.includes(o.id));
    const next = alike.find((o) => !picked.includes(o.id));
    return html`<div class="pile-of" role="group" aria-label=${kind}>
      <button class="chip" data-pile=${kind} disabled=${full || !next} aria-label=${`${kind}: take one more, ${taken.length} of ${alike.length} taken`}
          aria-pressed=${taken.length > 0} onClick=${() => next && mark(next.id)}>
        ${BODY[kind] && html`<${Token} colour=${kind} />`}<span>${kind}</span><b>${taken.length}<small> of ${alike.length}</small></b></button>
      <button class="chip" data-back=${kind} disabled=${!taken.length} aria-label=${`${kind}: put one back`}
          onClick=${() => mark(taken[taken.length - 1].id)}>−</button></div>`;
  })}</div>`;
}

/**
 * The dice of one tower after another, each from the top, and before them those that were carried off it. What stands
 * on the one that is tapped fell too. first: the number of the tower from which dice seem to have fallen.
 * @param {{ spots: Spot[], levels: Level[], taps: Taps, first?: number }} props
 */
function Towers({ spots, levels, taps, first }) {
  const { picked, towers } = taps;
  const fell = fallenWith(levels, picked).map((each) => each.item);
  const asked = spots.filter((spot) => towers.has(spot.id));
  const [wanted, setWanted] = useState(
    (asked.find((spot) => Number(towerOf(spot)?.number) === first) ?? asked[0]).id,
  );
  const last = levels.find((each) => each.item === picked.at(-1)); // it may have been tapped on the board
  useEffect(() => last && setWanted(last.spot), [last?.item]);
  const shown = asked.find((spot) => spot.id === wanted);
  const tower = shown && towerOf(shown);
  /** @type {(label: string, dice: Level[]) => unknown} */
  const row = (label, dice) =>
    tower &&
    dice.length > 0 &&
    html`<span class="top" aria-hidden="true">${label}</span><${DiceInTower} levels=${dice} ...${{ tower, taps, fell }} />`;
  const inTower = towers.get(wanted) ?? [];
  return html`<div class="chips groups" role="group" aria-label="Which tower">${asked.map((spot) => {
    const down = towers.get(spot.id)?.filter((each) => fell.includes(each.item)).length;
    return html`<button class="chip" data-tower=${spot.id} aria-pressed=${spot === shown}
        onClick=${() => setWanted(spot.id)}>Tower ${towerOf(spot)?.number}${down ? html` <small>${down} fell</small>` : ""}</button>`;
  })}</div>
  <div class="faces in-tower" role="group" aria-label="Its dice, from the top">${row(
    "carried",
    inTower.filter((each) => each.carried),
  )}${row(
    "top",
    inTower.filter((each) => !each.carried),
  )}</div>`;
}

/**
 * Items side by side, each with its text.
 * @param {{ items: Option[], players: Match["players"], taps: Taps, disabled: boolean, wanted: string }} props
 */
function List({ items, players, taps: { picked, mark }, disabled, wanted }) {
  /** @param {Option} item */
  const tokenOf = (item) =>
    players.find((p) => p.name === item.text) ?? (BODY[item.text] ? { colour: item.text } : null);
  /** The name of one of several that look alike, for screen readers. @param {Option} item */
  const oneOf = (item) => {
    const alike = items.filter((o) => o.text === item.text);
    return alike.length > 1 ? `${item.text}, ${alike.indexOf(item) + 1} of ${alike.length}` : null;
  };
  return html`<div class="chips wide" role="group" aria-label=${`pick ${wanted}`}>${items.map(
    (
      o,
    ) => html`<button class="chip" data-item=${o.id} aria-pressed=${picked.includes(o.id)} aria-label=${oneOf(o)}
      disabled=${disabled && !picked.includes(o.id)}
      onClick=${() => mark(o.id)}>${tokenOf(o) && html`<${Token} ...${tokenOf(o)} /> `}${unbroken(o.text)}</button>`,
  )}</div>`;
}

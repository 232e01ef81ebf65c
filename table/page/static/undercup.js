// The look under the cup on a simulated tray: the player in turn sees the own dice, until they are covered again.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { lookUnderCup } from "./table.js";

/** @import { Playing, Send, SetNotice } from "./types.d.ts" */

/**
 * A button that shows the dice under the own cup, and covers them again. They are covered with the next prompt.
 * Dice to push out are chosen from those.
 * @param {{ snapshot: Playing, send: Send, setNotice: SetNotice }} props
 */
export function UnderCup({ snapshot, send, setNotice }) {
  const { match } = snapshot;
  const [dice, setDice] = useState(/** @type {number[] | null} */ (null));
  useEffect(() => setDice(null), [snapshot.number, match.prompt?.player]);
  async function look() {
    const answer = dice ? null : await lookUnderCup();
    setNotice(answer?.error ?? "", answer?.lost);
    setDice(answer && !answer.error ? answer.dice : null);
  }
  const colour = match.players.find((p) => p.name === match.prompt?.player)?.colour ?? "white";
  const prompt = match.prompt;
  if (dice && prompt?.kind === "roll" && prompt.for === "push")
    return html`<${PushOut} ...${{ dice, colour, count: prompt.dice[0].count, send }} />`;
  return html`<button class="choice quiet under-cup" id="look" aria-pressed=${dice !== null} onClick=${look}>${
    dice
      ? html`<span role="img" aria-label=${`Under the cup: ${dice.join(", ")}`}>${dice.map(
          (face) => html`<span class="inline-die"><${Die} ...${{ face, colour }} /></span>`,
        )}</span> Cover them`
      : prompt?.kind === "roll" && prompt.for === "push"
        ? "Choose which"
        : "Look under the cup"
  }</button>`;
}

/**
 * The dice under the cup, of which so many are chosen, and the button that pushes these out.
 * @param {{ dice: number[], colour: string, count: number, send: Send }} props
 */
function PushOut({ dice, colour, count, send }) {
  const [chosen, setChosen] = useState(/** @type {number[]} */ ([]));
  /** @param {number} i */
  const toggle = (i) =>
    setChosen(chosen.includes(i) ? chosen.filter((each) => each !== i) : [...chosen, i].slice(-count));
  return html`<div class="push-out" id="push-out">
    <div class="faces six" role="group" aria-label="Dice under the cup">${dice.map(
      (face, i) => html`<button type="button" class="face" data-under=${i} aria-pressed=${chosen.includes(i)}
          aria-label=${`push out the ${face}`} onClick=${() => toggle(i)}><${Die} ...${{ face, colour }} /></button>`,
    )}</div>
    <button class="choice" id="push" disabled=${chosen.length < count}
        onClick=${() => send("hand", { push: chosen.map((i) => dice[i]) })}>${
          count === 1 ? "Push out this one" : `Push out these ${count}`
        }</button>
  </div>`;
}

// The look under the cup on a simulated tray: the player in turn sees the own dice, until they are covered again.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { lookUnderCup } from "./table.js";

/** @import { Playing, SetNotice } from "./types.d.ts" */

/**
 * A button that shows the dice under the own cup, and covers them again. They are covered with the next prompt.
 * @param {{ snapshot: Playing, setNotice: SetNotice }} props
 */
export function UnderCup({ snapshot, setNotice }) {
  const { match, may_look } = snapshot;
  const [dice, setDice] = useState(/** @type {number[] | null} */ (null));
  useEffect(() => setDice(null), [snapshot.number, match.prompt?.player]);
  if (!may_look) return null;
  async function look() {
    const answer = dice ? null : await lookUnderCup();
    setNotice(answer?.error ?? "", answer?.lost);
    setDice(answer && !answer.error ? answer.dice : null);
  }
  const colour = match.players.find((p) => p.name === match.prompt?.player)?.colour ?? "white";
  return html`<button class="choice quiet under-cup" id="look" aria-pressed=${dice !== null} onClick=${look}>${
    dice
      ? html`<span role="img" aria-label=${`Under the cup: ${dice.join(", ")}`}>${dice.map(
          (face) => html`<span class="inline-die"><${Die} ...${{ face, colour }} /></span>`,
        )}</span> Cover them`
      : "Look under the cup"
  }</button>`;
}

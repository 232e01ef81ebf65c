// Falling dice for the winner. They cannot be tapped and are gone after a few seconds.
import { html, useState } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { styled } from "./later.js";

const DICE = 26;
// the golden ratio: dice that follow one another never fall side by side, and no random numbers are needed
const SPREAD = 0.618;

await styled("shower.css", import.meta.url);

/**
 * colours: the colours of the winners.
 * @param {{ colours: (string | null)[] }} props
 */
export function Shower({ colours }) {
  const [over, setOver] = useState(false);
  if (over) return null;
  return html`<div class="shower" aria-hidden="true">${Array.from(
    { length: DICE },
    (_, i) => html`<span class="falling"
    style=${{ left: `${((i * SPREAD) % 1) * 96}%`, animationDelay: `${(i / DICE) * 1.6}s` }}
    onAnimationEnd=${i === DICE - 1 ? () => setOver(true) : null}>
    <${Die} face=${1 + ((i * 5) % 6)} colour=${colours[i % colours.length] ?? "white"} /></span>`,
  )}</div>`;
}

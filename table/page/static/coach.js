// The coach: the odds of a prompt, for people who switched it on in their browser.
import { html } from "./vendor/preact-htm.js";

/** @import { Odds } from "./types.d.ts" */

const STORAGE_KEY = "brehon.coach";

export function coachIsOn() {
  try {
    return localStorage.getItem(STORAGE_KEY) === "on";
  } catch {
    return false; // this browser stores nothing
  }
}

/** @param {boolean} on */
export function saveCoach(on) {
  try {
    localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
  } catch {
    /* this browser stores nothing */
  }
}

/**
 * A chance as people say it: "2.8 % (1 in 36)". It is never rounded to 0 or 100 %.
 * @param {number} p
 */
export function chance(p) {
  if (p <= 0) return "never";
  if (p >= 1) return "always";
  if (p < 0.0001) return "under 0.01 %";
  if (p > 0.999) return "over 99.9 %";
  const percent = 100 * p;
  const digits = percent < 1 ? 2 : percent < 10 || percent > 99 ? 1 : 0;
  const about =
    p <= 0.5 ? ` (1 in ${(1 / p).toLocaleString("en", { maximumFractionDigits: p > 0.1 ? 1 : 0 })})` : "";
  return `${percent.toFixed(digits)} %${about}`;
}

/** @param {number} value */
const points = (value) =>
  `${value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 })} points`;

/** @param {{ odds: Odds[] }} props */
export function Coach({ odds }) {
  return html`<section class="coach" id="coach" aria-label="Coach"
      tabindex="0"><dl>${odds.map((o) => html`<div><dt>${o.text}</dt><dd>${o.points ? points(o.value) : chance(o.value)}</dd></div>`)}</dl></section>`;
}

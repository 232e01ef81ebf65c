// Whether the coach is switched on in this browser, what it knows of the match, and chances in words. advice.js shows it.
import { useEffect, useState } from "./vendor/preact-htm.js";
import { coaching } from "./table.js";

/** @import { Coaching, Snapshot } from "./types.d.ts" */

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

/**
 * A chance without its odds: "2.8 %".
 * @param {number} p
 */
export const shortChance = (p) => chance(p).replace(/ \(.*/, "");

/**
 * What the coach knows of this snapshot; null while it is off, or has not answered.
 * @param {boolean} on
 * @param {Snapshot} snapshot
 */
export function useCoaching(on, { number, match }) {
  const [known, setKnown] = useState(/** @type {Coaching | null} */ (null));
  const asks = on && match !== null;
  useEffect(() => {
    let late = false;
    if (asks) coaching().then((answer) => late || setKnown(answer.error ? { number } : answer));
    return () => {
      late = true;
    };
  }, [asks, number]);
  return asks && known?.number === number ? known : null;
}

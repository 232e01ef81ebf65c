// Answers to a question about several dice or sticks that are not sent yet. They outlive a reload of the page.

/** @import { Unsent } from "./types.d.ts" */

const KEY = "brehon.unsent";
const SAME_PLACE = 0.02; // of the picture's width, between two readings of what lies still

/**
 * The answers given so far, by the places of the dice or sticks in the question.
 * @param {Unsent["about"]} [about]
 * @returns {Unsent["said"]}
 */
export function unsent(about) {
  try {
    /** @type {Unsent | null} */
    const stored = about ? JSON.parse(sessionStorage.getItem(KEY) ?? "null") : null;
    return about && stored && areSame(about, stored.about) ? stored.said : {};
  } catch {
    return {}; // nothing is stored, or the browser stores nothing
  }
}

/**
 * Stores the answers given so far. Those that are sent are forgotten: they may be refused, and are given anew then.
 * @param {Unsent["about"] | undefined} about
 * @param {Unsent["said"]} said
 */
export function keepUnsent(about, said) {
  try {
    if (about) sessionStorage.setItem(KEY, JSON.stringify({ about, said }));
  } catch {
    // the answers last as long as the dialog
  }
}

/** @type {(a: Unsent["about"], b: Unsent["about"]) => boolean} */
const areSame = (a, b) =>
  a.when === b.when &&
  a.places.length === b.places.length &&
  a.places.every((place, i) => Math.abs(place - b.places[i]) < SAME_PLACE);

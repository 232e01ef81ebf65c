// What a screen lets people hear, for those who look at the dice: short tones, and with them a voice.
import { useEffect, useState } from "./vendor/preact-htm.js";

/** @import { Sounds } from "./types.d.ts" */

const STORAGE_KEY = "brehon.sounds";
/** @type {Sounds[]} */
const KINDS = ["off", "tones", "voice"];
const CHANGED = "sounds-changed";

/**
 * What was chosen on this screen, or else what its address asks for: a kiosk may forget what was chosen.
 * @returns {Sounds}
 */
function chosen() {
  const asked = new URLSearchParams(location.search).get("sounds");
  let stored = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    /* this browser stores nothing */
  }
  return KINDS.find((kind) => kind === (stored ?? asked)) ?? "off";
}

/** What this screen lets people hear; every part of the page follows a change. */
export function useSounds() {
  const [sounds, setSounds] = useState(chosen());
  useEffect(() => {
    /** @param {Event} e */
    const follow = (e) => setSounds(/** @type {CustomEvent<Sounds>} */ (e).detail);
    addEventListener(CHANGED, follow);
    return () => removeEventListener(CHANGED, follow);
  }, []);
  return sounds;
}

/** @param {Sounds} sounds */
export function saveSounds(sounds) {
  try {
    localStorage.setItem(STORAGE_KEY, sounds);
  } catch {
    /* it holds until the page is left */
  }
  dispatchEvent(new CustomEvent(CHANGED, { detail: sounds }));
}

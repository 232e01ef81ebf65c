// The voice that reads out what happens, and the button that asks for it.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { saveSounds } from "./sounds.js";

/** @import { Sounds } from "./types.d.ts" */

/** An English voice that needs no network; null if this browser has none. */
export function englishVoice() {
  const voices = (globalThis.speechSynthesis?.getVoices() ?? []).filter(
    (voice) => voice.localService && /^en\b/.test(voice.lang),
  );
  const own = voices.find((voice) => voice.default && voice.lang === navigator.language);
  return own ?? voices.find((voice) => voice.default) ?? voices[0] ?? null;
}

/**
 * Offers the voice where the browser has one.
 * @param {{ sounds: Sounds, from: (act: () => void) => () => void }} props from: closes the menu, and then acts
 */
export function VoiceTool({ sounds, from }) {
  const [speaks, setSpeaks] = useState(englishVoice() !== null);
  useEffect(() => {
    const speech = globalThis.speechSynthesis;
    const look = () => setSpeaks(englishVoice() !== null); // a browser loads its voices when it is first asked
    speech?.addEventListener("voiceschanged", look);
    return () => speech?.removeEventListener("voiceschanged", look);
  }, []);
  const on = sounds === "voice";
  return (
    (speaks || on) &&
    html`<button class="tool" id="switch-voice" aria-pressed=${on}
      onClick=${from(() => saveSounds(on ? "tones" : "voice"))}>Read it out</button>`
  );
}

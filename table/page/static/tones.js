// Short tones that say what the table made of a throw, and whose turn it is; and the voice that reads it out.
import { useEffect, useRef } from "./vendor/preact-htm.js";
import { CALM } from "./states.js";
import { englishVoice } from "./voices.js";

/** @import { Match, Note, Snapshot, TrayView } from "./types.d.ts" */

// Hz and s; a small loudspeaker is faint below some 500 Hz
const HOME_HZ = 587;
const FIFTH = 7; // semitones
const OCTAVE = 12;
const SCALE = [0, 2, 4, 7, 9]; // semitones above the home note: two of any order sound well together
const ATTACK_S = 0.006;
const SILENCE = 0.001; // the loudness at which a note has died away
const LOUDNESS = 0.3;
const BAR = [
  [1, 1],
  [4, 0.25], // a struck wooden bar rings two octaves higher too, and shorter
];

/** States after a throw that does not count. */
const VOID = new Set(["WRONG DICE", "OUT OF TURN", "COCKED", "STACKED", "OFF THE TRAY"]);

/**
 * @param {number} semitones above the home note
 * @param {number} at
 * @param {number} seconds
 * @returns {Note}
 */
const note = (semitones, at, seconds) => ({ hz: HOME_HZ * 2 ** (semitones / OCTAVE), at, seconds });

const COUNTED = [note(OCTAVE, 0, 0.18)];
const VOIDED = [note(FIFTH, 0, 0.3), note(0, 0.2, 0.6)];
const ASKED = [note(0, 0, 0.25), note(FIFTH, 0.16, 0.25), note(0, 0.4, 0.25), note(FIFTH, 0.56, 0.5)];
const ENDED = [0, 4, FIFTH, OCTAVE, OCTAVE + FIFTH].map((height, i) => note(height, i * 0.15, 0.9));

/**
 * Each seat has its own height, so that people hear who is next.
 * @param {number} seat
 */
function turnOf(seat) {
  const height = SCALE[seat % SCALE.length] + OCTAVE * Math.floor(seat / SCALE.length);
  return [note(height, 0, 0.35), note(height + OCTAVE, 0.14, 0.6)];
}

/**
 * @param {Note[]} first
 * @param {Note[]} second
 */
const oneAfter = (first, second) => [...first, ...second.map((n) => ({ ...n, at: n.at + 0.2 }))];

/**
 * What to hear at this snapshot after the one before, both at rest; nothing where nothing happened that people wait
 * for.
 * @param {Snapshot} before
 * @param {Snapshot} now
 * @returns {Note[]}
 */
export function notesOf(before, now) {
  const { match, tray } = now;
  const old = before.match?.id === match?.id ? before.match : null;
  if (old && old.phase !== "over" && match?.phase === "over") return ENDED;
  const isNew = tray.state !== before.tray.state || now.number !== before.number;
  if (isNew && VOID.has(tray.state)) return VOIDED;
  if (asks(tray) && !asks(before.tray)) return ASKED;
  if (!match || (old && match.at < old.at)) return []; // an answer was taken back
  const counted = old && lastThrow(match) > lastThrow(old) ? COUNTED : [];
  const seat = match.players.findIndex(({ name }) => name === match.prompt?.player);
  const isNext = seat >= 0 && match.prompt?.player !== old?.prompt?.player;
  return isNext ? oneAfter(counted, turnOf(seat)) : counted;
}

/**
 * Whether no hand is over the tray and no dice move. What was said before a hand came is not said again after it.
 * @param {Snapshot} snapshot
 */
const rests = ({ tray }) => !tray.busy && tray.state !== "HAND";

/** @param {Match} match */
const lastThrow = ({ throws }) => throws.at(-1)?.at ?? -1;

/**
 * Whether the table waits for people to look at it.
 * @param {TrayView} tray
 */
const asks = ({ state, blind, fall }) => fall || blind || !(CALM.includes(state) || VOID.has(state));

/**
 * Plays notes on struck wooden bars. It can play into a recording as well.
 * @param {BaseAudioContext} context
 * @param {Note[]} notes
 */
export function play(context, notes) {
  for (const { hz, at, seconds } of notes) {
    for (const [harmonic, share] of BAR) {
      const start = context.currentTime + at;
      const end = start + seconds * share;
      const tone = new OscillatorNode(context, { frequency: hz * harmonic });
      const loudness = new GainNode(context, { gain: 0 });
      loudness.gain.setValueAtTime(SILENCE, start);
      loudness.gain.exponentialRampToValueAtTime(LOUDNESS * share, start + ATTACK_S);
      loudness.gain.exponentialRampToValueAtTime(SILENCE, end);
      tone.connect(loudness).connect(context.destination);
      tone.start(start);
      tone.stop(end);
    }
  }
}

/**
 * Lets people hear what happens. It shows nothing.
 * @param {{ snapshot: Snapshot, voice: boolean }} props
 */
export function Tones({ snapshot, voice }) {
  const last = useRef(snapshot);
  const context = useRef(/** @type {AudioContext | null} */ (null));
  useEffect(() => {
    const own = new AudioContext();
    context.current = own;
    if (navigator.userActivation?.isActive) play(own, COUNTED); // just switched on: how loud it is
    // a browser keeps silent until the page is touched
    const wake = () => own.state === "suspended" && own.resume();
    addEventListener("pointerup", wake);
    addEventListener("keydown", wake);
    return () => {
      removeEventListener("pointerup", wake);
      removeEventListener("keydown", wake);
      context.current = null;
      own.close();
    };
  }, []);
  useEffect(() => {
    if (!rests(snapshot)) return;
    const notes = notesOf(last.current, snapshot);
    last.current = snapshot;
    if (context.current?.state === "running") play(context.current, notes);
  }, [snapshot]);
  useEffect(() => (voice ? readOut() : undefined), [voice]);
  return null;
}

/** Speaks what screen readers are told, from now on. Returns what ends it. */
function readOut() {
  const told = /** @type {HTMLElement} */ (document.getElementById("heard"));
  const observer = new MutationObserver(() => {
    const words = new SpeechSynthesisUtterance(told.textContent ?? "");
    words.voice = englishVoice();
    words.lang = words.voice?.lang ?? "en";
    speechSynthesis.cancel(); // what was true before does not matter any more
    speechSynthesis.speak(words);
  });
  observer.observe(told, { childList: true });
  return () => {
    observer.disconnect();
    speechSynthesis.cancel();
  };
}

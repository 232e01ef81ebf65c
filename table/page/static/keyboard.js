// A keyboard on the screen, for the table's own screen, which has none.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { styled } from "./later.js";

const ROWS = ["qwertyuiop", "asdfghjkl'", "zxcvbnm-"];
const MAX_NAME = 24; // letters, as the table takes them
const LEAVE_MS = 250;
const HELD_MS = 500; // the key that deletes repeats after so long
const REPEAT_MS = 90;
const ACCENTED = ["áàâäãåæçč", "éèêëíîïñń", "óôöøśšúûü"];

await styled("keyboard.css", import.meta.url);

/** Whether this is the table's own screen, and it is touched: a phone brings its own keyboard. */
const touched = () =>
  ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) && matchMedia("(pointer: coarse)").matches;

/**
 * Whether the keyboard is to be shown. A key that is really pressed hides it for good.
 */
export function useKeyboard() {
  const [needed, setNeeded] = useState(touched());
  useEffect(() => {
    if (!needed) return undefined;
    /** @param {KeyboardEvent} e */
    const pressed = (e) => e.isTrusted && setNeeded(false);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [needed]);
  return needed;
}

/**
 * Which of the fields of a form is written in, by the number that it has in the form; null if none is.
 * @returns {{ typing: number | null, enter: (field: number) => void, leave: () => void }}
 */
export function useTyping() {
  const [typing, setTyping] = useState(/** @type {number | null} */ (null));
  const leaving = useRef(0);
  useEffect(() => {
    if (typing !== null) document.activeElement?.scrollIntoView({ block: "center" });
  }, [typing]);
  return {
    typing,
    enter: (field) => {
      clearTimeout(leaving.current);
      setTyping(field);
    },
    // the keyboard goes away after the tap that took the focus: before it, the button would move from under the finger
    leave: () => {
      leaving.current = setTimeout(setTyping, LEAVE_MS, null);
    },
  };
}

/** Takes the focus from the field, which puts the keyboard away. */
const blur = () => document.activeElement instanceof HTMLElement && document.activeElement.blur();

/** Whether the field that is written in is marked as a whole: the next letter replaces it. */
function allMarked() {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || !field.value) return false;
  return field.selectionStart === 0 && field.selectionEnd === field.value.length;
}

/**
 * Whether the text of the field is marked as a whole. It is when the keyboard comes to a field with a text in it;
 * another tap on the field unmarks it.
 */
function useMarked() {
  const [marked, setMarked] = useState(false);
  useEffect(() => {
    const field = document.activeElement;
    if (!(field instanceof HTMLInputElement)) return undefined;
    const look = () => setMarked(allMarked());
    document.addEventListener("selectionchange", look);
    let again = false;
    const touch = () => {
      again = allMarked();
    };
    const tap = () => {
      if (again) field.setSelectionRange(field.value.length, field.value.length);
    };
    field.addEventListener("pointerdown", touch);
    field.addEventListener("click", tap);
    field.select();
    look();
    return () => {
      document.removeEventListener("selectionchange", look);
      field.removeEventListener("pointerdown", touch);
      field.removeEventListener("click", tap);
    };
  }, []);
  return marked;
}

/**
 * What a key that repeats while it is held listens to.
 * @param {() => void} act
 */
function useHeld(act) {
  const latest = useRef(act);
  latest.current = act;
  const [timer, repeated] = [useRef(0), useRef(false)];
  const release = () => clearTimeout(timer.current);
  useEffect(() => release, []);
  const repeat = () => {
    repeated.current = true;
    latest.current();
    timer.current = setTimeout(repeat, REPEAT_MS);
  };
  return {
    onPointerDown: () => {
      release();
      repeated.current = false;
      timer.current = setTimeout(repeat, HELD_MS);
    },
    onPointerUp: release,
    onPointerLeave: release,
    onPointerCancel: release,
    onClick: () => repeated.current || latest.current(),
  };
}

/**
 * For one field: give it another key for another field. value: the text so far. known: names to take with one tap.
 * people: names start with a capital. next: goes to the next field; null in the last one, undefined where there is only
 * one.
 * @param {{ value: string, known?: string[], people?: boolean, next?: (() => void) | null, onChange: (value: string) => void }} props
 */
export function Keyboard({ value, known = [], people = false, next, onChange }) {
  const [accented, setAccented] = useState(false);
  const kept = useMarked() ? "" : value;
  /** @param {string} text */
  const write = (text) => onChange(text.slice(0, MAX_NAME));
  const erase = useHeld(() => write([...kept].slice(0, -1).join("")));
  const capital = people && (kept === "" || /[\s'-]$/.test(kept));
  /** @param {string} key */
  const shown = (key) => (capital ? key.toLocaleUpperCase() : key);
  const likely = known.filter((name) => name.toLowerCase().startsWith(kept.trim().toLowerCase()));
  const offers = likely.length > 0;
  useEffect(() => document.activeElement?.scrollIntoView({ block: "center" }), [offers]); // it grows by a row
  /** @param {PointerEvent} e */
  const keepFocus = (e) => e.preventDefault();
  return html`<div class="keyboard" role="group" aria-label="Keyboard" onPointerDown=${keepFocus} onMouseDown=${keepFocus}>
    ${
      offers &&
      html`<div class="keys known" role="group" aria-label="Names">${likely.slice(0, 6).map(
        (name) => html`<button type="button" class="chip" data-known=${name}
            onClick=${() => {
              write(name);
              (next ?? blur)();
            }}>${name}</button>`,
      )}</div>`
    }
    ${(accented ? ACCENTED : ROWS).map(
      (row, i) => html`<div class="keys">
      ${[...row].map((key) => html`<button type="button" class="key" data-letter=${key} onClick=${() => write(kept + shown(key))}>${shown(key)}</button>`)}
      ${i === 2 && html`<button type="button" class="key wide" data-letter="back" aria-label="delete the last letter" ...${erase}>⌫</button>`}
    </div>`,
    )}
    <div class="keys">
      <button type="button" class="key wide" data-letter="accents" aria-pressed=${accented} onClick=${() => setAccented(!accented)}>${accented ? "abc" : "áéñ"}</button>
      <button type="button" class="key space" data-letter="space" aria-label="space" onClick=${() => write(`${kept} `)}>␣</button>
      ${next !== undefined && html`<button type="button" class="key wide done" id="next-name" disabled=${!next} onClick=${next}>Next</button>`}
      <button type="button" class=${next ? "key wide" : "key wide done"} id="typed" onClick=${blur}>Done</button>
    </div>
  </div>`;
}

// A keyboard on the screen, for the table's own screen, which has none.
import { html, useEffect, useState } from "./vendor/preact-htm.js";

const ROWS = ["qwertyuiop", "asdfghjkl'", "zxcvbnm-"];
const ACCENTED = ["áàâäãåæçč", "éèêëíîïñń", "óôöøśšúûü"];

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
 * value: the text so far. known: names to take with one tap.
 * @param {{ value: string, known: string[], onChange: (value: string) => void, onDone: () => void }} props
 */
export function Keyboard({ value, known, onChange, onDone }) {
  const [accented, setAccented] = useState(false);
  const capital = value === "" || /[\s'-]$/.test(value);
  /** @param {string} key */
  const shown = (key) => (capital ? key.toLocaleUpperCase() : key);
  const likely = known.filter((name) => name.toLowerCase().startsWith(value.trim().toLowerCase()));
  /** @param {PointerEvent} e */
  const keepFocus = (e) => e.preventDefault();
  return html`<div class="keyboard" role="group" aria-label="Keyboard" onPointerDown=${keepFocus} onMouseDown=${keepFocus}>
    ${
      likely.length > 0 &&
      html`<div class="keys known" role="group" aria-label="Names">${likely.slice(0, 6).map(
        (name) => html`<button type="button" class="chip" data-known=${name}
            onClick=${() => {
              onChange(name);
              onDone();
            }}>${name}</button>`,
      )}</div>`
    }
    ${(accented ? ACCENTED : ROWS).map(
      (row, i) => html`<div class="keys">
      ${[...row].map((key) => html`<button type="button" class="key" data-letter=${key} onClick=${() => onChange(value + shown(key))}>${shown(key)}</button>`)}
      ${i === 2 && html`<button type="button" class="key wide" data-letter="back" aria-label="delete the last letter" onClick=${() => onChange([...value].slice(0, -1).join(""))}>⌫</button>`}
    </div>`,
    )}
    <div class="keys">
      <button type="button" class="key wide" data-letter="accents" aria-pressed=${accented} onClick=${() => setAccented(!accented)}>${accented ? "abc" : "áéñ"}</button>
      <button type="button" class="key space" data-letter="space" aria-label="space" onClick=${() => onChange(`${value} `)}>␣</button>
      <button type="button" class="key wide done" id="typed" onClick=${onDone}>Done</button>
    </div>
  </div>`;
}

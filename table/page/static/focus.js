// The keyboard's focus after a press: when the pressed button is gone or off, it stays on the page.
import { useEffect, useRef } from "./vendor/preact-htm.js";

/**
 * The element that can stand for a pressed button that was drawn anew: the one with the same id.
 * @param {Element | null} pressed
 */
const sameAs = (pressed) => (pressed?.id ? document.getElementById(pressed.id) : null);

/**
 * Keeps the focus on the page. A browser drops it when the focused button goes away or is disabled, and the next
 * Tab would begin at the top, or behind the new controls. It moves to the same button if that was drawn anew, and
 * else to the sentence that says whose turn it is, which comes just before the controls.
 */
export function useKeptFocus() {
  const pressed = useRef(/** @type {Element | null} */ (null));
  useEffect(() => {
    /** @param {FocusEvent} e */
    const remember = (e) => {
      pressed.current = /** @type {Element} */ (e.target);
    };
    addEventListener("focusin", remember);
    return () => removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    const last = pressed.current;
    if (!last || document.activeElement !== document.body) return;
    if (last.isConnected && !last.matches(":disabled")) return;
    pressed.current = null;
    const again = last.isConnected ? null : sameAs(last);
    (again ?? document.getElementById("turn"))?.focus({ preventScroll: true });
  });
}

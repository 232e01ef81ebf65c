// The keyboard's focus after a press: when the pressed button is gone or off, it stays on the page.
import { useEffect } from "./vendor/preact-htm.js";

const AGAIN_MS = 500; // a press so soon after another comes before the button is read, as in a double tap
const BEFORE_THROW = "#throw, #keep, #keep-all";

/**
 * The element that can stand for a pressed button that was drawn anew: the one with the same id.
 * @param {Element | null} pressed
 */
const sameAs = (pressed) => (pressed?.id ? document.getElementById(pressed.id) : null);

/** The first control of the question that is asked now, of an answer that takes several. */
const nextQuestion = () => document.querySelector('#prompt-controls [data-asked=""] button:enabled');

/**
 * Whether a control is gone, disabled, or hidden by the style sheet.
 * @param {Element} element
 */
const isOff = (element) => !element.isConnected || element.matches(":disabled") || !element.checkVisibility();

/**
 * Keeps the focus on the page. A browser drops it when the focused button goes away, is hidden or disabled, and the
 * next Tab would begin at the top, or behind the new controls. It moves to the same button if that was drawn anew, to
 * the next question of an answer that takes several, and else to the sentence that says whose turn it is, which comes
 * just before the controls. From there it goes to the button that throws as soon as that is offered, after a throw or
 * after dice were kept. It moves before the browser notices, whichever part of the page was drawn. A held key presses no
 * button twice, but for the steps of a number. A key that is pressed again and again means what its button said at
 * first: the one that throws may offer a choice by then, or may have got the focus only now.
 */
export function useKeptFocus() {
  useEffect(() => {
    let pressed = /** @type {Element | null} */ (null);
    let throwing = false; // a button had the focus until it went away, and a throw comes next
    const turn = () => document.getElementById("turn");
    /** @param {Element | null} element */
    const focus = (element) => element instanceof HTMLElement && element.focus({ preventScroll: true });
    /** @param {FocusEvent} e */
    const remember = (e) => {
      pressed = /** @type {Element} */ (e.target);
      throwing &&= pressed === turn();
    };
    function keep() {
      const now = document.activeElement;
      if (throwing && now === turn()) return focus(document.getElementById("throw"));
      if (!pressed || (now !== document.body && now !== pressed) || !isOff(pressed)) return undefined;
      const [last, again] = [pressed, sameAs(pressed)];
      pressed = null;
      if (again && !isOff(again)) return focus(again);
      focus(nextQuestion() ?? turn());
      throwing = last.matches(BEFORE_THROW);
      return undefined;
    }
    let last = { on: /** @type {Element | null} */ (null), said: "", at: 0 };
    /** @param {KeyboardEvent} e */
    const once = (e) => {
      const on = document.activeElement;
      if ((e.key !== "Enter" && e.key !== " ") || !on?.matches("button:not(.step)")) return;
      const [said, at] = [on.textContent ?? "", Date.now()];
      const soon = at - last.at < AGAIN_MS;
      const meant =
        soon && (on.id === "throw" || (on.matches(".choice") && on === last.on)) ? last.said : said;
      if (e.repeat || meant !== said) e.preventDefault();
      last = { on, said: meant, at };
    };
    const drawn = new MutationObserver(keep);
    drawn.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ["disabled", "data-asked", "data-open"],
    });
    addEventListener("focusin", remember);
    addEventListener("keydown", once);
    return () => {
      drawn.disconnect();
      removeEventListener("focusin", remember);
      removeEventListener("keydown", once);
    };
  }, []);
}

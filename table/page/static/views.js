// The views in the browser's history: Back closes an open dialog, or else returns to the view before. Only what people
// do here adds to the history. What happens at the table changes what a view shows, and not which one is open.
import { useEffect, useRef, useState } from "./vendor/preact-htm.js";

/** @import { View } from "./types.d.ts" */

const FIRST = /** @type {View} */ ("play"); // its address is that of the page
let isOver = Boolean(history.state?.over); // this entry was added for a dialog, which may be closed by now

/**
 * The view that the address names, as in "#/sheet"; the first one if it names none.
 * @param {View[]} views
 */
const viewIn = (views) => views.find((view) => location.hash === `#/${view}`) ?? FIRST;

/** @param {View} view */
const addressOf = (view) => (view === FIRST ? location.pathname + location.search : `#/${view}`);

/**
 * Adds an entry. It takes the place of one whose dialog is closed, to which nobody wants to return.
 * @param {boolean} over
 * @param {string} [address]
 */
function add(over, address) {
  if (isOver) history.replaceState({ over }, "", address);
  else history.pushState({ over }, "", address);
  isOver = over;
}

/**
 * The view on screen, and the function that opens another one.
 * @param {View[]} views all of them
 * @returns {[View, (next: View) => void]}
 */
export function useView(views) {
  const [view, show] = useState(() => viewIn(views));
  const shown = useRef(view);
  useEffect(() => {
    function travel() {
      const dialog = document.querySelector("dialog[open]");
      const next = viewIn(views);
      if (dialog instanceof HTMLDialogElement) dialog.close();
      else if (isOver && next === shown.current) history.back(); // people see no dialog that this could close
      isOver = Boolean(history.state?.over);
      shown.current = next;
      show(next);
    }
    addEventListener("popstate", travel);
    return () => removeEventListener("popstate", travel);
  }, []);
  /** @param {View} next */
  function open(next) {
    if (next !== shown.current) add(false, addressOf(next));
    shown.current = next;
    show(next);
  }
  return [view, open];
}

/** The reference for a dialog that opens over the page as soon as it is drawn. */
export function useDialog() {
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
    add(true);
  }, []);
  return dialog;
}

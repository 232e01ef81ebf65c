// Sentences of the table to people.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";

/** @import { Page, TrayView } from "./types.d.ts" */

/**
 * A refusal. It has its own place and covers no buttons.
 * @param {Pick<Page, "notice" | "setNotice">} props
 */
export function Notice({ notice, setNotice }) {
  const element = useRef(null);
  useEffect(() => {
    element.current?.scrollIntoView({ block: "nearest" });
  }, [notice]);
  return (
    notice &&
    html`<p class="notice" id="notice" role="alert" ref=${element}
        onClick=${() => setNotice("")}>${notice.text}</p>`
  );
}

/**
 * The message of the table. A refusal replaces it for a while.
 * @param {Pick<Page, "notice" | "setNotice"> & { tray: TrayView }} props
 */
export function Message({ tray, notice, setNotice }) {
  if (notice) return html`<${Notice} ...${{ notice, setNotice }} />`;
  return (
    tray.message &&
    html`<p class="message" id="message" role="status">${tray.message}${
      tray.rule &&
      html` <span
        class="rule">${tray.rule}</span>`
    }</p>`
  );
}

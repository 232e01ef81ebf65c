// Sentences of the table to whoever tapped.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";

/** @import { Page, TrayView } from "./types.d.ts" */

/**
 * A refusal, in a place of its own: it covers nothing that is to be tapped.
 * @param {Pick<Page, "notice" | "setNotice">} props
 */
export function Notice({ notice, setNotice }) {
  const said = useRef(null);
  useEffect(() => {
    said.current?.scrollIntoView({ block: "nearest" });
  }, [notice]);
  return (
    notice &&
    html`<p class="notice" id="notice" role="alert" ref=${said}
        onClick=${() => setNotice("")}>${notice.text}</p>`
  );
}

/**
 * What the table has to say beside the prompt; a refusal stands in its place for a while.
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

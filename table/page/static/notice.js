// Sentences of the table to people.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { messageOf, unbroken } from "./states.js";

/** @import { Page } from "./types.d.ts" */

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
        onClick=${() => setNotice("")}>${unbroken(sentence(notice.text))}</p>`
  );
}

/**
 * What the table refuses is part of a longer line on the command line: here it is a sentence.
 * @param {string} text
 */
const sentence = (text) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;

/**
 * The message of the table, which heard.js reads out. A refusal replaces it for a while. A prompt that it ends with
 * is not shown: the band has it in larger letters.
 * @param {Pick<Page, "snapshot" | "notice" | "setNotice">} props
 */
export function Message({ snapshot, notice, setNotice }) {
  if (notice) return html`<${Notice} ...${{ notice, setNotice }} />`;
  const message = messageOf(snapshot);
  const prompt = snapshot.match?.prompt;
  const again = prompt && message.endsWith(prompt.text) ? prompt.text : "";
  const said = message.slice(0, message.length - again.length);
  return (
    message &&
    html`<p class="message" id="message">${unbroken(said)}${again && html`<span class="unseen">${again}</span>`}${
      snapshot.tray.rule &&
      html` <span
        class="rule">${snapshot.tray.rule}</span>`
    }</p>`
  );
}

// What a screen reader tells of a game: the newest throw, what it counted, and what is wrong with it. The band
// tells the new prompt itself. The element that is read out is part of the page from its start, because a screen
// reader leaves out what comes together with its element.
import { useEffect, useRef } from "./vendor/preact-htm.js";
import { cellText, isRuled } from "./cell.js";
import { messageOf } from "./states.js";

/** @import { Match, Snapshot } from "./types.d.ts" */

const MOST = 5; // sentences; a correction may change many lines at once

/**
 * Tells what each snapshot adds to the one before. A message of the table is told once for each decision or
 * free throw, though a hand over the tray hides it for a while.
 * @param {Snapshot | null} snapshot
 */
export function useHeard(snapshot) {
  const last = useRef(/** @type {Snapshot | null} */ (null));
  const heard = useRef("");
  useEffect(() => {
    if (!snapshot) return;
    const { match, number, tray } = snapshot;
    const message = messageOf(snapshot);
    const key = JSON.stringify([number, tray.free_throws, message]);
    const known = heard.current === key;
    const text = last.current ? news(last.current, snapshot, known ? "" : message) : "";
    last.current = snapshot;
    if (message) heard.current = key;
    if (text) tell(text, match?.at ?? number);
  }, [snapshot]);
}

/**
 * A new element for each text, so that the same text is read out again.
 * @param {string} text
 * @param {number} at
 */
function tell(text, at) {
  const told = document.createElement("span");
  told.dataset.at = String(at);
  told.textContent = text;
  document.getElementById("heard")?.replaceChildren(told);
}

/**
 * What to read out of this snapshot after the one before; "" if nothing happened.
 * @param {Snapshot} before
 * @param {Snapshot} now
 * @param {string} message of the table, if it is new
 */
function news(before, { match }, message) {
  if (!match) return message;
  const old = before.match ? linesOf(before.match) : new Set();
  const lines = [...linesOf(match)].filter((line) => !old.has(line)).map((line) => line.split("\n")[1]);
  const stands =
    match.so_far !== before.match?.so_far && !told(match.prompt, match.so_far) ? match.so_far : "";
  const said = lines.filter(
    (line) => !message.includes(line) && !(stands && stands.startsWith(line.slice(0, -1))),
  );
  const sentences = [...said.slice(-MOST), stands && `${stands}.`, message].filter(Boolean);
  const prompt = match.prompt?.text;
  if (!sentences.length || !prompt) return sentences.join(" ");
  if (prompt !== before.match?.prompt?.text) return withoutEnd(sentences.join(" "), prompt); // the band tells it
  return [...sentences, message.includes(prompt) ? "" : prompt].filter(Boolean).join(" ");
}

/**
 * Everything that has happened, one line each, in its order: the number of the answer, and what to say.
 * @param {Match} match
 */
function linesOf(match) {
  const { throws, rulings, sheet } = match;
  const scored = sheet.filter((line) => !isRuled(line, match));
  const lines = [
    ...throws,
    // a ruling has the number after that of its throw
    ...rulings.map((r) => ({ at: r.at - 0.5, text: r.text })),
    ...scored.map((s) => ({
      at: s.at - 0.5,
      text: `${s.player}: ${cellText(s)}${s.reason && ` (${s.reason})`}.`,
    })),
  ].filter((line) => line.text);
  return new Set(lines.sort((a, b) => a.at - b.at).map(({ at, text }) => `${at}\n${text}`));
}

/** @param {{ text: string } | null} prompt @param {string} soFar */
const told = (prompt, soFar) => !!prompt?.text.toLowerCase().includes(soFar.toLowerCase());

/** @param {string} text @param {string} end */
const withoutEnd = (text, end) => (text.endsWith(end) ? text.slice(0, -end.length).trim() : text);

// What a screen reader tells of a game: the newest throw, what it counted, what is wrong with it, and then what to
// do. The element that is read out is part of the page from its start, because a screen reader leaves out what comes
// together with its element.
import { useEffect, useRef } from "./vendor/preact-htm.js";
import { cellText, isRuled } from "./cell.js";
import { taskOf } from "./head.js";
import { messageOf } from "./states.js";

/** @import { Match, Snapshot } from "./types.d.ts" */

const MOST = 5; // sentences; a correction may change many lines at once
const TYPED = /(, typed)?\.$/; // the end of the sentence that tells a throw
const ITS_DICE = /: \d+(, \d+)*( and \d+)?$/; // the dice of points, which were told one by one

/**
 * Tells what each snapshot adds to the one before. A message of the table is told once for each decision or
 * free throw, and so is what to do, though a hand over the tray hides it for a while.
 * @param {Snapshot | null} snapshot
 */
export function useHeard(snapshot) {
  const last = useRef(/** @type {Snapshot | null} */ (null));
  const heard = useRef("");
  const task = useRef("");
  useEffect(() => {
    if (!snapshot) return;
    const { match, number, tray } = snapshot;
    const message = messageOf(snapshot);
    const key = JSON.stringify([number, tray.free_throws, message]);
    const known = heard.current === key;
    const waits = tray.busy || tray.state === "HAND";
    const toDo = waits && last.current?.match?.at === match?.at ? task.current : taskOf(snapshot);
    const text = last.current
      ? news(last.current, snapshot, known ? "" : message, toDo, toDo !== task.current)
      : "";
    task.current = toDo;
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
 * @param {string} task what to do
 * @param {boolean} isNew whether that was not told yet
 */
function news(before, { match }, message, task, isNew) {
  if (!match) return message;
  const old = before.match ? linesOf(before.match) : new Set();
  const lines = [...linesOf(match)].filter((line) => !old.has(line)).map((line) => line.split("\n")[1]);
  const stands =
    match.so_far !== before.match?.so_far && !saysIt(match.prompt, match.so_far) ? match.so_far : "";
  const said = lines.filter(
    (line) => !message.includes(line) && !(stands && stands.includes(line.replace(TYPED, ""))),
  );
  const sentences = [...said.slice(-MOST), stands && `${stands.replace(ITS_DICE, "")}.`, message];
  const told = sentences.filter(Boolean).join(" ");
  if (!told && !isNew) return "";
  const order = match.prompt?.text ?? ""; // a message may tell it, though a question comes first
  return [withoutEnd(withoutEnd(told, order), task), task].filter(Boolean).join(" ");
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
      text: `${s.player}: ${cellText({ ...s, typed: undefined })}${s.reason && ` (${s.reason})`}${s.typed ? ", typed" : ""}.`,
    })),
  ].filter((line) => line.text);
  return new Set(lines.sort((a, b) => a.at - b.at).map(({ at, text }) => `${at}\n${text}`));
}

/** @param {{ text: string } | null} prompt @param {string} soFar */
const saysIt = (prompt, soFar) => !!prompt?.text.toLowerCase().includes(soFar.toLowerCase());

/** @param {string} text @param {string} end */
const withoutEnd = (text, end) => (text.endsWith(end) ? text.slice(0, -end.length).trim() : text);

// The band across the top of every view: whose turn it is, what to do, and the ways to the other views.
import { html, useEffect } from "./vendor/preact-htm.js";
import { askAbout, askAboutSticks } from "./asking.js";
import { thrownAlone } from "./hand.js";
import { unbroken, wordsOf } from "./states.js";

/** @import { Match, Page, Prompt, Snapshot, View } from "./types.d.ts" */

/**
 * The most letters of a sentence in each size of type, the largest first.
 * @type {[number, string][]}
 */
const LENGTHS = [
  [40, "short"],
  [84, "medium"],
  [140, "long"],
];
/**
 * The views of the set-up.
 * @type {View[]}
 */
export const SETTING_UP = ["health", "camera", "place", "colours", "sticks", "lights", "phones"];
/**
 * The views in the page's title and its heading.
 * @type {Record<View, string>}
 */
const NAMES = {
  play: "Play",
  sheet: "Sheet",
  rules: "Rules",
  new: "New game",
  health: "Set-up, check",
  camera: "Set-up, camera",
  place: "Set-up, tray",
  colours: "Set-up, dice",
  sticks: "Set-up, sticks",
  lights: "Set-up, lights",
  phones: "Set-up, phones",
};
/**
 * What to do in a view while no game is on.
 * @type {Partial<Record<View, string>>}
 */
const ELSEWHERE = { new: "Choose a game, and name the players.", sheet: "The sheet of the last game." };

/**
 * The ways come before the band, which the focus moves to: the next Tab from there leads to the controls.
 * @param {Pick<Page, "snapshot" | "setView" | "send" | "last"> & { view: View }} props
 */
export function Head({ snapshot, view, setView, send, last }) {
  const { match, tray } = snapshot;
  const title = [match?.title, view !== "play" && NAMES[view], "Brehon"].filter(Boolean).join(" – ");
  useEffect(() => {
    document.title = title;
  }, [title]);
  /**
   * @param {View} name
   * @param {string} text
   */
  const tab = (
    name,
    text,
  ) => html`<button class="tab" id=${`tab-${name}`} aria-current=${view === name ? "page" : null}
    onClick=${() => setView(view === name ? "play" : name)}>${text}</button>`;
  return html`<header class="head" data-view=${view}>
    ${
      (match || view !== "play") && // home has these ways as its own buttons
      html`<nav aria-label="Views">
      ${view === "play" && html`<${TakeBack} ...${{ match, send }} />`}
      ${view !== "play" && html`<button class="tab" id="tab-play" onClick=${() => setView("play")}>${match ? "Play" : "Home"}</button>`}
      ${(match || last) && tab("sheet", "Sheet")} ${match && tab("rules", "Rules")} ${tab("new", "New game")}
    </nav>`
    }
    <div class="band">
      <div class="where">
        <h1><span class="unseen">${view === "play" ? "" : `${NAMES[view]}: `}</span>${match ? titleOf(match) : "Brehon"}</h1>
        <span class="state" id="tray-state" data-state=${tray.state}
            data-blind=${tray.blind || null}>${wordsOf(tray.state, match?.phase === "over", tray.rule)}</span>
      </div>
      <${Turn} ...${{ snapshot, view }} />
    </div>
  </header>`;
}

/**
 * Takes the last choice back, where people see what it undoes. While there is none its name is faint, so that its
 * place is no hole and no other button moves there.
 * @param {Pick<Page, "send"> & { match: Match | null }} props
 */
const TakeBack = ({ match, send }) =>
  match?.can_take_back
    ? html`<button class="tab once" id="take-back" onClick=${() => send("take_back")}>Take back</button>`
    : html`<span class="tab free" aria-hidden="true" aria-disabled="true">Take back</span>`;

/**
 * Whose turn it is, and what to do. It takes the focus when the button that had it is gone.
 * @param {{ snapshot: Snapshot, view: View }} props
 */
function Turn({ snapshot, view }) {
  const { match, tray } = snapshot;
  const prompt = match?.prompt;
  const settingUp = !match && SETTING_UP.includes(view);
  const who = settingUp ? "Set-up" : prompt ? prompt.player : match ? heading(match) : "No game on";
  const said = prompt
    ? (openQuestion(snapshot) ?? withoutName(prompt))
    : match
      ? (match.outcome ?? match.broken ?? "")
      : settingUp
        ? "Skip, repeat or undo any step."
        : (ELSEWHERE[view] ?? (tray.blind ? "Choose what to play." : "Throw any dice, and they are read."));
  const length = LENGTHS.find(([most]) => said.length <= most)?.[1] ?? "endless";
  return html`<div class="turn" id="turn" tabindex="-1" data-player=${prompt?.player ?? ""}
      data-length=${length} data-won=${match?.winners.length ? "" : null}>
    <p class="who">${who}</p>
    <p class="prompt" id="prompt">${unbroken(said)}</p>
  </div>`;
}

/**
 * What the band says of a game, in one sentence for screen readers; "" while no game is on.
 * @param {Snapshot} snapshot
 */
export function taskOf(snapshot) {
  const { match } = snapshot;
  if (!match?.prompt) return match?.outcome ?? match?.broken ?? "";
  const { player, text } = match.prompt;
  const question = openQuestion(snapshot);
  if (question) return `${player}: ${question.charAt(0).toLowerCase()}${question.slice(1)}`;
  return text.startsWith(player) ? text : `${player}: ${text}`;
}

/**
 * What to do about a throw that waits for an answer, in place of the order to throw; null if none waits.
 * @param {Snapshot} snapshot
 */
function openQuestion(snapshot) {
  const { match, tray } = snapshot;
  const alone = thrownAlone(tray).length;
  if (alone) return `Throw the ${alone > 1 ? "marked dice" : "marked die"} again, alone.`;
  if (tray.again) return `Throw ${tray.again} again, alone.`;
  if (tray.fall) return "Say whether dice fell.";
  if (tray.placed) return "Say what was placed.";
  if (match?.prompt?.kind !== "roll" && match?.prompt?.kind !== "sticks") return null;
  if ([...tray.dice, ...tray.sticks].some(({ part }) => part === "doubted"))
    return "Say whether this was a throw.";
  const asked = askAbout(snapshot) ?? askAboutSticks(snapshot);
  if (!asked || tray.state !== "UNSURE") return null;
  const [one, many] = asked.sticks ? ["stick shows", "sticks show"] : ["die shows", "dice show"];
  return `Say what the ${(asked.sticks ?? asked.dice).length > 1 ? many : one}.`;
}

/**
 * The event that is on, or else the game. Before the first event lots are drawn for the order.
 * @param {Match} match
 */
const titleOf = ({ title, phase, programme }) =>
  phase === "play" && programme
    ? (programme.events.find((e) => e.state === "on")?.title ?? "Drawing lots")
    : title;

/**
 * The heading when it is nobody's turn.
 * @param {Match} match
 */
function heading({ phase, winners }) {
  if (phase !== "over") return "Stopped";
  return winners.length === 1 ? `★ ${winners[0]}` : "Game over";
}

/**
 * The text of the prompt without the player's name, which is shown above it.
 * @param {Prompt} prompt
 */
function withoutName(prompt) {
  const text = prompt.text.startsWith(`${prompt.player}: `)
    ? prompt.text.slice(prompt.player.length + 2)
    : prompt.text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

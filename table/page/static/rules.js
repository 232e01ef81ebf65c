// The rules of the current game, its rulings and its settings.
import { html } from "./vendor/preact-htm.js";
import { useDetails, useSharedRules } from "./details.js";
import { valueText } from "./settings.js";
import { useDialog } from "./views.js";

/** @import { Game, Page, Setting } from "./types.d.ts" */

/** @param {Page} props */
export function Rules({ snapshot }) {
  const game = useDetails(snapshot.match?.game);
  if (!snapshot.match) return html`<main class="text"><p>No game is on.</p></main>`;
  if (!game) return html`<main class="text"><p>One moment …</p></main>`;
  return html`<main class="text"><${RulesOf} game=${game} />
    <h3>Settings of this game</h3><ul>${game.settings.map((s) => html`<li>${settingText(s, snapshot.match?.settings[s.name])}</li>`)}</ul></main>`;
}

/**
 * The rules of a game before it starts, in a dialog.
 * @param {{ game: Game, close: () => void }} props
 */
export function Rulebook({ game, close }) {
  const dialog = useDialog();
  return html`<dialog ref=${dialog} class="dialog rulebook" id="rulebook" aria-label=${`The rules of ${game.title}`}
      onClose=${close}>
    <div class="pages scrolls" tabindex="0"><${RulesOf} game=${game} /></div>
    <button type="button" class="choice quiet" id="close-rules" onClick=${() => dialog.current.close()}>Close</button>
  </dialog>`;
}

/**
 * What a game needs on paper, as files to print.
 * @param {{ game: string }} props
 */
export function Print({ game }) {
  /** @param {string} what @param {string} text */
  const links = (what, text) =>
    html`<span>${text}: ${["A4", "Letter"].map(
      (
        paper,
      ) => html`<a class="tool" download href=${`/api/games/${game}/${what}.pdf?paper=${paper.toLowerCase()}`}
      aria-label=${`${text}, ${paper}`}>${paper}</a> `,
    )}</span>`;
  return html`<p class="print no-print">${links("kit", "Print this game")} ${links("sheet", "Blank sheet")}</p>`;
}

/** @param {{ game: Game }} props */
function RulesOf({ game }) {
  const shared = useSharedRules() ?? [];
  return html`<h2>${game.title}</h2><${Print} game=${game.name} />${sentences(game.rules).map(([lead, text]) => html`<p>${lead && html`<strong>${lead}</strong> `}${text}</p>`)}
    ${
      game.rulings.length > 0 &&
      html`<h3>Rulings</h3><dl class="ruled"
        id="ruled">${game.rulings.map((r) => html`<div><dt>${r.number}</dt><dd>${sentence(r.text)}</dd></div>`)}</dl>`
    }
    <h3>In every game</h3><dl class="ruled"
        id="shared">${shared.map((r) => html`<div><dt>${r.number}</dt><dd>${r.text}</dd></div>`)}</dl>`;
}

/**
 * @param {Setting} setting
 * @param {string | number | undefined} value
 */
const settingText = (setting, value) => `${setting.title}: ${valueText(setting, String(value))}`;

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/**
 * The paragraphs of a rulebook as [lead, text], with a lead such as "On the tray:" or "". Wrapped lines are
 * joined.
 * @param {string} rules
 */
function sentences(rules) {
  return rules
    .replace(/([^.:\n])\n(?!\n)/g, "$1 ")
    .split(/\n+/)
    .map((line) => {
      const [, lead, text] = line.match(/^([A-Z][^.:]{3,24}:) (.*)$/s) ?? [null, "", line];
      return [lead, text];
    });
}

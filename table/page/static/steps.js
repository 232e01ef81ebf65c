// The steps of the set-up: the way from one to the next, and the marks of what is well and what is not.
import { html } from "./vendor/preact-htm.js";

/** @import { Answer, Finding, Health, Page, TrayView, View } from "./types.d.ts" */

/**
 * A step, and the names of the findings that it can put right.
 * @typedef {{ view: View, title: string, findings: string[] }} Step
 */

/** @type {Step[]} */
export const STEPS = [
  { view: "health", title: "Check", findings: [] },
  { view: "camera", title: "Camera", findings: ["camera", "picture", "light", "glare", "focus", "mains"] },
  { view: "place", title: "Tray", findings: ["tray"] },
  { view: "colours", title: "Dice", findings: ["colours"] },
  { view: "sticks", title: "Sticks", findings: ["sticks"] },
  { view: "lights", title: "Lights", findings: ["lights"] },
  { view: "phones", title: "Phones", findings: [] },
];

/**
 * Findings by name, in people's words.
 * @type {Record<string, string>}
 */
export const TITLES = {
  camera: "Camera",
  picture: "Picture",
  light: "Light",
  glare: "Glare",
  focus: "Sharpness",
  mains: "Flicker",
  tray: "Tray",
  colours: "Dice colours",
  sticks: "Sticks",
  lights: "Lights and buttons",
  disk: "Disk",
};

const SIGNS = { good: "✓", bad: "!", none: "–" };
const SPOKEN = { good: "well", bad: "something is wrong", none: "not set up" };

/**
 * @param {boolean | null} ok
 * @returns {"good" | "bad" | "none"}
 */
export const stateOf = (ok) => (ok === null ? "none" : ok ? "good" : "bad");

/**
 * A sign that says without colour how something is.
 * @param {{ ok: boolean | null }} props
 */
export const Sign = ({ ok }) =>
  html`<span class=${`sign ${stateOf(ok)}`} role="img" aria-label=${SPOKEN[stateOf(ok)]}>${SIGNS[stateOf(ok)]}</span>`;

/**
 * How a step is: wrong if one of its findings is, and well if all are. Undefined for a step without findings.
 * @param {Step} step
 * @param {Health | null} health
 * @returns {boolean | null | undefined}
 */
export function resultOf(step, health) {
  const found = (health?.findings ?? []).filter((f) => step.findings.includes(f.name));
  if (!found.length) return undefined;
  if (found.some((f) => f.ok === false)) return false;
  return found.some((f) => f.ok === null) ? null : true;
}

/**
 * The step that can put this finding right; undefined if none can.
 * @param {Finding} finding
 */
export const stepOf = (finding) => STEPS.find((step) => step.findings.includes(finding.name));

/**
 * The steps as a row of tabs. Each can be opened at any time, and again.
 * @param {Pick<Page, "setView"> & { view: View, health: Health | null }} props
 */
export function StepBar({ view, health, setView }) {
  return html`<nav class="steps-bar" aria-label="Steps of the set-up">
    ${STEPS.map((step) => {
      const result = resultOf(step, health);
      return html`<button class="step-tab" id=${`step-${step.view}`} aria-current=${step.view === view ? "step" : null}
        onClick=${() => setView(step.view)}>${result !== undefined && html`<${Sign} ok=${result} />`}<span>${step.title}</span></button>`;
    })}</nav>`;
}

/**
 * The buttons at the end of a step: undo what it changed, leave, or go on. id: of the button to leave. undo:
 * undoes the last change; undoable: how many changes there are. done: whether the step has what it needs, so
 * that going on skips nothing: only then is it the obvious next thing.
 * @param {Pick<Page, "setView" | "back"> & { view: View, id: string, done: boolean, undo?: () => unknown, undoable?: number }} props
 */
export function StepTools({ view, id, done, undo, undoable = 0, setView, back }) {
  const next = STEPS[STEPS.findIndex((step) => step.view === view) + 1];
  return html`<div class="tools">
    ${undo && html`<button class="tool" id="undo-step" disabled=${!undoable} onClick=${undo}>Undo</button>`}
    <button class="tool" id=${id} onClick=${() => setView(back ?? "play")}>Done</button>
    ${
      next &&
      html`<button class=${done ? "tool next" : "tool skip"} id="next-step"
        onClick=${() => setView(next.view)}>${done ? "Next" : "Skip this, next"}: ${next.title}</button>`
    }
  </div>`;
}

/**
 * A step that shows what lies in the tray, before that was seen: without a camera it never is.
 * @param {Pick<Page, "setView" | "back"> & { view: View, id: string, tray: TrayView }} props
 */
export const NothingYet = ({ tray, ...step }) => html`<main class="text">
    <p role="status">${tray.blind ? tray.message : "Looking at the tray …"}</p>
    <${StepTools} ...${step} done=${false} />
  </main>`;

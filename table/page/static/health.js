// The health screen: everything that the table checks, what is wrong first, in plain words.
import { html } from "./vendor/preact-htm.js";
import { Sign, StepTools, TITLES, stateOf, stepOf } from "./steps.js";

/** @import { Finding, Health, Page, View } from "./types.d.ts" */

const ORDER = { bad: 0, none: 1, good: 2 };

/** @param {Finding[]} findings */
function summary(findings) {
  const wrong = findings.filter((f) => f.ok === false).length;
  if (!wrong) return "All is well. What has a dash is optional.";
  return wrong === 1 ? "One thing is wrong." : `${wrong} things are wrong.`;
}

/** @param {Page & { view: View, health: Health | null }} props */
export function HealthCheck({ view, health, setView, back }) {
  if (!health) return html`<main class="text"><p>Looking at the table …</p></main>`;
  const findings = [...health.findings].sort((a, b) => ORDER[stateOf(a.ok)] - ORDER[stateOf(b.ok)]);
  return html`<main class="set-up health">
    <p class="summary" id="summary" role="status"><${Sign} ok=${health.ok} /> ${summary(findings)}</p>
    <ul class="findings scrolls" id="findings">${findings.map(
      (f) => html`<${Row} key=${f.name} ...${{ finding: f, setView }} />`,
    )}</ul>
    <${StepTools} ...${{ view, id: "health-done", done: true, setView, back }} />
  </main>`;
}

/**
 * One finding. A tap leads to the step that puts it right.
 * @param {Pick<Page, "setView"> & { finding: Finding }} props
 */
function Row({ finding, setView }) {
  const step = stepOf(finding);
  const { name, ok, says, figures } = finding;
  const inside = html`<${Sign} ok=${ok} /><span class="words"><b>${TITLES[name] ?? name}</b> ${says}</span>`;
  return html`<li data-finding=${name} data-ok=${stateOf(ok)} title=${figures}>${
    step
      ? html`<button class="finding" id=${`fix-${name}`} onClick=${() => setView(step.view)}>${inside}</button>`
      : html`<div class="finding">${inside}</div>`
  }</li>`;
}

// The camera's step: its picture, with its sharpness, light, glare and flicker as meters that move at once.
import { html, useState } from "./vendor/preact-htm.js";
import { Sign, StepTools, resultOf, STEPS, TITLES, stateOf } from "./steps.js";
import { useLivePicture } from "./tray.js";

/** @import { Finding, Health, Page, Quality, View } from "./types.d.ts" */

/**
 * The meters: the finding, how full the bar is (0 to 1), and where its limit lies.
 * @type {{ name: string, share: (q: Quality) => number, limit: (q: Quality) => number }[]}
 */
const METERS = [
  { name: "focus", share: (q) => q.sharpness / (3 * q.least_sharpness), limit: () => 1 / 3 },
  { name: "light", share: (q) => q.brightness / (6 * q.least_brightness), limit: () => 1 / 6 },
  { name: "glare", share: (q) => q.glare / (2 * q.most_glare), limit: () => 1 / 2 },
  { name: "mains", share: (q) => q.flicker / (2 * q.most_flicker), limit: () => 1 / 2 },
];

/** @param {Page & { view: View, health: Health | null }} props */
export function CameraStep({ view, health, snapshot, setView, back }) {
  const picture = health?.picture ?? null;
  const [best, setBest] = useState(0);
  if (picture && picture.sharpness > best) setBest(picture.sharpness);
  const found = (/** @type {string} */ name) => health?.findings.find((f) => f.name === name);
  const step = STEPS.filter((each) => each.view === view);
  const size = picture?.size ?? [4, 3];
  return html`<main class="play set-up camera">
    <section class="left"><${Live} ...${{ size, glare: picture?.glare_at ?? null }} /></section>
    <section class="side scrolls">
      <p class="camera-says" id="camera-says" role="status">${found("camera")?.says ?? "Looking at the camera …"}</p>
      ${
        snapshot.hidden_since !== null &&
        html`<p class="hint">Dice lie under cups: nothing of the picture is shown until they are lifted.</p>`
      }
      ${
        picture &&
        METERS.map(
          ({ name, share, limit }) => html`<${Meter} key=${name} finding=${found(name)}
            share=${share(picture)} limit=${limit(picture)}
            best=${name === "focus" ? best / (3 * picture.least_sharpness) : null} />`,
        )
      }
      ${
        picture &&
        html`<p class="hint">Turn the lens's ring: the line marks the sharpest so far.</p>
          <button class="choice quiet" id="forget-best" onClick=${() => setBest(picture.sharpness)}>Measure again</button>`
      }
    </section>
    <${StepTools} ...${{ view, id: "camera-done", done: step.every((each) => resultOf(each, health)), setView, back }} />
  </main>`;
}

/**
 * The picture, with a ring round the place that glares.
 * @param {{ size: [number, number], glare: [number, number] | null }} props
 */
function Live({ size, glare }) {
  const url = useLivePicture();
  return html`<div class="tray" style=${{ "--ratio": size[0] / size[1] }}>
    ${url ? html`<img src=${url} alt="The tray, live" />` : html`<p class="no-picture">No picture of the tray</p>`}
    ${url && glare && html`<span class="glare-at" style=${{ left: `${glare[0] * 100}%`, top: `${glare[1] * 100}%` }}></span>`}
  </div>`;
}

/**
 * One meter: what it measures, what to do, and a bar with its limit. best: the most so far, for the lens's ring.
 * @param {{ finding: Finding | undefined, share: number, limit: number, best: number | null }} props
 */
function Meter({ finding, share, limit, best }) {
  if (!finding) return null;
  const percent = (/** @type {number} */ of) => `${Math.round(100 * Math.min(1, Math.max(0, of)))}%`;
  return html`<div class="meter" data-meter=${finding.name} data-ok=${stateOf(finding.ok)}>
    <p><${Sign} ok=${finding.ok} /> <b>${TITLES[finding.name]}</b> ${finding.says}</p>
    <div class="bar" aria-hidden="true" title=${finding.figures}>
      <span class="full" style=${{ width: percent(share) }}></span>
      <span class="limit" style=${{ left: percent(limit) }}></span>
      ${best !== null && html`<span class="best" style=${{ left: percent(best) }}></span>`}
    </div>
  </div>`;
}

// The set-up: its steps in a row, the step that is open, and the table's health, which all steps show.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { CameraStep } from "./camera.js";
import { Colours } from "./colours.js";
import { HealthCheck } from "./health.js";
import { styled } from "./later.js";
import { LightsStep } from "./lights.js";
import { ShowSticks } from "./ownsticks.js";
import { PhonesStep } from "./phones.js";
import { SetTray } from "./place.js";
import { StepBar } from "./steps.js";
import { healthOf } from "./table.js";

/** @import { Health, Page, View } from "./types.d.ts" */

const ASK_MS = 1000; // between two looks at the table's health; a person turns the lens's ring meanwhile
const ASK_SOON_MS = 400;

await styled("setup.css", import.meta.url);

/** @type {Partial<Record<View, (props: any) => unknown>>} */
const VIEWS = {
  health: HealthCheck,
  camera: CameraStep,
  place: SetTray,
  colours: Colours,
  sticks: ShowSticks,
  lights: LightsStep,
  phones: PhonesStep,
};

/**
 * The table's health, asked for again and again while the page is in view; null before the first answer.
 * @param {boolean} soon
 * @returns {Health | null}
 */
function useHealth(soon) {
  const [health, setHealth] = useState(/** @type {Health | null} */ (null));
  useEffect(() => {
    let stopped = false;
    let timer = 0;
    async function ask() {
      const answer = document.hidden ? { error: "" } : await healthOf();
      if (stopped) return;
      if (!("error" in answer)) setHealth(answer);
      timer = setTimeout(ask, soon ? ASK_SOON_MS : ASK_MS);
    }
    ask();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [soon]);
  return health;
}

/** @param {Page & { view: View }} props */
export function SetUp({ view, ...page }) {
  const health = useHealth(view === "camera");
  return html`<${StepBar} ...${{ view, health, setView: page.setView }} />
    <${VIEWS[view]} key=${view} ...${{ ...page, view, health }} />`;
}

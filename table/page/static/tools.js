// The tools below the controls: another stage, typing, correcting, and a menu with the rest.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { typedThrow } from "./asking.js";
import { later } from "./later.js";
import { saveSounds, useSounds } from "./sounds.js";
import { isCameraless } from "./states.js";

/** @import { Page, Prompt, Shown, Stage } from "./types.d.ts" */

const VoiceTool = later(() => import("./voices.js").then((found) => found.VoiceTool));

const LABELS = { asking: "As a list", board: "Board", tray: "Tray", day: "The day", end: "Result" };
/**
 * The stage that answers, by the kind of prompt.
 * @type {Record<string, string>}
 */
const ASKING = {
  sticks: "Tap how they lie",
  bid: "The bid",
  bets: "The bets",
  number: "The number",
  pick: "Tap which",
};

/**
 * @param {Pick<Page, "snapshot" | "games" | "send" | "setView" | "setAsking"> & {
 *   open: Prompt | null | undefined, stages: Stage[], stage: Stage, setWantedStage: (stage: Stage) => void,
 *   correcting: boolean, correct: (on: boolean) => void, coached: boolean, coach: (on: boolean) => void,
 *   setClumsy: (on: boolean) => void, replay: Shown | null, setReplayed: (shown: Shown) => void, look: unknown
 * }} props
 */
export function Tools({
  snapshot,
  games,
  send,
  setView,
  setAsking,
  open,
  stages,
  stage,
  setWantedStage,
  correcting,
  correct,
  coached,
  coach,
  setClumsy,
  replay,
  setReplayed,
  look,
}) {
  const { match, tray } = snapshot;
  const [more, setMore] = useState(false);
  const sounds = useSounds();
  const taught = games?.games.find((each) => each.name === match?.game)?.coached;
  const menu = useRef(/** @type {HTMLElement | null} */ (null));
  /** Closes the menu; the focus that was in it moves to the button that opens it. */
  const close = () => {
    const tools = menu.current?.querySelector("#more-tools");
    if (tools?.contains(document.activeElement)) document.getElementById("more")?.focus();
    setMore(false);
  };
  useEffect(() => {
    if (!more) return undefined;
    /** @param {Event} e */
    const leave = (e) => {
      if (
        e instanceof KeyboardEvent
          ? e.key === "Escape"
          : !menu.current?.contains(/** @type {Node} */ (e.target))
      )
        close();
    };
    addEventListener("pointerdown", leave);
    addEventListener("keydown", leave);
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("keydown", leave);
    };
  }, [more]);
  /** @param {() => void} act */
  const from = (act) => () => {
    close();
    act();
  };
  // sticks that were miscounted are read again before they are touched
  const miscounted = open?.kind === "sticks" && tray.state === "UNSURE";
  const again =
    !isCameraless(snapshot) &&
    html`<button class="tool" id="read-again" onClick=${from(() => send("read_again"))}>Read again</button>`;
  return html`<div class="tools">
    ${look}
    ${stages
      .filter((s) => s !== stage)
      .map(
        (s) => html`<button class="tool" id=${`show-${s}`}
          onClick=${() => setWantedStage(s)}>${s === "asking" ? (ASKING[open?.kind ?? ""] ?? LABELS.asking) : s === "board" && match?.programme ? "The bar" : LABELS[s]}</button>`,
      )}
    ${
      match?.prompt?.kind === "keep" &&
      tray.throw_at !== null &&
      html`<button class="tool" id="correct" aria-pressed=${correcting}
          onClick=${() => correct(!correcting)}>Correct</button>`
    }
    ${miscounted && again}
    ${tray.short && html`<button class="tool" id="fell-off" onClick=${() => send("fell_off")}>A die fell off</button>`}
    ${
      open?.kind === "roll" &&
      !tray.blind &&
      snapshot.can_type &&
      html`<button class="tool" id="type-throw"
          aria-label="Type the throw"
          onClick=${() => setAsking(typedThrow(open, snapshot.number))}>Type it</button>`
    }
    ${
      tray.state === "MOVED" &&
      html`<button class="tool" id="set-tray"
          onClick=${() => setView("place")}>Set the tray</button>`
    }
    ${
      tray.blind &&
      tray.state !== "MOVED" &&
      html`<button class="tool" id="see-health" onClick=${() => setView("health")}>What is wrong?</button>`
    }
    <div class="more-of-them" ref=${menu}>
      <button class="tool" id="more" aria-expanded=${more} aria-controls="more-tools"
          onClick=${() => setMore(!more)}>More</button>
      <div class="more-tools" id="more-tools" data-open=${more ? "" : null}>
        ${match && html`<button class="tool" id="set-up" onClick=${from(() => setView("health"))}>Set-up</button>`}
        ${!miscounted && again}
        ${
          match &&
          (match.phase === "over" ? match.accounted : match.odds.length > 0 || coached || taught) &&
          html`<button class="tool" id="switch-coach"
            aria-pressed=${coached} onClick=${from(() => coach(!coached))}>Coach</button>`
        }
        ${
          match &&
          html`<button class="tool" id="switch-sounds" aria-pressed=${sounds !== "off"}
            onClick=${from(() => saveSounds(sounds === "off" ? "tones" : "off"))}>Sounds</button>`
        }
        ${match && sounds !== "off" && html`<${VoiceTool} ...${{ sounds, from }} />`}
        ${
          snapshot.hand &&
          stage === "tray" &&
          html`<button class="tool" id="clumsy" onClick=${from(() => setClumsy(true))}>Clumsy hand</button>`
        }
        ${
          replay &&
          html`<button class="tool" id="replay-shown"
            onClick=${from(() => setReplayed(replay))}>Replay</button>`
        }
      </div>
    </div>
  </div>`;
}

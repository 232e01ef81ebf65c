// Instant replay: the seconds before a throw or a foul, drawn picture by picture. The browser needs no video
// codec, and every picture is shown as long as it was at the table.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { replayOf } from "./table.js";

/** @import { Frame } from "./types.d.ts" */

const SLOWLY = 0.25; // times the real speed
const LAST_MS = 900; // how long the last picture is shown before the replay starts again
const LEAST_MS = 15; // shorter than one frame of a screen

const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Plays at once, in a loop. at: number of the throw. foul: plays the newest foul before that throw.
 * @param {{ at: number, foul: boolean }} props
 */
export function Replay({ at, foul }) {
  const [frames, setFrames] = useState(/** @type {Frame[]} */ ([]));
  const [place, setPlace] = useState(0);
  const [playing, setPlaying] = useState(!reducedMotion());
  const [slow, setSlow] = useState(false);
  const [missing, setMissing] = useState(false);
  const canvas = useRef(null);

  useEffect(() => {
    let gone = false;
    replayOf(at, foul).then((found) => {
      if (gone) return;
      setFrames(found);
      setMissing(!found.length);
    });
    return () => {
      gone = true;
    };
  }, [at, foul]);

  useEffect(() => {
    if (!frames.length) return undefined;
    let gone = false;
    createImageBitmap(frames[place].picture).then(
      (picture) => {
        if (!gone && canvas.current) draw(canvas.current, picture);
        picture.close();
      },
      () => {},
    ); // a damaged picture is skipped
    return () => {
      gone = true;
    };
  }, [frames, place]);

  useEffect(() => {
    if (!playing || frames.length < 2) return undefined;
    const last = place === frames.length - 1;
    const waits = last
      ? LAST_MS
      : (1000 * (frames[place + 1].at_s - frames[place].at_s)) / (slow ? SLOWLY : 1);
    const timer = setTimeout(() => setPlace(last ? 0 : place + 1), Math.max(waits, LEAST_MS));
    return () => clearTimeout(timer);
  }, [frames, place, playing, slow]);

  /** @param {Event & { target: HTMLInputElement }} e */
  const look = (e) => {
    setPlaying(false);
    setPlace(Number(e.target.value));
  };
  if (missing) return html`<p>This replay is no longer stored.</p>`;
  return html`<div class="replay" id="replay" data-place=${place} data-of=${frames.length}>
    <canvas ref=${canvas} width="4" height="3" role="img" aria-label="What happened before"
        onClick=${() => setPlaying(!playing)}></canvas>
    <div class="replay-row">
      <button class="tool" id="replay-play" aria-pressed=${playing}
          onClick=${() => setPlaying(!playing)}>${playing ? "Pause" : "Play"}</button>
      <input type="range" id="replay-at" aria-label="Moment"
          aria-valuetext=${`picture ${place + 1} of ${frames.length}`} min="0" max=${Math.max(frames.length - 1, 0)}
          value=${place} onInput=${look} />
      <button class="tool" id="replay-slow" aria-pressed=${slow} onClick=${() => setSlow(!slow)}>Slow</button>
    </div>
  </div>`;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} picture
 */
function draw(canvas, picture) {
  if (canvas.width !== picture.width || canvas.height !== picture.height)
    Object.assign(canvas, { width: picture.width, height: picture.height });
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
}

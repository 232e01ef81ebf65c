// Setting the tray: four corners on the picture, set by hand, found in the picture or given by a mat; and a
// strip for dice set aside.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { StepTools } from "./steps.js";
import { findPlace, placeOf, setPlace, undoStep, unsetPlace } from "./table.js";
import { useLivePicture } from "./tray.js";

/** @import { Answer, Page, Place, Point, Quad, Quads } from "./types.d.ts" */

/** @type {Quad} */
const BEGIN = [
  [0.12, 0.12],
  [0.88, 0.12],
  [0.88, 0.88],
  [0.12, 0.88],
];
const STRIP_X = [0.75, 0.93]; // left and right edge of a new strip, in shares of the tray's width
// top and bottom edge in shares of its height; the corners stay apart from the tray's, so that both can be
// grabbed
const STRIP_Y = [0.08, 0.92];
const STEP = 0.005; // share of the picture per arrow key
const STRIDE = 4; // steps per arrow key with shift
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const FOUND = {
  mat: "Here is your mat. Save it, and the tray is found again when the camera is bumped.",
  picture: "Is this your tray? Move the corners if needed, then save.",
};
const NOT_FOUND = "No tray is clearly visible. Drag the corners to the edges of your tray.";

/** @param {number} share */
const within = (share) => Math.min(1, Math.max(0, share));
/**
 * @param {Point} a
 * @param {Point} b
 * @param {number} share
 * @returns {Point}
 */
const between = ([ax, ay], [bx, by], share) => [ax + (bx - ax) * share, ay + (by - ay) * share];

/**
 * A new strip along the right side of the tray.
 * @param {Quad} corners
 * @returns {Quad}
 */
function stripOf([a, b, c, d]) {
  /** @type {(x: number, y: number) => Point} */
  const at = (x, y) => between(between(a, b, x), between(d, c, x), y);
  const [[left, right], [top, bottom]] = [STRIP_X, STRIP_Y];
  return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
}

/** @param {Page} props */
export function SetTray({ snapshot, setView, setNotice, back }) {
  const [current, setCurrent] = useState(/** @type {Place | null} */ (null));
  // {corners, strip}; null until the table has answered
  const [quads, setQuads] = useState(/** @type {Quads | null} */ (null));
  const [mat, setMat] = useState(false); // whether the corners are those of the mat
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState("");

  /**
   * Shows the place that the table answered. Returns whether there was no error.
   * @param {Answer<Place>} answer
   */
  function take(answer) {
    setNotice(answer.error ?? "", answer.lost);
    if (answer.error) return false;
    setCurrent(answer);
    setMat(false);
    setQuads({ corners: answer.place?.corners ?? BEGIN, strip: answer.place?.strip ?? null });
    return true;
  }

  /** @param {() => Promise<void>} work */
  async function doing(work) {
    setBusy(true);
    setMessage("");
    await work();
    setBusy(false);
  }

  useEffect(() => {
    placeOf().then(take);
  }, []);
  if (!quads || !current) return html`<main class="text"><p>Looking at the tray …</p></main>`;

  const find = () =>
    doing(async () => {
      const answer = await findPlace();
      setNotice(answer.error ?? "", answer.lost);
      if (answer.error) return;
      setMessage(answer.found ? FOUND[answer.found.by] : NOT_FOUND);
      if (!answer.found) return;
      setMat(answer.found.by === "mat");
      setQuads({ corners: answer.found.corners, strip: answer.found.strip });
    });
  const useMat = () =>
    doing(async () => {
      if (take(await setPlace({ mat: true }))) setMessage("The mat is set. Dice beside it do not count.");
    });
  const save = () =>
    doing(async () => {
      if (take(await setPlace(mat ? { mat: true } : quads)))
        setMessage("Saved. Dice beside the tray do not count.");
    });
  const unset = () =>
    doing(async () => {
      if (take(await unsetPlace())) setMessage("The whole picture is the tray.");
    });

  const undo = () =>
    doing(async () => {
      if (take(await undoStep("place"))) setMessage("Undone.");
    });

  /**
   * Moves a corner. The corners are then no longer those of the mat.
   * @param {keyof Quads} name
   * @param {number} i
   * @param {Point} to
   */
  function move(name, i, to) {
    setMat(false);
    setMessage("");
    setQuads((now) => {
      const quad = now?.[name]?.map((corner, j) => (i === j ? to.map(within) : corner));
      return now && { ...now, [name]: quad };
    });
  }

  function toggleStrip() {
    setMat(false);
    setQuads((now) => now && { ...now, strip: now.strip ? null : stripOf(now.corners) });
  }

  const size = current.size[0] ? current.size : [4, 3];
  return html`<main class="play placing">
    <section class="left"><${Corners} ...${{ quads, move, size }} /></section>
    <section class="side">
      ${
        snapshot.match?.phase === "play" &&
        html`<p class="message"
          id="playing">A game is on: dice outside the tray will no longer be read.</p>`
      }
      <p id="place-message" role="status">${message || advice(current)}</p>
      <button class="choice" id="save-place" disabled=${busy} onClick=${save}>Save</button>
      <button class="choice quiet" id="find-place" disabled=${busy} onClick=${find}>Find it for me</button>
      <button class="choice quiet" id="use-mat" disabled=${busy} onClick=${useMat}>Use the mat</button>
      <button class="choice quiet" id="toggle-strip" disabled=${busy} aria-pressed=${quads.strip !== null}
          onClick=${toggleStrip}>${quads.strip ? "No strip for dice set aside" : "Add a strip for dice set aside"}</button>
      ${
        current.place &&
        html`<button class="choice quiet" id="whole-picture" disabled=${busy}
          onClick=${unset}>Whole picture</button>`
      }
    </section>
    <${StepTools} ...${{ view: "place", id: "place-done", setView, back, undo }}
      done=${current.asked ?? false} undoable=${busy ? 0 : current.undo} />
  </main>`;
}

/**
 * The advice while there is no other message.
 * @param {Place} current
 */
function advice({ drift, place }) {
  if (drift === "lost") return "The camera or the tray has moved. Set the corners again.";
  if (place) return "Drag the corners to where the tray ends.";
  return "Drag the corners to where the tray ends, so that dice beside it do not count.";
}

/**
 * The live picture with corners to drag.
 * @param {{ quads: Quads, move: (name: keyof Quads, i: number, to: Point) => void, size: [number, number] }} props
 */
function Corners({ quads, move, size }) {
  const url = useLivePicture();
  const frame = useRef(null);
  const shapes = /** @type {[keyof Quads, Quad][]} */ (Object.entries(quads).filter(([, quad]) => quad));
  /** @param {Quad} quad */
  const outline = (quad) => quad.map(([x, y]) => `${x * 100},${y * 100}`).join(" ");

  /**
   * The position of a finger on the picture, in shares of its size.
   * @param {PointerEvent} event
   * @returns {Point}
   */
  function at(event) {
    const { left, top, width, height } = frame.current.getBoundingClientRect();
    return [(event.clientX - left) / width, (event.clientY - top) / height];
  }

  return html`<div class="tray framed" ref=${frame} style=${{ "--ratio": size[0] / size[1] }}>
    ${
      url
        ? html`<img src=${url} alt="The tray, live" draggable=${false} />`
        : html`<p
        class="no-picture">No picture of the tray yet</p>`
    }
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <mask id="beside-tray"><rect width="100" height="100" fill="#fff" />${shapes.map(([, quad]) => html`<polygon class="hole" points=${outline(quad)} />`)}</mask>
      <rect class="beside" width="100" height="100" mask="url(#beside-tray)" />
      ${shapes.map(([name, quad]) => html`<polygon class=${name} points=${outline(quad)} />`)}
    </svg>
    ${shapes.flatMap(([name, quad]) =>
      quad.map(
        (corner, i) => html`<${Handle} key=${`${name} ${i}`}
        ...${{ name, i, corner, at }} move=${(/** @type {Point} */ to) => move(name, i, to)} />`,
      ),
    )}
  </div>`;
}

/**
 * One corner. A finger, a mouse or the arrow keys move it.
 * @param {{ name: string, i: number, corner: Point, at: (event: PointerEvent) => Point, move: (to: Point) => void }} props
 */
function Handle({ name, i, corner: [x, y], at, move }) {
  const held = useRef(null); // offset from the finger to the corner, so that the corner does not jump
  /** @param {PointerEvent & { currentTarget: Element }} event */
  function grab(event) {
    event.currentTarget.setPointerCapture(event.pointerId);
    const [px, py] = at(event);
    held.current = [x - px, y - py];
  }
  /** @param {PointerEvent} event */
  function drag(event) {
    if (!held.current) return;
    const [px, py] = at(event);
    move([px + held.current[0], py + held.current[1]]);
  }
  function drop() {
    held.current = null;
  }
  /** @param {KeyboardEvent} event */
  function press(event) {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const step = STEP * (event.shiftKey ? STRIDE : 1);
    move([x + way[0] * step, y + way[1] * step]);
  }
  const of = name === "strip" ? "strip" : "tray";
  return html`<button class=${`handle ${name}`} id=${`${of}-${i}`}
      style=${{ left: `${x * 100}%`, top: `${y * 100}%` }}
    aria-label=${`corner ${i + 1} of the ${of}, ${Math.round(x * 100)} % across, ${Math.round(y * 100)} % down; arrow keys move it`}
    onPointerDown=${grab} onPointerMove=${drag} onPointerUp=${drop} onPointerCancel=${drop}
    onKeyDown=${press}></button>`;
}

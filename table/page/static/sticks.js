// Drawn throwing sticks. A tap turns a stick.
import { html } from "./vendor/preact-htm.js";

/** @type {Record<string, string>} */
// animals are on the flat side
const WOOD = { round: "#8a5a35", flat: "#e6cfa5", white: "#f4f0e6", black: "#26262a" };

/**
 * face: the upper side: "round", "flat", "white", "black", or the animal on the flat side.
 * @param {{ face: string }} props
 */
export function Stick({ face }) {
  const body = WOOD[face] ?? WOOD.flat;
  const dark = face === "round" || face === "black";
  return html`<svg class="stick-picture" viewBox="0 0 60 150" aria-hidden="true">
    <rect x="8" y="3" width="44" height="144" rx="20" fill=${body} stroke="#000" stroke-opacity=".4"
        stroke-width="3" />
    ${
      face === "round" &&
      html`<rect x="18" y="10" width="9" height="130" rx="4.5" fill="#fff" opacity=".28" /><rect x="38" y="10" width="8" height="130" rx="4" fill="#000" opacity=".22" />`
    }
    <text x="30" y="75" dy="0.36em" font-size="24" font-weight="700" text-anchor="middle"
        transform="rotate(-90 30 75)" fill=${dark ? "#fff" : "#16120e"}>${face}</text>
  </svg>`;
}

/**
 * of: the faces of each stick. faces: the face that each shows now; a tap turns a stick to its next face.
 * @param {{ of: string[][], faces: string[], setFaces: (faces: string[]) => void }} props
 */
export function Sticks({ of, faces, setFaces }) {
  /** @param {number} i */
  const turn = (i) =>
    setFaces(faces.map((f, j) => (j === i ? of[i][(of[i].indexOf(f) + 1) % of[i].length] : f)));
  return html`<div class="sticks" role="group" aria-label="The sticks as they lie">${faces.map(
    (face, i) => html`<button class="stick" data-stick=${i} data-shows=${face}
    aria-label=${`stick ${i + 1} shows ${face}: tap to turn it`} onClick=${() => turn(i)}><${Stick}
        face=${face} /></button>`,
  )}</div>`;
}

/**
 * The faces of a throw, sorted by the stick that can show them. The throw lists them in any order.
 * @param {string[][]} of
 * @param {string[]} faces
 */
export function sorted(of, faces) {
  const left = [...faces];
  /** @param {string} face */
  const shared = (face) => of.filter((stick) => stick.includes(face)).length;
  const rare = [...new Set(faces)].sort((a, b) => shared(a) - shared(b));
  /** @type {(string | null)[]} */
  const shown = of.map(() => null);
  rare.forEach((face) =>
    of.forEach((stick, i) => {
      const at = left.indexOf(face);
      if (shown[i] === null && at >= 0 && stick.includes(face)) {
        shown[i] = face;
        left.splice(at, 1);
      }
    }),
  );
  return shown.map((face, i) => face ?? of[i][0]);
}

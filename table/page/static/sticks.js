// Drawn throwing sticks. A tap turns a stick.
import { html, useState } from "./vendor/preact-htm.js";
import { LENGTH, Ogham, WIDTH, WORDS } from "./ogham.js";
import { useLivePicture } from "./tray.js";

/** @type {Record<string, string>} */
// animals are on the flat side
const WOOD = { round: "#8a5a35", flat: "#e6cfa5", white: "#f4f0e6", black: "#26262a" };

export const UNREAD = "?"; // of a stick that nobody has told yet

/**
 * A stick that lies with its foot on the left, and the name of its upper side. face: "round", "flat", "white",
 * "black", the animal on the flat side, or UNREAD.
 * @param {{ face: string }} props
 */
export function Stick({ face }) {
  const round = face === "round";
  return html`<span class=${face === UNREAD ? "drawn-stick unread" : "drawn-stick"} aria-hidden="true">
    <svg viewBox=${`-1 -1 ${LENGTH + 2} ${WIDTH + 2}`}>
      <rect width=${LENGTH} height=${WIDTH} rx=${round ? 5 : 1.5} fill=${WOOD[face] ?? WOOD.flat} />
      ${
        round &&
        html`<rect x="3" y="2.2" width="94" height="2.4" rx="1.2" fill="#fff" opacity=".28" /><rect x="3" y="8" width="94" height="2.2" rx="1.1" fill="#000" opacity=".22" />`
      }
      ${WORDS[face] && html`<${Ogham} animal=${face} />`}
    </svg>
    <span>${face}</span></span>`;
}

/** @typedef {{ of: string[][], faces: string[], setFaces: (faces: string[]) => void }} Turning */

/**
 * Sticks beside the live picture of the tray. of: the faces of each stick. faces: the face that each shows now; a
 * tap turns a stick to its next face.
 * @param {Turning} props
 */
export function Sticks(props) {
  const picture = useLivePicture();
  return html`<${SticksBeside} ...${props} picture=${picture} />`;
}

/**
 * The same beside another picture. picture: its URL, null for none.
 * @param {Turning & { picture: string | null }} props
 */
export function SticksBeside({ of, faces, setFaces, picture }) {
  const [lost, setLost] = useState(/** @type {string | null} */ (null));
  /** @param {number} i */
  const turn = (i) =>
    setFaces(faces.map((f, j) => (j === i ? of[i][(of[i].indexOf(f) + 1) % of[i].length] : f)));
  return html`<div class="beside-tray">
    ${
      picture &&
      picture !== lost &&
      html`<img src=${picture} alt="The sticks on the tray" onError=${() => setLost(picture)} />`
    }
    <div class="sticks" role="group" aria-label="The sticks as they lie">${faces.map(
      (face, i) => html`<button class="stick" data-stick=${i} data-shows=${face}
      aria-label=${face === UNREAD ? `stick ${i + 1} was not read: tap it` : `stick ${i + 1} shows ${face}: tap to turn it`} onClick=${() => turn(i)}><${Stick}
          face=${face} /></button>`,
    )}</div>
  </div>`;
}

/**
 * The faces of a throw, sorted by the stick that can show them. The throw lists them in any order. missing: what
 * the other sticks show; their first side if it is left out.
 * @param {string[][]} of
 * @param {string[]} faces
 * @param {string} [missing]
 */
export function sorted(of, faces, missing) {
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
  return shown.map((face, i) => face ?? missing ?? of[i][0]);
}

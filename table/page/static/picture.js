// The picture of a throw with the dice that were read, and its replay. Both are shown on this page, because
// the table's screen has no back button.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { Replay } from "./replay.js";
import { addressOf, throwSeen } from "./table.js";
import { StickNames, Tags, pointsOf } from "./tray.js";
import { useDialog } from "./views.js";

/** @import { Replays, Seen, Shown } from "./types.d.ts" */

/**
 * shown: {at, text, foul, match}; a foul has a replay and no picture, a throw of an earlier match no replay.
 * replays: of the snapshot.
 * @param {{ shown: Shown, replays: Replays, setShown: (shown: Shown | null) => void }} props
 */
export function Picture({ shown, replays, setShown }) {
  const dialog = useDialog();
  const close = () => dialog.current.close();
  const { at, text, foul, match } = shown;
  const replayed = !match && (foul ? replays.fouls : replays.throws).includes(at);
  return html`<dialog ref=${dialog} class="dialog picture" id="picture-dialog" aria-label=${text}
      onClose=${() => setShown(null)}>
    <p>${text}</p>
    <div class="pair">
      ${!foul && html`<${Boxed} address=${addressOf(at, match)} />`}
      ${replayed && html`<${Replay} at=${at} foul=${Boolean(foul)} />`}
    </div>
    <button class="choice quiet" id="close-picture" onClick=${close}>Close</button>
  </dialog>`;
}

/**
 * The picture with a box around each die or stick, and the face that was read.
 * @param {{ address: string }} props
 */
function Boxed({ address }) {
  const [hasPicture, setHasPicture] = useState(true);
  const [seen, setSeen] = useState(/** @type {Seen | null} */ (null));
  useEffect(() => {
    throwSeen(address).then((answer) => setSeen(answer.error ? null : answer));
  }, [address]);
  if (!hasPicture) return html`<p>There is no picture of this throw.</p>`;
  const unit = seen ? seen.size[0] / 100 : 1;
  const sticks = (seen?.sticks ?? []).map((stick) => ({ ...stick, part: "thrown" }));
  return html`<div class="boxed"><img src=${`${address}.jpg`} alt="The tray after this throw"
      onError=${() => setHasPicture(false)} />
    ${
      seen &&
      seen.size[0] > 0 &&
      html`<svg viewBox=${`0 0 ${seen.size[0]} ${seen.size[1]}`} aria-hidden="true">
        ${sticks.map(
          ({ quad }) => html`<g class="mark thrown"><polygon class="box" points=${pointsOf(quad)} /></g>`,
        )}
        <${StickNames} sticks=${sticks} letters=${unit * 3} />
        ${seen.dice.map(
          ({ box: [x, y, w, h] }) =>
            html`<g class="mark thrown"><rect class="box" x=${x} y=${y} width=${w} height=${h} rx=${unit} /></g>`,
        )}
        <${Tags} dice=${seen.dice.map((die) => ({ ...die, part: "thrown" }))} chosen=${new Set()}
            width=${seen.size[0]} height=${seen.size[1]} /></svg>`
    }</div>`;
}

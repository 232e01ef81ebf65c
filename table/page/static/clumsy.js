// What the simulated hand can do besides throwing, to try how the table reacts.
import { html } from "./vendor/preact-htm.js";
import { useDialog } from "./views.js";

/** @import { Send } from "./types.d.ts" */

const ACTS = [
  ["push", "Push a die"],
  ["tidy", "Push the dice together"],
  ["knock", "Knock a die"],
  ["turn", "Turn a die"],
  ["turn back", "Turn it back"],
  ["lay", "Lay a die down"],
  ["cover", "Hold a hand over the dice"],
  ["sleeve", "Rest an arm on the tray"],
  ["bump", "Bump the camera"],
  ["lamp", "Lamp off or on"],
  ["lens", "Cover the lens"],
];

/**
 * The menu of clumsy acts. A tap does the act and closes the menu.
 * @param {{ send: Send, close: () => void }} props
 */
export function ClumsyHand({ send, close }) {
  const dialog = useDialog();
  /** @param {string} act */
  const does = (act) => {
    dialog.current.close();
    send("hand", { act });
  };
  return html`<dialog ref=${dialog} class="dialog clumsy" id="clumsy-dialog" aria-labelledby="acts" onClose=${close}>
    <h2 id="acts">What should the hand do?</h2>
    <div class="acts">${ACTS.map(
      ([act, text]) => html`<button class="choice quiet" data-act=${act}
        onClick=${() => does(act)}>${text}</button>`,
    )}</div>
    <button class="choice" onClick=${() => dialog.current.close()}>Cancel</button>
  </dialog>`;
}

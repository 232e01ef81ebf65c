// Asking a person what a die shows: when it was not surely read, and when a throw is corrected.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";

/** What the dialog asks when a throw is corrected: its dice, and which of them is meant. It answers the snapshot it was opened on. */
export function correction({ match, number, tray }, at, index, die = null) {
  const thrown = match.throws.find((t) => t.at === at);
  const dice = thrown.roll.map((d) => (typeof d === "number" ? { face: d, colour: "white" } : { face: d.face, colour: d.colour ?? "white" }));
  if (die) tray.dice.filter((d) => d.part === "thrown" && d.index !== null).forEach((d) => Object.assign(dice[d.index], { box: d.box, likely: d.likely }));
  return { title: `${thrown.player}'s throw: what does this die show?`, dice, index, size: tray.size, path: "correct", body: (faces) => ({ number, at, roll: faces }) };
}

/** What the dialog asks when dice could not be read: all of them, the tapped one first; null when none is asked about. */
export function askAbout({ tray, number }, tapped = 0) {
  const asked = tray.dice.filter((d) => d.part === "asked" && d.index !== null).sort((a, b) => a.index - b.index);
  if (!asked.length) return null;
  const index = Math.max(0, asked.indexOf(tray.dice[tapped]));
  return { title: "What does this die show?", dice: asked.map((d) => ({ ...d, open: asked.length > 1 })), index, size: tray.size, path: "settle", body: (faces) => ({ number, faces }) };
}

/** The die as the camera sees it, with a little of the tray around it. */
function Seen({ box: [x, y, w, h], size, picture }) {
  const side = 1.7 * Math.max(w, h);
  return html`<svg class="seen" role="img" aria-label="The die on the tray" viewBox=${`${x + w / 2 - side / 2} ${y + h / 2 - side / 2} ${side} ${side}`}>
    <image href=${picture} width=${size[0]} height=${size[1]} preserveAspectRatio="none" /></svg>`;
}

export function FaceDialog({ asking, setAsking, send }) {
  const [dice, setDice] = useState(asking.dice);
  const [index, setIndex] = useState(asking.index);
  const picture = useRef(`/api/tray.jpg?${Date.now()}`);
  const dialog = useRef(null);
  useEffect(() => { dialog.current.showModal(); }, []);
  const close = () => dialog.current.close(); // the browser then gives the focus back to what was tapped
  const faces = [...new Set([...(dice[index].likely ?? []), 1, 2, 3, 4, 5, 6])];

  async function say(face) {
    const told = dice.map((d, i) => (i === index ? { ...d, face, open: false } : d));
    const open = told.findIndex((d) => d.open);
    if (open >= 0) { setDice(told); setIndex(open); return; }
    close();
    await send(asking.path, asking.body(told.map((d) => d.face)));
  }

  return html`<dialog ref=${dialog} class="dialog" id="face-dialog" onClose=${() => setAsking(null)}>
    <div class="asked">
      ${dice[index].box && html`<${Seen} box=${dice[index].box} size=${asking.size} picture=${picture.current} />`}
      <h2>${asking.title}</h2>
    </div>
    ${dice.length > 1 && html`<div class="faces small">${dice.map((d, i) => html`<button class="face" aria-pressed=${i === index} aria-label=${`die ${i + 1}, ${d.open ? "not told yet" : d.face}`} onClick=${() => setIndex(i)}><${Die} face=${d.open ? null : d.face} colour=${d.colour} /></button>`)}</div>`}
    <div class="faces big">${faces.map((f) => html`<button class="face" data-say=${f} aria-label=${`it shows ${f}`} onClick=${() => say(f)}><${Die} face=${f} colour=${dice[index].colour} /></button>`)}</div>
    <button class="choice quiet" onClick=${close}>Leave it as it is</button>
  </dialog>`;
}

// The score sheet, as it fills itself; made to be printed too.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { correction } from "./asking.js";

export function Sheet({ snapshot, setAsking }) {
  const match = snapshot.match;
  const [shown, setShown] = useState(null);
  if (!match) return html`<main class="text"><p>No game is on.</p></main>`;
  const lines = Object.fromEntries(match.players.map((p) => [p.name, match.sheet.filter((l) => l.player === p.name)]));
  const rows = Math.max(1, ...Object.values(lines).map((l) => l.length));
  return html`<main class="sheet" data-many=${match.players.length > 5}>
    <div class="title"><h2>${match.title}</h2><span class="date">${today()}</span><button class="tool no-print" id="print" onClick=${() => print()}>Print</button></div>
    ${match.outcome && html`<p class="outcome">${match.outcome}</p>`}
    <div class="wide"><table id="sheet">
      <thead><tr><th scope="col">Turn</th>${match.players.map((p) => html`<th scope="col">${p.name}</th>`)}</tr></thead>
      <tbody>${Array.from({ length: rows }, (_, i) => html`<tr><th scope="row">${i + 1}</th>
        ${match.players.map((p) => html`<td>${lines[p.name][i] && html`<b>${lines[p.name][i].points.toLocaleString("en")}</b><small>${lines[p.name][i].reason}</small>`}</td>`)}</tr>`)}</tbody>
      <tfoot><tr><th scope="row">Total</th>${match.players.map((p) => html`<td><b>${match.scores[p.name].toLocaleString("en")}</b></td>`)}</tr></tfoot>
    </table></div>
    <h3>Rulings and throws</h3>
    <ol class="story">${story(match).map((s) => html`<li key=${s.key}>${s.text}
      ${s.thrown && html`<span class="no-print"> <button class="link" data-picture=${s.at} onClick=${() => setShown(s)}>picture</button>
        <button class="link" data-correct=${s.at} onClick=${() => setAsking(correction(snapshot, s.at, 0, s.at === snapshot.tray.throw_at))}>correct</button></span>`}</li>`)}</ol>
    ${shown && html`<${Picture} ...${{ shown, setShown }} />`}
  </main>`;
}

/** The day, for the printed sheet: one of many in a drawer. */
const today = () => new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** The picture behind a throw, on this page: a screen on the table has no way back from another. */
function Picture({ shown, setShown }) {
  const [there, setThere] = useState(true);
  const dialog = useRef(null);
  useEffect(() => { dialog.current.showModal(); }, []);
  const close = () => dialog.current.close();
  return html`<dialog ref=${dialog} class="dialog picture" id="picture-dialog" onClose=${() => setShown(null)}>
    <p>${shown.text}</p>
    ${there ? html`<img src=${`/api/throws/${shown.at}.jpg`} alt="The tray after this throw" onError=${() => setThere(false)} />`
      : html`<p>There is no picture of this throw.</p>`}
    <button class="choice quiet" onClick=${close}>Close</button>
  </dialog>`;
}

/** Throws and rulings in the order in which they happened, the newest first. Each has a key, so that a row that moves away from under a
 * finger is not taken for the one that comes there. */
function story(match) {
  const face = (d) => (typeof d === "number" ? d : d.face);
  const throws = match.throws.map((t) => ({ key: `throw ${t.at}`, at: t.at, order: t.at, text: `${t.player} threw ${t.roll.map(face).join(", ")}.`, thrown: true }));
  const rulings = match.rulings.map((r, i) => ({ key: `ruling ${i}`, at: r.at, order: r.at - 0.5, text: r.text, thrown: false }));
  return [...throws, ...rulings].sort((a, b) => a.order - b.order).reverse();
}

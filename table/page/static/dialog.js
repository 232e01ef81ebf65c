// The dialog in which people say what dice or sticks show. It is loaded when it is first opened.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Die } from "./dice.js";
import { WORDS } from "./ogham.js";
import { Stick, SticksBeside } from "./sticks.js";
import { addressOf, throwSeen } from "./table.js";
import { pointsOf } from "./tray.js";
import { keepUnsent, unsent } from "./unsent.js";
import { useDialog } from "./views.js";

/**
 * @import {
 *   Ask, AskedDie, Asking as Question, AskingDice, AskingSeenSticks, AskingSticks, Box, Doubt as Confirmation, Finish,
 *   Quad, SaidFace, Seen as Reading, SetAsking, SetNotice, Unsent
 * } from "./types.d.ts"
 */

const AROUND_DIE = 1.7;
const AROUND_STICK = 1.3; // of the longer side of the box

/**
 * The square around a box, moved so that it does not leave the picture, as a viewBox.
 * @param {Box} box
 * @param {[number, number]} size
 * @param {number} share
 */
function crop([x, y, w, h], [width, height], share) {
  const side = Math.min(share * Math.max(w, h), width, height);
  /** @type {(middle: number, length: number) => number} */
  const begin = (middle, length) => Math.min(Math.max(middle - side / 2, 0), length - side);
  return [begin(x + w / 2, width), begin(y + h / 2, height), side, side].join(" ");
}

/**
 * The die or stick in the camera's picture, with a little of the tray around it. quad: of a stick, which others may
 * cross.
 * @param {{ box: Box, quad?: Quad, size: [number, number], picture: string, what?: string }} props
 */
function Seen({ box, quad, size, picture, what = "The die on the tray" }) {
  return html`<svg class="seen" role="img" aria-label=${what}
      viewBox=${crop(box, size, quad ? AROUND_STICK : AROUND_DIE)}>
    <image href=${picture} width=${size[0]} height=${size[1]} preserveAspectRatio="none" />
    ${quad && html`<polygon class="asked-about" points=${pointsOf(quad)} />`}</svg>`;
}

/**
 * The state of a die in the row of dice, for screen readers.
 * @param {AskedDie} die
 */
const stateOf = (die) => (die.open ? "no answer yet" : (die.face ?? "no die"));

/**
 * The dialog for a question.
 * @param {{ asking: Question, setAsking: SetAsking, ask: Ask, setNotice: SetNotice }} props
 */
export function Asking({ asking, setAsking, ask, setNotice }) {
  const [doubt, setDoubt] = useState(/** @type {Confirmation | null} */ (null));
  const dialog = useDialog();
  // the browser returns the focus to the button that opened the dialog
  const close = () => dialog.current.close();

  /**
   * Sends the answer and closes. Stays open if the correction needs a confirmation. If people have closed it meanwhile,
   * they read why nothing was corrected.
   * @param {object} body
   */
  async function finish(body) {
    const answer = await ask(asking.path, body);
    if (!answer) return; // the first tap of a double tap is being sent
    if (!dialog.current) setNotice(answer.error ?? "", answer.lost);
    else if (answer.drops) setDoubt({ costs: answer.error ?? "", body: { ...body, anyway: true } });
    else close();
  }

  const Questions = doubt
    ? Doubt
    : asking.sticks
      ? SeenStickQuestions
      : asking.of
        ? StickQuestions
        : FaceQuestions;
  return html`<dialog ref=${dialog} class="dialog" id="face-dialog" aria-label=${asking.title} onClose=${() => setAsking(null)}>
    <${Questions} ...${{ asking, doubt, finish }} />
    <button class="choice quiet" onClick=${close}>Cancel</button>
  </dialog>`;
}

/** @param {{ doubt: Confirmation, finish: Finish }} props */
function Doubt({ doubt, finish }) {
  return html`<h2>Correct this throw?</h2>
    <p id="costs">${doubt.costs}</p>
    <button class="choice warning" id="anyway"
        onClick=${() => finish(doubt.body)}>Correct it anyway</button>`;
}

/** @param {{ asking: AskingSticks, finish: Finish }} props */
function StickQuestions({ asking, finish }) {
  const [faces, setFaces] = useState(asking.faces);
  return html`<h2>${asking.title}</h2>
    <${SticksBeside} of=${asking.of} picture=${asking.picture} ...${{ faces, setFaces }} />
    <button class="choice" id="lie-so" onClick=${() => finish(asking.body(faces))}>Use this throw</button>`;
}

/**
 * Asks about one stick after another, the likeliest faces first. Sends the answers after the last one.
 * @param {{ asking: AskingSeenSticks, finish: Finish }} props
 */
function SeenStickQuestions({ asking, finish }) {
  const { sticks, size, about } = asking;
  const [said, setSaid] = useState(() => unsent(about));
  /** @param {Unsent["said"]} answers */
  const firstOpen = (answers) => sticks.findIndex((_, i) => !(i in answers));
  const [index, setIndex] = useState(asking.index < 0 ? Math.max(0, firstOpen(said)) : asking.index);
  const picture = useRef(`/api/tray.jpg?${Date.now()}`);
  const { likely, box, quad } = sticks[index];
  const faces = [...new Set([...likely, ...asking.faces])];

  /** @param {string | null} face */
  async function say(face) {
    const all = { ...said, [index]: face };
    const next = firstOpen(all);
    keepUnsent(about, next < 0 ? {} : all);
    if (next < 0) {
      await finish(asking.body(sticks.map((_, i) => /** @type {string | null} */ (all[i]))));
      return;
    }
    setSaid(all);
    setIndex(next);
  }

  return html`<div class="stick-question">
    <div class="heading">
      <h2>${asking.title}${sticks.length > 1 && ` (${index + 1} of ${sticks.length})`}</h2>
      ${faces.some((face) => WORDS[face]) && html`<p class="hint">It may lie the other way round.</p>`}
    </div>
    <${Seen} ...${{ box, quad, size }} picture=${picture.current} what="The stick on the tray" />
    <div class="sticks" role="group" aria-label="What it shows">${faces.map(
      (face) => html`<button class="stick" data-say=${face} aria-label=${`it shows ${face}`}
        onClick=${() => say(face)}><${Stick} face=${face} /></button>`,
    )}</div>
    ${!asking.corrects && html`<button class="choice quiet" id="no-stick" onClick=${() => say(null)}>No stick, or it leans on its edge</button>`}
  </div>`;
}

/** @type {(dice: AskedDie[], said: Unsent["said"]) => AskedDie[]} */
const withAnswers = (dice, said) =>
  dice.map((d, i) => (i in said ? { ...d, face: /** @type {SaidFace} */ (said[i]), open: false } : d));

/** @type {(dice: AskedDie[]) => Unsent["said"]} */
const answersIn = (dice) => Object.fromEntries(dice.flatMap((d, i) => (d.open ? [] : [[i, d.face]])));

/**
 * The picture of a throw whose dice no longer lie on the tray, as the table has kept it: null if it has not, undefined
 * as long as that is not known.
 * @param {AskingDice} asking
 */
function useKept({ kept, dice }) {
  const [seen, setSeen] = useState(
    /** @type {Reading | null | undefined} */ (kept?.typed ? null : undefined),
  );
  useEffect(() => {
    if (kept && !kept.typed)
      throwSeen(addressOf(kept.at)).then((answer) =>
        setSeen(answer.error || answer.dice.length !== dice.length ? null : answer),
      );
  }, []);
  return seen;
}

/** @param {{ asking: AskingDice, finish: Finish }} props */
function FaceQuestions({ asking, finish }) {
  const [dice, setDice] = useState(() => withAnswers(asking.dice, unsent(asking.about)));
  const [index, setIndex] = useState(
    asking.index < 0
      ? Math.max(
          0,
          dice.findIndex((d) => d.open),
        )
      : asking.index,
  );
  const picture = useRef(`/api/tray.jpg?${Date.now()}`);
  const kept = useKept(asking);
  const { likely = [], open, face: now, colour, box } = dice[index];
  const faces = [...new Set([...likely, 1, 2, 3, 4, 5, 6])];
  const complete = dice.every((d) => !d.open);
  const [typed, setTyped] = useState(0); // answers that were given with a key
  useEffect(() => {
    if (typed && complete) document.getElementById("confirm")?.focus();
  }, [typed]);

  /**
   * Records an answer; face null means "no die". Goes to the next die without an answer. Sends when all dice
   * have one, unless a confirmation is needed.
   * @param {SaidFace} face
   */
  async function say(face) {
    const all = dice.map((d, i) => (i === index ? { ...d, face, open: false } : d));
    const next = all.findIndex((d) => d.open);
    keepUnsent(asking.about, next < 0 ? {} : answersIn(all));
    if (next < 0 && !asking.confirm) {
      await finish(asking.body(all.map((d) => d.face)));
      return;
    }
    setDice(all);
    if (next >= 0) setIndex(next);
  }

  /** @param {KeyboardEvent} e */
  const press = (e) => {
    if (e.repeat || !/^[1-6]$/.test(e.key)) return;
    say(Number(e.key));
    setTyped(typed + 1);
  };
  return html`<div class="questions" onKeyDown=${press}>
    <div class="asked">
      ${
        box
          ? html`<${Seen} ...${{ box, size: asking.size, picture: picture.current }} />`
          : kept &&
            html`<${Seen} box=${kept.dice[index].box} size=${kept.size} picture=${asking.kept && `${addressOf(asking.kept.at)}.jpg`}
                what="The die as it was thrown" />`
      }
      <div><h2>${asking.title}</h2>${!box && asking.kept && kept === null && html`<p class="hint" id="no-picture">No picture of this throw is kept.</p>`}</div>
    </div>
    ${dice.length > 1 && html`<p class="unseen" role="status">${complete ? "All dice have an answer" : `Die ${index + 1} of ${dice.length}`}</p>`}
    ${
      dice.length > 1 &&
      html`<div class="faces small">${dice.map(
        (d, i) => html`<button class="face"
        data-die=${i} aria-pressed=${i === index} aria-label=${`die ${i + 1}, ${stateOf(d)}`}
        onClick=${() => setIndex(i)}><${Die} face=${d.open ? null : (d.face ?? "no die")} colour=${d.colour} /></button>`,
      )}</div>`
    }
    <div class="faces big">${faces.map(
      (f) => html`<button class="face" data-say=${f}
        aria-label=${`it shows ${f}`} aria-current=${!open && f === now ? "true" : null}
        onClick=${() => say(f)}><${Die} face=${f} colour=${colour} /></button>`,
    )}</div>
    ${
      asking.none &&
      html`<div class="or"><button class="choice quiet" id="no-die"
        onClick=${() => say(null)}>${asking.none}</button>${
          asking.lean &&
          html`<button class="choice quiet" id="leans" onClick=${() => say("leans")}>${asking.lean}</button>`
        }</div>`
    }
    ${
      asking.confirm &&
      html`<button class="choice" id="confirm" disabled=${!complete}
        onClick=${() => finish(asking.body(dice.map((d) => d.face)))}>${complete ? asking.confirm : dice.length > 1 ? "Tap what each die shows" : "Tap what it shows"}</button>`
    }
  </div>`;
}

// The questions what dice or sticks show: for unsure dice, for a correction, and for a typed throw.
import { sorted } from "./sticks.js";
import { addressOf } from "./table.js";

/**
 * @import {
 *   AskedDie, Asking as Question, AskingDice, AskingSeenSticks, Box, RollPrompt, SaidFace, Snapshot, Unsent
 * } from "./types.d.ts"
 */

/**
 * The question that corrects a throw, or null if the throw was dropped. index: the die to ask about. seen:
 * whether the dice of the throw still lie on the tray. The answer carries the number of this snapshot.
 * @param {Snapshot} snapshot
 * @param {number} at
 * @param {number} index
 * @returns {Question | null}
 */
export function correction({ match, number, tray }, at, index, seen = false) {
  const thrown = match?.throws.find((t) => t.at === at);
  const whose = `${thrown?.player}'s throw`;
  if (thrown?.sticks && thrown.of) {
    const { of, sticks } = thrown;
    const first = sorted(of, sticks);
    const order = inOrder(sticks, first);
    return {
      title: `${whose}: how do the sticks lie?`,
      of,
      faces: first,
      picture: thrown.typed ? null : `${addressOf(at)}.jpg`,
      path: "correct",
      body: (faces) => ({
        number,
        at,
        sticks: sticks.map((face, i) => faces[order.indexOf(i)] ?? face),
        anyway: false,
      }),
    };
  }
  if (!thrown?.roll?.[index]) return null;
  /** @type {AskedDie[]} */
  const dice = thrown.roll.map((d) =>
    typeof d === "number" ? { face: d, colour: "white" } : { face: d.face, colour: d.colour ?? "white" },
  );
  for (const { part, index: place, box } of seen ? tray.dice : []) {
    if (part === "thrown" && place !== null && dice[place]) Object.assign(dice[place], { box });
  }
  return {
    title: `${whose}: what does this die show?`,
    dice,
    index,
    size: tray.size,
    kept: dice.every((die) => die.box) ? undefined : { at, typed: Boolean(thrown.typed) },
    path: "correct",
    body: (/** @type {SaidFace[]} */ faces) => ({ number, at, roll: faces, anyway: false }),
  };
}

/**
 * The question that corrects one stick of the throw that lies on the tray, or null if there is no such throw.
 * @param {Snapshot} snapshot
 * @param {number} tapped
 * @returns {AskingSeenSticks | null}
 */
export function correctionOfStick({ match, number, tray }, tapped) {
  const { throw_at: at, size } = tray;
  const stick = tray.sticks[tapped];
  const { sticks, of } = match?.throws.find((t) => t.at === at) ?? {};
  if (!sticks || !of || stick.index === null) return null;
  const { index } = stick;
  return {
    title: "What does this stick show?",
    sticks: [stick],
    faces: [...new Set(of.flat())],
    index: 0,
    size,
    corrects: true,
    path: "correct",
    body: (faces) => ({
      number,
      at,
      sticks: withFace(of, sticks, index, /** @type {string} */ (faces[0])),
      anyway: false,
    }),
  };
}

/**
 * For each of these faces in turn, where it stands in the throw.
 * @param {string[]} sticks
 * @param {string[]} faces
 */
const inOrder = (sticks, faces) =>
  faces.reduce(
    (places, face) => [...places, sticks.findIndex((f, i) => f === face && !places.includes(i))],
    /** @type {number[]} */ ([]),
  );

/**
 * The throw with another face of one stick. If no two sticks of the set have that face, the one that was read so gets
 * the face that this one had.
 * @param {string[][]} of
 * @param {string[]} sticks
 * @param {number} index
 * @param {string} face
 */
function withFace(of, sticks, index, face) {
  const other = sticks.indexOf(face);
  const said = sticks.map((f, i) => (i === index ? face : f));
  const fits = inOrder(said, sorted(of, said)).every((place) => place >= 0);
  return fits ? said : said.map((f, i) => (i === other ? sticks[index] : f));
}

/**
 * The question about all unsure dice, beginning with the tapped one, or null if there are none. People may
 * answer that it is no die, but a shadow or a coin, or that it leans. leans: all of them seem to lean; people may say
 * that they lie flat.
 * @param {Snapshot} snapshot
 * @returns {AskingDice | null}
 */
export function askAbout(snapshot, tapped = -1) {
  const { tray, number } = snapshot;
  const asked = tray.dice
    .filter((d) => d.part === "asked" && d.index !== null)
    .sort((a, b) => Number(a.index) - Number(b.index));
  if (!asked.length) return null;
  const index = asked.indexOf(tray.dice[tapped]);
  const leans = asked.every((d) => d.cocked);
  const words = leans
    ? { title: "It lies flat: what does it show?", none: "It leans" }
    : { title: "What does this die show?", none: "It is no die", lean: "It leans" };
  return {
    ...words,
    leans,
    about: tray.hidden ? undefined : aboutThese(snapshot, asked),
    dice: asked.map((d) => ({ ...d, box: tray.hidden ? undefined : d.box, open: true })),
    index,
    size: tray.size,
    path: "settle",
    body: (faces) => ({ number, faces }),
  };
}

/**
 * The question about all unsure sticks, beginning with the tapped one, or null if there are none. People may
 * answer that it is no stick, but a pencil or a finger, or that it stands on its edge: it is thrown again.
 * @param {Snapshot} snapshot
 * @returns {AskingSeenSticks | null}
 */
export function askAboutSticks(snapshot, tapped = -1) {
  const { match, tray, number } = snapshot;
  const sticks = tray.sticks
    .filter((s) => s.part === "asked" && s.index !== null)
    .sort((a, b) => Number(a.index) - Number(b.index));
  if (!sticks.length || match?.prompt?.kind !== "sticks") return null;
  return {
    title: "What does this stick show?",
    about: aboutThese(snapshot, sticks),
    sticks,
    faces: [...new Set(match.prompt.sticks.flat())],
    index: sticks.indexOf(tray.sticks[tapped]),
    size: tray.size,
    path: "settle",
    body: (faces) => ({ number, sticks: faces }),
  };
}

/**
 * The question for a typed throw: the faces of its dice, group by group.
 * @param {RollPrompt} prompt
 * @param {number} number
 * @returns {AskingDice}
 */
export function typedThrow(prompt, number) {
  const groups = prompt.dice.flatMap((g) => Array.from({ length: g.count }, () => g.colour));
  const dice = groups.map((colour) => ({ face: null, colour: colour ?? "white", open: true }));
  /** @param {SaidFace[]} faces */
  const roll = (faces) => faces.map((face, i) => (groups[i] ? { face, colour: groups[i] } : face));
  return {
    title: dice.length > 1 ? "What do the dice show?" : "What does the die show?",
    dice,
    index: 0,
    path: "answer",
    confirm: "Use this throw",
    body: (faces) => ({ number, answer: { roll: roll(faces) } }),
  };
}

/**
 * What the question is about: the same dice or sticks, before anything else was decided.
 * @param {Snapshot} snapshot
 * @param {{ box: Box }[]} asked
 * @returns {Unsent["about"]}
 */
const aboutThese = ({ run, number, tray }, asked) => ({
  when: `${run} ${number}`,
  places: asked.flatMap(({ box }) => box.map((px) => px / tray.size[0])),
});

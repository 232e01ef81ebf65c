// The live picture of the tray, with a mark around each die and each stick that was read.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { followPicture, trayPicture } from "./table.js";

/** @import { Box, Marked, Point, Quad, TapOnTray, TrayStick, TrayView } from "./types.d.ts" */

/**
 * The URL of the newest picture; null if there is none to show. It is fetched when the table tells that the tray
 * looks different, one picture at a time, while the page is in view.
 */
export function useLivePicture() {
  const [url, setUrl] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    let stopped = false;
    let fetching = false;
    /** @type {number | null} */
    let wanted = null;
    /** @type {number | null} */
    let shown = null;
    /** @type {string | null} */
    let current = null;
    /** @param {string | null} fresh */
    function show(fresh) {
      setUrl(fresh);
      if (current) setTimeout(URL.revokeObjectURL, 1000, current);
      current = fresh;
    }
    async function fetchNewest() {
      if (fetching || wanted === shown || document.hidden) return;
      fetching = true;
      const asked = wanted;
      const picture = asked === null ? null : await trayPicture();
      fetching = false;
      if (stopped) return;
      if (wanted === null || picture) {
        shown = asked;
        show(wanted !== null && picture ? URL.createObjectURL(picture) : null);
      }
      if (wanted !== asked) fetchNewest();
    }
    const leave = followPicture((number) => {
      wanted = number;
      if (number === null && current) show(null); // at once: it may be secret now
      fetchNewest();
    });
    document.addEventListener("visibilitychange", fetchNewest);
    return () => {
      stopped = true;
      leave();
      document.removeEventListener("visibilitychange", fetchNewest);
      if (current) URL.revokeObjectURL(current);
    };
  }, []);
  return url;
}

const REACH_PX = 30; // on screen: a tap this close to a die selects it, even if the die is small

/**
 * The place of the die that was tapped: the nearest die within reach, or null.
 * @param {TapOnTray} event
 * @param {Marked[]} dice
 */
function tapped(event, dice) {
  const mark = /** @type {SVGElement | null} */ (event.target.closest("[data-place]"));
  // a click by a screen reader, not by a finger
  if (event.detail === 0) return mark && Number(mark.dataset.place);
  const onScreen = event.currentTarget.getScreenCTM() ?? new DOMMatrix();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(onScreen.inverse());
  const far = dice.map(
    ({ box: [left, top, w, h] }) => Math.hypot(left + w / 2 - x, top + h / 2 - y) - (w + h) / 4,
  );
  const place = far.indexOf(Math.min(...far));
  return place >= 0 && far[place] <= REACH_PX / onScreen.a ? place : null;
}

/** Replaces the tray while dice lie under cups, because the other players must not see them. */
export const Cup = () => html`<div class="cup" id="cup"><svg viewBox="0 0 100 100" aria-hidden="true">
    <path d="M26 20 Q50 12 74 20 L84 82 Q50 94 16 82 Z" fill="#6f4c2c" stroke="#000" stroke-opacity=".5"
        stroke-width="2" /><ellipse cx="50" cy="20" rx="24" ry="6" fill="#8a6239" />
    <path d="M19 70 Q50 81 81 70" fill="none" stroke="#000" stroke-opacity=".35" stroke-width="3" /></svg>
  <p>The tray is hidden while dice lie under cups.</p></div>`;

/**
 * The live tray with its marks. tray: of the snapshot; a die without a face has no tag. chosen: places in
 * tray.dice that are marked as kept. onTap: called with the tapped place in tray.dice; without it the marks
 * cannot be tapped. onTapStick: the same for places in tray.sticks.
 * @template {Marked} D
 * @param {{ tray: TrayView<D>, chosen: Set<number>, onTap?: (place: number) => void, onTapStick?: (place: number) => void, label: (die: D) => string }} props
 */
export function Tray({ tray, chosen, onTap, onTapStick, label }) {
  const url = useLivePicture();
  if (tray.hidden && !tray.dice.length) return html`<${Cup} />`;
  const [w, h] = tray.size[0] ? tray.size : [4, 3];
  const blind = tray.blind; // the dice may have changed since the last picture
  const coming = tray.dice.some((die) => die.part === "coming");
  const faded = blind || (tray.busy && tray.state !== "READING" && !coming);
  /** @param {TapOnTray} event */
  const tap = (event) => {
    const stick = /** @type {SVGElement | null} */ (event.target.closest("[data-stick-place]"));
    if (stick) {
      onTapStick?.(Number(stick.dataset.stickPlace));
      return;
    }
    const place = tapped(event, tray.dice);
    if (place !== null) onTap?.(place);
  };
  /** @type {(die: D, place: number) => unknown} */
  const mark = (die, place) => html`<${Mark} key=${`${die.box}`} ...${{ die, place }} unit=${w / 100}
    chosen=${chosen.has(place)} label=${label(die)} onTap=${onTap && (() => onTap(place))} />`;
  return html`<div class=${blind ? "tray blind" : "tray"} data-state=${tray.state}
      style=${{ "--ratio": w / h }}>
    ${
      url
        ? html`<img src=${url} alt="The tray, live" />`
        : html`<p
        class="no-picture">${tray.hidden ? "The tray is hidden while dice lie under cups." : "No picture of the tray yet"}</p>`
    }
    <svg class=${faded ? "marks faded" : "marks"} viewBox=${`0 0 ${w} ${h}`} role="group"
        aria-label=${tray.sticks.length ? "Sticks on the tray" : "Dice on the tray"} onClick=${tap}>
      ${tray.sticks.map(
        (stick, place) =>
          html`<${StickMark} key=${`stick ${stick.quad}`} ...${{ stick, place }}
            onTap=${onTapStick && (() => onTapStick(place))} />`,
      )}
      ${html`<${StickNames} sticks=${tray.sticks} letters=${w * 0.044} />`}
      ${tray.dice.map(mark)}
      ${html`<${Tags} dice=${tray.dice} ...${{ chosen }} width=${w} height=${h} />`}
      ${html`<${TowerNames} towers=${tray.towers ?? []} width=${w} />`}
    </svg>
  </div>`;
}

/**
 * The mark of one die. unit: a hundredth of the picture's width.
 * @param {{ die: Marked, unit: number, place: number, chosen: boolean, label: string, onTap?: () => void }} props
 */
function Mark({ die, unit, place, chosen, label, onTap }) {
  const [x, y, w, h] = die.box;
  /** @param {KeyboardEvent} e */
  const press = (e) => {
    if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      onTap?.();
    }
  };
  const button = onTap
    ? { role: "button", tabindex: "0", "aria-pressed": chosen, onKeyDown: press }
    : { role: "img" };
  return html`<g class=${`mark ${kindOf(die, chosen)}`} ...${button} aria-label=${label} data-place=${place}
      data-face=${die.face} data-part=${die.part}>
    <rect class="hit" x=${x - unit} y=${y - unit} width=${w + 2 * unit} height=${h + 2 * unit} />
    <rect class="box" x=${x - unit / 3} y=${y - unit / 3} width=${w + unit * 0.66} height=${h + unit * 0.66}
        rx=${unit} />
  </g>`;
}

/**
 * @param {Marked} die
 * @param {boolean} chosen
 */
const kindOf = (die, chosen) => `${die.part}${chosen ? " chosen" : ""}${die.next ? ` next-${die.next}` : ""}`;

/** The signs of dice that stay for the awaited throw, and of those that are picked up and thrown. */
export const NEXT_SIGNS = { stays: "✓", thrown: "↑" };

/**
 * What a tag says: the face that was read, and a sign if the die was chosen or what comes next is known.
 * @param {Marked} die
 * @param {boolean} chosen
 */
function saidOf({ part, face, next }, chosen) {
  const sign = chosen ? NEXT_SIGNS.stays : next && NEXT_SIGNS[next];
  return [part === "asked" ? "?" : face, sign].filter(Boolean).join(" ");
}

const WITH_SIGN = 1.75; // half the width of a tag with a face and a sign, of half its height

/**
 * The faces of the dice, over all marks: each at the corner of its box where it covers least.
 * @param {{ dice: Marked[], chosen: Set<number>, width: number, height: number }} props
 */
export function Tags({ dice, chosen, width, height }) {
  const r = width * 0.026;
  const said = dice.map((die, n) => saidOf(die, chosen.has(n)));
  const halves = said.map((text) => (text.length > 1 ? r * WITH_SIGN : r));
  const tags = tagPlaces(dice, r, width, height, halves);
  return html`<g class="tags" aria-hidden="true">${dice.map(
    (die, n) =>
      said[n] &&
      html`<g class=${`label ${kindOf(die, chosen.has(n))}`}>
        <rect class="tag" x=${tags[n].x - halves[n]} y=${tags[n].y - r} width=${2 * halves[n]} height=${2 * r}
            rx=${r} />
        <text class="said" x=${tags[n].x} y=${tags[n].y} dy="0.36em" font-size=${r * 1.5}>${said[n]}</text></g>`,
  )}</g>`;
}

/**
 * The number of each tower, above it, or below it at the upper border of the picture.
 * @param {{ towers: TrayView["towers"], width: number }} props
 */
function TowerNames({ towers, width }) {
  const letters = width * 0.028;
  return html`<g class="tower-names" aria-hidden="true">${towers.map(
    ([x, y, w, h], n) =>
      html`<text x=${x + w / 2} y=${y > 2 * letters ? y - 0.8 * letters : y + h + letters} dy="0.36em"
        font-size=${letters}>tower ${n + 1}</text>`,
  )}</g>`;
}

const ROUNDS = 3; // in which tags make room for one another

/**
 * The middle of each die's tag, which stays inside the picture: the first of the corners of its box that is over no
 * other die and no other tag, or a place beside the box, or else the one that covers least. r: half the height of a
 * tag. halves: half the width of each.
 * @param {Marked[]} dice
 * @param {number} r
 * @param {number} width
 * @param {number} height
 * @param {number[]} halves
 */
export function tagPlaces(dice, r, width, height, halves = dice.map(() => r)) {
  /** @type {Point[]} */
  const places = [];
  /** @type {(place: Point, n: number) => Box} */
  const boxOf = ([x, y], n) => [x - halves[n], y - r, 2 * halves[n], 2 * r];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [n, { box }] of dice.entries()) {
      const around = placesAround(box, halves[n], r).map(
        ([x, y]) =>
          /** @type {Point} */ ([
            Math.min(Math.max(x, halves[n]), width - halves[n]),
            Math.min(Math.max(y, r), height - r),
          ]),
      );
      const boxes = dice.flatMap((other, i) => (i === n ? [] : [other.box]));
      const tags = places.flatMap((place, i) => (i === n ? [] : [boxOf(place, i)]));
      const covered = around.map((place) =>
        [...boxes, ...tags, ...tags].reduce((sum, each) => sum + overlap(boxOf(place, n), each), 0),
      );
      places[n] = around[covered.indexOf(Math.min(...covered))];
    }
  }
  return places.map(([x, y]) => ({ x, y }));
}

/**
 * Where a tag may stand: on a corner of the box, then above, below and beside it, then at its corners from outside.
 * @param {Box} box
 * @param {number} half of the width of the tag
 * @param {number} r
 * @returns {Point[]}
 */
function placesAround([left, top, w, h], half, r) {
  const [right, bottom] = [left + w, top + h];
  const [middle, level] = [left + w / 2, top + h / 2];
  return [
    [right, top],
    [left, top],
    [right, bottom],
    [left, bottom],
    [middle, top - r],
    [middle, bottom + r],
    [right + half, level],
    [left - half, level],
    [right + half, top],
    [left - half, top],
    [right + half, bottom],
    [left - half, bottom],
    [right, top - r],
    [left, top - r],
    [right, bottom + r],
    [left, bottom + r],
  ];
}

/**
 * The area that two boxes share.
 * @param {Box} a
 * @param {Box} b
 */
const overlap = ([ax, ay, aw, ah], [bx, by, bw, bh]) =>
  Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx)) *
  Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by));

/**
 * The corners of a stick as SVG points.
 * @param {Quad} quad
 */
export const pointsOf = (quad) => quad.map((corner) => corner.join(",")).join(" ");

const ALONG = [0, 0.15, -0.15, 0.28, -0.28, 0.4, -0.4]; // places of a name, shares of the stick's length from its middle
const LETTER = 0.4; // width of a letter, of its height

/**
 * Where the names of sticks stand: each on its own stick, where it is over no name before it, and on no other stick if
 * there is such a place. letters: their height.
 * @param {{ quad: Quad, said: string }[]} sticks
 * @param {number} letters
 */
function namePlaces(sticks, letters) {
  /** @type {{ x: number, y: number, w: number }[]} */
  const places = [];
  for (const { quad, said } of sticks) {
    const w = said.length * LETTER * letters;
    const along = alongStick(quad);
    const covered = along.map(
      ({ x, y }) =>
        places.filter((p) => Math.abs(p.y - y) < letters && Math.abs(p.x - x) < (p.w + w) / 2).length *
          sticks.length +
        sticks.filter((other) => other.quad !== quad && isInside(other.quad, x, y)).length,
    );
    places.push({ ...along[covered.indexOf(Math.min(...covered))], w });
  }
  return places;
}

/**
 * Points on the middle line of a stick, its middle first.
 * @param {Quad} quad
 */
function alongStick([a, b, c, d]) {
  const long = Math.hypot(b[0] - a[0], b[1] - a[1]) >= Math.hypot(c[0] - b[0], c[1] - b[1]);
  const [from, to] = long ? [between(a, d), between(b, c)] : [between(a, b), between(d, c)];
  return ALONG.map((share) => ({
    x: from[0] + (to[0] - from[0]) * (0.5 + share),
    y: from[1] + (to[1] - from[1]) * (0.5 + share),
  }));
}

/** @type {(a: Point, b: Point) => Point} */
const between = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/**
 * Whether a point is on a stick.
 * @param {Quad} quad
 * @param {number} x
 * @param {number} y
 */
function isInside(quad, x, y) {
  const sides = quad.map(([ax, ay], i) => {
    const [bx, by] = quad[(i + 1) % 4];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
  });
  return sides.every((side) => side === sides[0]);
}

/**
 * The names of sticks, over all marks.
 * @param {{ sticks: Pick<TrayStick, "quad" | "part" | "face">[], letters: number }} props
 */
export function StickNames({ sticks, letters }) {
  const named = sticks.map(({ quad, part, face }) => ({ quad, part, said: part === "asked" ? "?" : face }));
  const places = namePlaces(named, letters);
  return html`<g class="tags" aria-hidden="true">${named.map(
    ({ part, said }, n) => html`<g class=${`label stick-name ${part}`}><text class="said" x=${places[n].x}
        y=${places[n].y} dy="0.36em" font-size=${letters}>${said}</text></g>`,
  )}</g>`;
}

/**
 * The mark of one stick: its turned box.
 * @param {{ stick: TrayStick, place: number, onTap?: () => void }} props
 */
function StickMark({ stick, place, onTap }) {
  const { quad, part, face, crossed } = stick;
  const words = part === "asked" ? "not sure: tap to say what it shows" : `shows ${face}`;
  /** @param {KeyboardEvent} e */
  const press = (e) => {
    if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      onTap?.();
    }
  };
  const button = onTap ? { role: "button", tabindex: "0", onKeyDown: press } : { role: "img" };
  return html`<g class=${`mark stick-mark ${part}`} ...${button} data-stick-place=${place} data-face=${face}
      data-part=${part} aria-label=${`stick, ${words}${crossed ? ", lies across another" : ""}`}>
    <polygon class="hit" points=${pointsOf(quad)} />
    <polygon class="box" points=${pointsOf(quad)} />
  </g>`;
}

// Arrow keys move the focus to the next button that way, as on a remote control.

/** @type {Record<string, readonly [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // a button that lies aside of the way counts as this many times as far away
const OFF_LINE = 0.1; // the same of one in the way whose middle lies off the line
const LEAST_PX = 4; // buttons whose middles are nearer than this along the way lie beside one another

/**
 * The gap between two spans of a line, px; 0 where they overlap.
 * @param {number} low @param {number} high @param {number} otherLow @param {number} otherHigh
 */
const gap = (low, high, otherLow, otherHigh) => Math.max(0, otherLow - high, low - otherHigh);

/**
 * How far a button is from another one, for somebody who goes this way; Infinity if it does not lie that way.
 * @param {DOMRect} here @param {DOMRect} there @param {readonly [number, number]} way
 */
function distance(here, there, [dx, dy]) {
  const x = there.x + there.width / 2 - here.x - here.width / 2;
  const y = there.y + there.height / 2 - here.y - here.height / 2;
  if (x * dx + y * dy < LEAST_PX) return Infinity;
  const between = [
    gap(here.left, here.right, there.left, there.right),
    gap(here.top, here.bottom, there.top, there.bottom),
  ];
  const [along, aside] = dx ? between : between.reverse();
  if (!along && aside) return Infinity; // it lies straight above, below or beside
  const off = Math.abs(dx ? y : x);
  return along + ASIDE * aside + OFF_LINE * off;
}

/**
 * The nearest button or link that way; an open dialog keeps the focus inside.
 * @param {Element} from @param {readonly [number, number]} way
 */
function nextTo(from, way) {
  const here = from.getBoundingClientRect();
  const within = from.closest("dialog") ?? document;
  const others = /** @type {HTMLElement[]} */ ([...within.querySelectorAll("button:enabled, a[href]")])
    .filter((other) => other !== from && other.tabIndex >= 0 && other.checkVisibility())
    .map((other) => ({ other, far: distance(here, other.getBoundingClientRect(), way) }))
    .filter(({ far }) => far < Infinity);
  return others.sort((a, b) => a.far - b.far)[0]?.other;
}

/** The first control of what is asked, for a focus that is on no control yet. */
const firstAsked = () =>
  /** @type {HTMLElement | null} */ (document.querySelector("main.play .side button:enabled"));

/**
 * Moves the focus if this is an arrow key. In fields and lists the arrows keep their own meaning.
 * @param {KeyboardEvent} e
 */
export function move(e) {
  const way = WAYS[e.key];
  const on = document.activeElement;
  if (!way || !on || e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
  const to = on.matches("button, a[href]")
    ? nextTo(on, way)
    : on.matches("body, #turn")
      ? firstAsked()
      : null;
  if (!to) return;
  e.preventDefault();
  to.focus();
}

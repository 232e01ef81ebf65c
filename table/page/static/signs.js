// The signs of special spots of a board, drawn where no piece covers them: a gate of stones, and a sun.
import { html } from "./vendor/preact-htm.js";

const RAYS = 16;

/**
 * A sun's rays round a spot with the radius r.
 * @param {{ x: number, y: number, r: number }} props
 */
export function Sun({ x, y, r }) {
  const points = Array.from({ length: 2 * RAYS }, (_, i) => {
    const [turn, out] = [(Math.PI * i) / RAYS, i % 2 ? r : 1.22 * r];
    return `${(x + out * Math.sin(turn)).toFixed(2)},${(y - out * Math.cos(turn)).toFixed(2)}`;
  });
  return html`<polygon class="ray" points=${points.join(" ")} />`;
}

/**
 * Two standing stones with a third across them, inside a spot with the radius r.
 * @param {{ x: number, y: number, r: number }} props
 */
export const Stones = ({ x, y, r }) => html`<g class="stones" transform=${`translate(${x} ${y}) scale(${r})`}>
  <path d="M-.6-.2-.28-.24-.2.72-.66.7zM.3-.22.6-.2.66.7.22.72zM-.78-.6.76-.66.8-.3-.76-.26z" /></g>`;

// The part of preact-htm.js that the page uses.

export type Node = object | string | null;

export function html(strings: TemplateStringsArray, ...values: unknown[]): Node;
export function render(node: Node, parent: Element | null): void;

export function useState<T>(initial: T | (() => T)): [T, (next: T | ((now: T) => T)) => void];
/** Of an element: Preact fills it in before any effect runs. */
export function useRef(initial: null): { current: any };
export function useRef<T>(initial: T): { current: T };
export function useEffect(effect: () => void | (() => void), when?: unknown[]): void;
/** As useEffect, but before the next picture is drawn. */
export function useLayoutEffect(effect: () => void | (() => void), when?: unknown[]): void;

// Parts of the page that not every evening needs: each is loaded when it is first shown.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { reloadIfOld } from "./upgrade.js";

/** @typedef {(props: any) => unknown} Part */

export const RETRY_MS = 1500; // after a file that did not come, or a request that failed

/** What a view shows until it is loaded. */
const MOMENT = () => html`<main class="text"><p>One moment …</p></main>`;

/**
 * A component that is loaded when it is first shown.
 * @param {() => Promise<Part>} load
 * @returns {Part}
 */
export function later(load, meanwhile = () => /** @type {unknown} */ (null)) {
  let loaded = /** @type {Part | null} */ (null);
  return (props) => {
    const [failed, setFailed] = useState(0);
    const [, setLoaded] = useState(loaded !== null);
    useEffect(() => {
      if (loaded) return undefined;
      let timer = 0;
      load().then(
        (found) => {
          loaded = found;
          setLoaded(true);
        },
        () => {
          reloadIfOld();
          timer = setTimeout(setFailed, RETRY_MS, failed + 1);
        },
      );
      return () => clearTimeout(timer);
    }, [failed]);
    return loaded ? html`<${loaded} ...${props} />` : meanwhile();
  };
}

/**
 * A view that is loaded when it is first opened.
 * @param {() => Promise<Part>} load
 */
export const laterView = (load) => later(load, MOMENT);

/**
 * Loads the style sheet of a module that few evenings need.
 * @param {string} name
 * @param {string} beside the address of the module
 */
export function styled(name, beside) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(name, beside).href;
  return new Promise((shown) => {
    link.onload = shown;
    link.onerror = () => {
      link.remove();
      reloadIfOld();
      setTimeout(styled, RETRY_MS, name, beside);
      shown(null); // the page works without it
    };
    document.head.append(link);
  });
}

// What the page knows of a game beyond its card: settings, rules and sheet. Each is loaded once, when it is wanted.
import { useEffect, useState } from "./vendor/preact-htm.js";
import { RETRY_MS } from "./later.js";
import { gameOf, sharedRules } from "./table.js";

/** @import { Game, Numbered } from "./types.d.ts" */

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/**
 * What `load` resolves to, once for all who ask for it by this name. Tries again until it comes.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
function once(name, load) {
  const known = loaded.get(name) ?? load().catch(() => again(load));
  loaded.set(name, known);
  return known;
}

/**
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
async function again(load) {
  await new Promise((done) => setTimeout(done, RETRY_MS));
  return load().catch(() => again(load));
}

/** @type {(name: string) => Promise<Game>} */
export const detailsOf = (name) => once(name, () => gameOf(name));

/**
 * What a promise of this name resolves to; null until then.
 * @template T
 * @param {string | undefined} name
 * @param {(name: string) => Promise<T>} load
 * @returns {T | null}
 */
function useLoaded(name, load) {
  const [known, setKnown] = useState(/** @type {{ name: string, value: T } | null} */ (null));
  useEffect(() => {
    let late = false;
    if (name) load(name).then((value) => late || setKnown({ name, value }));
    return () => {
      late = true;
    };
  }, [name]);
  return known && known.name === name ? known.value : null;
}

/**
 * The details of a game; null until they are loaded.
 * @param {string | undefined} name
 * @returns {Game | null}
 */
export const useDetails = (name) => useLoaded(name, detailsOf);

/**
 * The rules that all games share; null until they are loaded.
 * @returns {Numbered[] | null}
 */
export const useSharedRules = () =>
  useLoaded("/shared", (name) => once(name, async () => (await sharedRules()).shared));

// What the table was taught by a household, colours of dice or sides of sticks, and what lies in the tray.
import { useEffect, useState } from "./vendor/preact-htm.js";

/** @import { Answer, Page } from "./types.d.ts" */

/**
 * The table's list, which is asked for anew whenever the tray lies still again, and the state of a page that
 * teaches.
 * @template {object} Taught
 * @param {() => Promise<Answer<Taught>>} ask
 * @param {Page} page
 */
export function useTaught(ask, { snapshot, setNotice }) {
  const [listed, setListed] = useState(/** @type {Taught | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [learned, setLearned] = useState("");
  const moving = snapshot.tray.busy || snapshot.tray.blind;

  /**
   * Shows the table's answer, or the notice of an error. Returns whether there was no error.
   * @param {Answer<Taught>} answer
   */
  function take(answer) {
    setNotice(answer.error ?? "", answer.lost);
    if (!answer.error) setListed((now) => ({ ...now, ...answer }));
    return !answer.error;
  }

  const refresh = async () => take(await ask());
  useEffect(() => {
    if (!moving && !busy) refresh();
  }, [snapshot.seq, moving]);

  return { listed, busy, setBusy, learned, setLearned, moving, take, refresh };
}

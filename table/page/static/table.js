// The table's side of the page: the stream of snapshots, and the actions. No drawing here.

/** @import { Answer, Frame, Games, HouseColours, Place, Quads, Seen, Snapshot } from "./types.d.ts" */

const POLL_MS = 1000; // while the stream is not to be had
const RETRY_STREAM_MS = 5000;
const PATIENCE_MS = 10000; // the table itself gives up after 5 s; without an answer nothing else could be tapped
const SILENCE_MS = 6500; // the table gives a sign of life every 2.5 s; after two that did not come, it is frozen or the network is gone
const LOOK_PATIENCE_MS = 1500; // so that a table which fell silent is told of within 8 s

/**
 * Calls onSnapshot with every snapshot of the stream or, while that is not to be had, of asking each second. Calls onLink(true|false)
 * when the table is reached or lost. Returns nothing.
 * @param {(snapshot: Snapshot) => void} onSnapshot
 * @param {(reached: boolean) => void} onLink
 */
export function follow(onSnapshot, onLink) {
  /** @type {EventSource} */
  let events;
  let poll = 0;
  let silence = 0;
  let signs = 0; // of life, on the stream: an answer to a question asked before the last one is old

  function connect() {
    events = new EventSource("/api/events");
    events.addEventListener("alive", heard);
    events.addEventListener("snapshot", (e) => {
      heard();
      onSnapshot(JSON.parse(e.data));
    });
    events.onerror = () => {
      pollUntilHeard();
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_STREAM_MS);
    };
  }

  function heard() {
    signs += 1;
    clearInterval(poll);
    clearTimeout(silence);
    silence = setTimeout(reconnect, SILENCE_MS);
    onLink(true);
  }

  function reconnect() {
    events.close();
    pollUntilHeard();
    connect();
  }

  function pollUntilHeard() {
    clearTimeout(silence);
    clearInterval(poll);
    poll = setInterval(look, POLL_MS);
    look();
  }

  async function look() {
    const before = signs;
    const now = await fetched("/api/snapshot", LOOK_PATIENCE_MS).catch(() => null);
    if (signs !== before) return;
    if (now) onSnapshot(now);
    onLink(now !== null);
  }

  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (e) => {
    if (e.persisted) reconnect();
  });
  connect();
}

/**
 * What the table was taught of dice colours, and what lies in the tray to be learned; {error} where that cannot be had. Never throws.
 * @returns {Promise<Answer<HouseColours>>}
 */
export const coloursOf = () => asked("/api/colours?lying=1");

/**
 * The same without what lies in the tray, which costs the table less.
 * @returns {Promise<Answer<HouseColours>>}
 */
export const houseColours = () => asked("/api/colours");

/**
 * Teaches what lies in the tray; as coloursOf, without what lies there.
 * @param {string} name
 * @param {string} playsAs
 * @returns {Promise<Answer<HouseColours>>}
 */
export const learnColour = (name, playsAs) =>
  asked("/api/colours", { method: "POST", body: { name, plays_as: playsAs } });

/**
 * @param {string} name
 * @returns {Promise<Answer<HouseColours>>}
 */
export const forgetColour = (name) => asked(`/api/colours/${encodeURIComponent(name)}`, { method: "DELETE" });

/**
 * What was read in the picture behind a throw: {size, dice}; {error} where there is none. Never throws.
 * @param {number} at
 * @returns {Promise<Answer<Seen>>}
 */
export const throwSeen = (at) => asked(`/api/throws/${at}`);

/**
 * The pictures before a throw, or before the newest foul in its place: [{at_s, picture: a JPEG}]; [] where there are none. Never throws.
 * @param {number} at
 * @param {boolean} foul
 * @returns {Promise<Frame[]>}
 */
export async function replayOf(at, foul) {
  try {
    const answer = await fetch(`/api/throws/${at}/clip${foul ? "?foul=1" : ""}`, {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return answer.ok ? [...picturesIn(new Uint8Array(await answer.arrayBuffer()))] : [];
  } catch {
    return [];
  }
}

const HEADER = [6, 41]; // where a picture's comment begins and ends: "brehon SECONDS BYTES", after the marks of a JPEG and of a comment

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Generator<Frame>}
 */
function* picturesIn(bytes) {
  for (let from = 0; from + HEADER[1] <= bytes.length;) {
    const [name, at, size] = String.fromCharCode(...bytes.subarray(from + HEADER[0], from + HEADER[1])).split(
      " ",
    );
    const to = from + Number(size);
    if (name !== "brehon" || !(to > from) || to > bytes.length) return;
    yield { at_s: Number(at), picture: new Blob([bytes.subarray(from, to)], { type: "image/jpeg" }) };
    from = to;
  }
}

/**
 * Where the tray lies in the picture; {error} where that cannot be had. Never throws.
 * @returns {Promise<Answer<Place>>}
 */
export const placeOf = () => asked("/api/place");

/**
 * The same, with where it seems to be.
 * @returns {Promise<Answer<Place>>}
 */
export const findPlace = () => asked("/api/place?find=1");

/**
 * Says where the tray is: {corners, strip}, or {mat: true}; as placeOf.
 * @param {Quads | { mat: true }} place
 * @returns {Promise<Answer<Place>>}
 */
export const setPlace = (place) => asked("/api/place", { method: "POST", body: place });

/** @returns {Promise<Answer<Place>>} */
export const unsetPlace = () => asked("/api/place", { method: "DELETE" });

/**
 * Does something at the table. Resolves to {snapshot} or {error, snapshot}, with {drops} where it waits for a yes and {lost: true} where
 * the table was not reached; never throws.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answer<{ snapshot: Snapshot }>>}
 */
export async function act(path, body = {}) {
  const said = await asked(`/api/${path}`, { method: "POST", body });
  return said.error ? said : { snapshot: said };
}

/**
 * What the table answers, as JSON; {error, lost: true} where it is not reached.
 * @param {string} path
 * @param {{ method?: string, body?: object }} how
 * @returns {Promise<any>}
 */
async function asked(path, { method = "GET", body } = {}) {
  const sent = body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  try {
    const answer = await fetch(path, {
      method,
      cache: "no-store",
      ...sent,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return await answer.json();
  } catch {
    return { error: "The table cannot be reached. Is it running, and are you on its network?", lost: true };
  }
}

/**
 * The games that can be played; throws where they cannot be had.
 * @returns {Promise<Games>}
 */
export const games = () => fetched("/api/games");

/**
 * @param {string} path
 * @param {number} patienceMs
 * @returns {Promise<any>}
 */
async function fetched(path, patienceMs = PATIENCE_MS) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(patienceMs) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

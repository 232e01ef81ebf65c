// The connection to the table: the stream of snapshots, and the requests. Nothing is drawn here.

/** @import { Answer, Coaching, Frame, Game, Games, Health, Highlight, Lights, ListedMatch, LoggedMatch, Numbered, OwnSticks, PhoneAddress, TaughtColours, Place, Quads, Seen, Snapshot } from "./types.d.ts" */

const POLL_MS = 1000; // while there is no stream
const RETRY_STREAM_MS = 5000;
// the table itself gives up after 5 s; while a request waits, nothing else can be tapped
const TIMEOUT_MS = 10000;
// the table sends an event every 2.5 s; when two are missing, the table is frozen or the network is down
const SILENCE_MS = 6500;
// a refusal comes as an ordinary answer: the browser logs every other one as an error of the page
const QUIETLY = { "Brehon-Refusals": "200" };
const PICTURE_TIMEOUT_MS = 5000; // then the picture counts as lost; the next one is fetched
const POLL_TIMEOUT_MS = 1500; // so that the page reports a silent table within 8 s

// the number of the tray's picture that the table told last; null: there is none, undefined: not told yet
/** @type {number | null | undefined} */
let picture;
/** @type {Set<(picture: number | null) => void>} */
const pictureListeners = new Set();

/** @param {number | null} number */
function tellPicture(number) {
  picture = number;
  for (const listener of pictureListeners) listener(number);
}

/**
 * Calls listener with the number of the tray's picture, now and whenever the table tells it; null: there is no
 * picture to show. Returns the function that ends this.
 * @param {(picture: number | null) => void} listener
 */
export function followPicture(listener) {
  pictureListeners.add(listener);
  if (picture !== undefined) listener(picture);
  return () => {
    pictureListeners.delete(listener);
  };
}

/**
 * The newest picture of the tray; null if there is none, or if the table is not reached. Never throws.
 * @returns {Promise<Blob | null>}
 */
export async function trayPicture() {
  try {
    const answer = await fetch("/api/tray.jpg", {
      cache: "no-store",
      headers: QUIETLY, // dice may have gone under a cup since the table told of this picture
      signal: AbortSignal.timeout(PICTURE_TIMEOUT_MS),
    });
    const shown = answer.ok && answer.headers.get("Content-Type")?.startsWith("image/");
    return shown ? await answer.blob() : null;
  } catch {
    return null;
  }
}

/**
 * Calls onSnapshot with every snapshot of the stream. Without a stream it polls every second. Calls
 * onLink(true) when the table is reached and onLink(false) when it is lost.
 * @param {(snapshot: Snapshot) => void} onSnapshot
 * @param {(reached: boolean) => void} onLink
 */
export function follow(onSnapshot, onLink) {
  /** @type {EventSource} */
  let events;
  let pollTimer = 0;
  let silenceTimer = 0;
  // events of the stream so far; the answer to a poll is old if an event came after the poll was sent
  let eventCount = 0;

  function connect() {
    events = new EventSource("/api/events");
    events.addEventListener("alive", onEvent);
    events.addEventListener("picture", (e) => {
      onEvent();
      tellPicture(JSON.parse(e.data));
    });
    events.addEventListener("snapshot", (e) => {
      onEvent();
      show(JSON.parse(e.data));
    });
    events.onerror = () => {
      startPolling();
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_STREAM_MS);
    };
  }

  /** @param {Snapshot} now */
  function show(now) {
    tellPicture(now.picture);
    onSnapshot(now);
  }

  function onEvent() {
    eventCount += 1;
    clearInterval(pollTimer);
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(reconnect, SILENCE_MS);
    onLink(true);
  }

  function reconnect() {
    events.close();
    startPolling();
    connect();
  }

  function startPolling() {
    clearTimeout(silenceTimer);
    clearInterval(pollTimer);
    pollTimer = setInterval(poll, POLL_MS);
    poll();
  }

  async function poll() {
    const before = eventCount;
    const now = await fetchJson("/api/snapshot", POLL_TIMEOUT_MS).catch(() => null);
    if (eventCount !== before) return;
    if (now) show(now);
    onLink(now !== null);
  }

  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (e) => {
    if (e.persisted) reconnect();
  });
  connect();
}

/**
 * What best play is worth now, or after the game the accounts of the players. {error} if the request fails.
 * Never throws.
 * @returns {Promise<Answer<Coaching>>}
 */
export const coaching = () => request("/api/coach");

/**
 * What people tell of the match that is over. {error} if the request fails. Never throws.
 * @returns {Promise<Answer<{ number: number, highlights: Highlight[] }>>}
 */
export const highlightsOf = () => request("/api/highlights");

/**
 * The taught dice colours, and the dice in the tray; {error} if the request fails. Never throws.
 * @returns {Promise<Answer<TaughtColours>>}
 */
export const coloursOf = () => request("/api/colours?lying=1");

/**
 * The taught dice colours alone, which costs the table less.
 * @returns {Promise<Answer<TaughtColours>>}
 */
export const taughtColours = () => request("/api/colours");

/**
 * Teaches the dice in the tray. Resolves to the taught colours; {error} if the request fails.
 * @param {string} name
 * @param {string} playsAs
 * @returns {Promise<Answer<TaughtColours>>}
 */
export const learnColour = (name, playsAs) =>
  request("/api/colours", { method: "POST", body: { name, plays_as: playsAs } });

/**
 * @param {string} name
 * @returns {Promise<Answer<TaughtColours>>}
 */
export const forgetColour = (name) =>
  request(`/api/colours/${encodeURIComponent(name)}`, { method: "DELETE" });

/**
 * The sides of sticks that were shown, and the sticks in the tray; {error} if the request fails. Never throws.
 * @returns {Promise<Answer<OwnSticks>>}
 */
export const ownSticks = () => request("/api/sticks?lying=1");

/**
 * The same of coins, which are listed as sticks.
 * @returns {Promise<Answer<OwnSticks>>}
 */
export const ownCoins = () => request("/api/coins?lying=1");

/**
 * Teaches the side that lies up on the sticks or coins in the tray. Resolves as ownSticks does, without those.
 * @param {"sticks" | "coins"} what
 * @param {string} face
 * @returns {Promise<Answer<OwnSticks>>}
 */
export const learnSide = (what, face) => request(`/api/${what}`, { method: "POST", body: { face } });

/**
 * @param {"sticks" | "coins"} what
 * @param {string} face
 * @returns {Promise<Answer<OwnSticks>>}
 */
export const forgetSide = (what, face) =>
  request(`/api/${what}/${encodeURIComponent(face)}`, { method: "DELETE" });

/**
 * The address of a throw: what was read in its picture, and with .jpg the picture. match: an earlier match; by
 * default the one that is on.
 * @param {number} at
 * @param {number | null} [match]
 */
export const addressOf = (at, match) => (match ? `/api/matches/${match}/throws/${at}` : `/api/throws/${at}`);

/**
 * The dice that were read in the picture of a throw: {size, dice}; {error} if there is no picture. Never
 * throws.
 * @param {string} address of the throw
 * @returns {Promise<Answer<Seen>>}
 */
export const throwSeen = (address) => request(address);

/**
 * The pictures before a throw, or before the newest foul: [{at_s, picture: a JPEG}], or [] if there are none.
 * Never throws.
 * @param {number} at
 * @param {boolean} foul
 * @returns {Promise<Frame[]>}
 */
export async function replayOf(at, foul) {
  try {
    const answer = await fetch(`/api/throws/${at}/clip${foul ? "?foul=1" : ""}`, {
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok ? [...picturesIn(new Uint8Array(await answer.arrayBuffer()))] : [];
  } catch {
    return [];
  }
}

// begin and end of the JPEG comment "brehon SECONDS BYTES", which follows the markers of the JPEG and of the
// comment
const HEADER = [6, 41];

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
 * The place of the tray in the picture; {error} if the request fails. Never throws.
 * @returns {Promise<Answer<Place>>}
 */
export const placeOf = () => request("/api/place");

/**
 * The place of the tray, and a place found in the picture.
 * @returns {Promise<Answer<Place>>}
 */
export const findPlace = () => request("/api/place?find=1");

/**
 * Sets the place of the tray: {corners, strip}, or {mat: true}. Resolves as placeOf does.
 * @param {Quads | { mat: true }} place
 * @returns {Promise<Answer<Place>>}
 */
export const setPlace = (place) => request("/api/place", { method: "POST", body: place });

/** @returns {Promise<Answer<Place>>} */
export const unsetPlace = () => request("/api/place", { method: "DELETE" });

/**
 * Undoes the last change of a step of the set-up. Resolves as its list does, without what lies in the tray.
 * @param {"colours" | "place" | "sticks" | "coins"} step
 * @returns {Promise<Answer<any>>}
 */
export const undoStep = (step) => request(`/api/${step}/undo`, { method: "POST", body: {} });

/**
 * What is well and what is wrong; {error} if the request fails. Never throws.
 * @returns {Promise<Answer<Health>>}
 */
export const healthOf = () => request("/api/health");

/** @returns {Promise<Answer<Lights>>} */
export const lightsOf = () => request("/api/lights");

/**
 * Lights one seat's light at the table for two seconds; null: the status light.
 * @param {number | null} seat
 * @returns {Promise<Answer<Lights>>}
 */
export const tryLight = (seat) => request("/api/lights", { method: "POST", body: { seat } });

/**
 * The page's addresses for phones, the surest first.
 * @returns {Promise<Answer<{ addresses: PhoneAddress[] }>>}
 */
export const addressesOf = () => request("/api/address");

/**
 * The dice under the cup of the player in turn, on a simulated tray.
 * @returns {Promise<Answer<{ dice: number[] }>>}
 */
export const lookUnderCup = () => request("/api/hand/look", { method: "POST", body: {} });

/**
 * The match before; null while a game is on, if there is none, or if the request fails. Never throws.
 * @returns {Promise<LoggedMatch | null>}
 */
export async function lastMatch() {
  const answer = await request("/api/last");
  return answer.error ? null : answer.match;
}

/**
 * The matches in the log, newest first.
 * @returns {Promise<Answer<{ matches: ListedMatch[] }>>}
 */
export const matches = () => request("/api/matches");

/**
 * A match in the log.
 * @param {number} number
 * @returns {Promise<Answer<{ match: LoggedMatch }>>}
 */
export const matchOf = (number) => request(`/api/matches/${number}`);

/**
 * Sends an action to the table. Resolves to {snapshot} or {error, snapshot}, with {drops} if it needs a
 * confirmation and {lost: true} if the table was not reached. Never throws.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answer<{ snapshot: Snapshot }>>}
 */
export async function act(path, body = {}) {
  const answer = await request(`/api/${path}`, { method: "POST", body });
  return answer.error ? answer : { snapshot: answer };
}

/**
 * The table's JSON answer; {error, lost: true} if the table is not reached.
 * @param {string} path
 * @param {{ method?: string, body?: object }} how
 * @returns {Promise<any>}
 */
async function request(path, { method = "GET", body } = {}) {
  try {
    const answer = await fetch(path, {
      method,
      cache: "no-store",
      headers: body ? { ...QUIETLY, "Content-Type": "application/json" } : QUIETLY,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await answer.json();
  } catch {
    return { error: "The table cannot be reached. Is it running, and are you on its network?", lost: true };
  }
}

/**
 * All games in short, for their cards. Throws if the request fails.
 * @returns {Promise<Games>}
 */
export const games = () => fetchJson("/api/games");

/**
 * One game with its settings, its rules and the rows of its sheet. Throws if the request fails.
 * @param {string} name
 * @returns {Promise<Game>}
 */
export const gameOf = (name) => fetchJson(`/api/games/${name}`);

/**
 * The rules that all games share. Throws if the request fails.
 * @returns {Promise<{ shared: Numbered[] }>}
 */
export const sharedRules = () => fetchJson("/api/rules");

/**
 * @param {string} path
 * @param {number} patienceMs
 * @returns {Promise<any>}
 */
async function fetchJson(path, patienceMs = TIMEOUT_MS) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(patienceMs) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

// The table's side of the page: the stream of snapshots, and the actions. No drawing here.

const POLL_MS = 1000; // while the stream is not to be had
const RETRY_STREAM_MS = 5000;
const PATIENCE_MS = 10000; // the table itself gives up after 5 s; without an answer nothing else could be tapped
const SILENCE_MS = 12000; // the table gives a sign of life every 5 s; after two that did not come, the network is gone

/** Calls onSnapshot with every snapshot, and whether it begins a new stream: a table that was restarted counts from 1 again. Calls
 * onLink(true|false) when the table is reached or lost. Returns nothing. */
export function follow(onSnapshot, onLink) {
  let events = null;
  let poll = null;
  let silence = null;

  function connect() {
    let first = true;
    events = new EventSource("/api/events");
    events.addEventListener("open", () => { first = true; });
    events.addEventListener("alive", heard);
    events.addEventListener("snapshot", (e) => {
      heard();
      onSnapshot(JSON.parse(e.data), first);
      first = false;
    });
    events.onerror = () => {
      pollUntilHeard();
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_STREAM_MS);
    };
  }

  function heard() {
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
    try {
      onSnapshot(await fetched("/api/snapshot"), true);
      onLink(true);
    } catch {
      onLink(false);
    }
  }

  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (e) => { if (e.persisted) reconnect(); });
  connect();
}

/** Does something at the table. Resolves to {snapshot} or {error, snapshot}; never throws. */
export async function act(path, body = {}) {
  try {
    const answer = await fetch(`/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const said = await answer.json();
    return answer.ok ? { snapshot: said } : { error: said.error, snapshot: said.snapshot };
  } catch {
    return { error: "The table cannot be reached. Is it running, and are you on its network?" };
  }
}

/** The games that can be played; throws where they cannot be had. */
export const games = () => fetched("/api/games");

async function fetched(path) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

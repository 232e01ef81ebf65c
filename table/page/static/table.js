// The table's side of the page: the stream of snapshots, and the actions. No drawing here.

const POLL_MS = 1000; // while the stream is not to be had
const RETRY_STREAM_MS = 5000;

/** Calls onSnapshot with every snapshot and onLink(true|false) when the table is reached or lost; returns nothing. */
export function follow(onSnapshot, onLink) {
  let poll = null;

  function connect() {
    const events = new EventSource("/api/events");
    events.addEventListener("snapshot", (e) => {
      clearInterval(poll);
      onLink(true);
      onSnapshot(JSON.parse(e.data));
    });
    events.onerror = () => {
      onLink(false);
      clearInterval(poll);
      poll = setInterval(look, POLL_MS);
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_STREAM_MS);
    };
    addEventListener("pagehide", () => events.close(), { once: true });
  }

  async function look() {
    try {
      const answer = await fetch("/api/snapshot", { cache: "no-store" });
      onSnapshot(await answer.json());
      onLink(true);
    } catch {
      onLink(false);
    }
  }

  connect();
}

/** Does something at the table. Resolves to {snapshot} or {error, snapshot}; never throws. */
export async function act(path, body = {}) {
  try {
    const answer = await fetch(`/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    return answer.ok ? { snapshot: said } : { error: said.error, snapshot: said.snapshot };
  } catch {
    return { error: "The table cannot be reached. Is it running, and are you on its network?" };
  }
}

export async function games() {
  const answer = await fetch("/api/games");
  return answer.json();
}

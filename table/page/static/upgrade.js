// After an upgrade of the table, an open page is of the old version: its own modules still fit each other, but
// those that it has not loaded yet are gone.

const OWN = new URL("page.js", import.meta.url).pathname;

/** Loads the page anew if the table has another version of it. Never throws. */
export async function reloadIfOld() {
  const page = await fetch("/", { cache: "no-store" })
    .then((answer) => (answer.ok ? answer.text() : OWN))
    .catch(() => OWN);
  if (!page.includes(OWN)) location.reload();
}

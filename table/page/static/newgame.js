// The form for a new game: game, players and settings.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { counted, pointsText } from "./cell.js";
import { useDetails } from "./details.js";
import { draft, knownNames, saveDraft, savePlayers, whoPlayed } from "./draft.js";
import { EmblemOf } from "./emblems.js";
import { Keyboard, useKeyboard, useTyping } from "./keyboard.js";
import { styled } from "./later.js";
import { Token } from "./players.js";
import { Rulebook } from "./rules.js";
import { Value } from "./settings.js";
import { taughtColours } from "./table.js";

/** @import { Draft, Match, Page, Player, Send, Setting, Typed } from "./types.d.ts" */

await styled("newgame.css", import.meta.url);

const FIRST_COLOURS = [
  "green",
  "red",
  "blue",
  "yellow",
  "white",
  "purple",
  "orange",
  "black",
  "pink",
  "brown",
];
const SECOND_COLOUR = "white"; // of every clan whose first colour is another

/**
 * The players for this game: not fewer and not more than it allows. Added players get a free colour.
 * @param {Player[]} players
 * @param {[number, number]} range
 */
function seated(players, [least, most]) {
  const seats = players.slice(0, most);
  while (seats.length < least) seats.push({ name: "", colour: freeColour(seats) });
  return seats;
}

/** @param {Player[]} players */
const freeColour = (players) => FIRST_COLOURS.find((c) => !players.some((p) => p.colour === c)) ?? "white";

/** @param {Player} player */
const secondOf = (player) => player.second ?? (player.colour === SECOND_COLOUR ? "black" : SECOND_COLOUR);

/**
 * The names of the players. A player without a name is called by the colour, with a number if that name is
 * taken.
 * @param {Player[]} players
 */
function namesOf(players) {
  const names = players.map((p) => p.name.trim());
  const taken = new Set(names.map((n) => n.toLowerCase()));
  return names.map((name, i) => {
    if (name) return name;
    const colour = players[i].colour ?? `Player ${i + 1}`;
    const plain = colour.charAt(0).toUpperCase() + colour.slice(1);
    let free = plain;
    for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${plain} ${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/**
 * The taught names of dice by the colour they play as, if the two differ.
 * @returns {Promise<Record<string, string>>}
 */
async function namesOfDice() {
  const { colours = [] } = await taughtColours();
  return Object.fromEntries(colours.filter((c) => c.name !== c.plays_as).map((c) => [c.plays_as, c.name]));
}

/**
 * The state of the game that is on: both scores, or the highest one if there are more than two players.
 * @param {Match} match
 */
function standing(match) {
  const { title, players, scores, scores_count } = match;
  const points = players.map((p) => pointsText(scores[p.name]));
  if (players.length <= 2) return `${title} is still on: ${points.join(" to ")}.`;
  const most = Math.max(...Object.values(scores));
  const highest = scores_count
    ? `The most is ${pointsText(most)} ${counted(most, match)}`
    : `The highest score is ${pointsText(most)}`;
  return `${title} is still on. ${highest}.`;
}

/**
 * @param {number} i place of the player
 * @returns {HTMLInputElement | null}
 */
const nameField = (i) => document.querySelector(`input[name=player-${i}]`);

/**
 * Enter goes on from a name to the next one, and from the last one to the button that starts the game.
 * @param {KeyboardEvent & { currentTarget: HTMLInputElement }} event
 */
function goOn(event) {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  const [form, field] = [event.currentTarget.form, event.currentTarget];
  const names = [...(form?.querySelectorAll("input.name") ?? [])];
  const next = names[names.indexOf(field) + 1] ?? form?.querySelector("#start");
  if (next instanceof HTMLElement) next.focus();
  if (next instanceof HTMLInputElement) next.select();
}

/** @param {Page} props */
export function NewGame({ snapshot, games, send, setView, last }) {
  const saved = useRef(draft());
  const before = snapshot.match ?? last;
  const [name, setName] = useState(saved.current?.name ?? before?.game ?? "pig");
  const [players, setPlayers] = useState(saved.current?.players ?? whoPlayed(before));
  const [settings, setSettings] = useState(saved.current?.settings ?? {});
  const [confirming, setConfirming] = useState(false);
  // taught names by the colour they play as
  const [taught, setTaught] = useState(/** @type {Record<string, string>} */ ({}));
  const [ruled, setRuled] = useState(false);
  const keyboard = useKeyboard();
  const { typing, enter, leave } = useTyping();
  const setup = useRef(/** @type {HTMLElement | null} */ (null));
  const untouched = useRef(true);
  const added = useRef(/** @type {number | null} */ (null));
  useEffect(() => {
    if (added.current === null) return;
    setup.current?.querySelector(/** @type {"input"} */ (`input[name=player-${added.current}]`))?.focus();
    added.current = null;
  }, [players]);
  useEffect(() => {
    namesOfDice().then(setTaught);
  }, []);
  /** Shows the players and the settings, where they lie below all the cards. */
  const showSetup = () => {
    const top = setup.current?.getBoundingClientRect().top ?? 0;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    if (top > innerHeight / 2) setup.current?.scrollIntoView({ block: "start", behavior });
  };
  const cards = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    // the chosen card comes into view, but a page that scrolls as a whole stays at its top
    const [list, card] = [cards.current, cards.current?.querySelector(":checked")?.closest(".game")];
    if (list && card)
      list.scrollTop += card.getBoundingClientRect().top - list.getBoundingClientRect().top - 8;
  }, [games !== null]);
  useEffect(() => {
    if (untouched.current) untouched.current = false;
    else saveDraft({ name, players, settings });
    setConfirming(false);
  }, [name, players, settings]);
  const ending = snapshot.match?.phase === "play";
  const details = useDetails(
    games ? (games.games.find((g) => g.name === name) ?? games.games[0]).name : undefined,
  );
  useEffect(() => {
    if (details && saved.current?.chosen) showSetup();
  }, [details !== null]);
  if (!games) return html`<main class="text"><p>Loading the games …</p></main>`;
  const game = games.games.find((g) => g.name === name) ?? games.games[0];
  const seats = seated(players, game.players);
  const listed = (details?.settings ?? []).filter((s) => isFor(s, seats.length));
  const names = namesOf(seats);
  /**
   * @param {number} i
   * @param {Partial<Player>} what
   */
  const change = (i, what) =>
    setPlayers([...seats.map((p, j) => (j === i ? { ...p, ...what } : p)), ...players.slice(seats.length)]);

  /**
   * Gives the player a colour. Who has it already takes the one that the player gives up: players are told apart
   * by it, but for games in which each has two.
   * @param {number} i
   * @param {string | null} colour
   */
  function paint(i, colour) {
    const other = colour && !game.two_colours ? seats.findIndex((p) => p.colour === colour) : -1;
    const painted = seats.map((p, j) => (j === i ? { ...p, colour } : p));
    if (other >= 0 && other !== i)
      painted[other] = { ...seats[other], colour: seats[i].colour ?? freeColour(seats) };
    setPlayers([...painted, ...players.slice(seats.length)]);
  }

  /**
   * Adds a player. From a keyboard the name can be typed at once; on a touch screen its keyboard would hide the list.
   * @param {MouseEvent} event
   */
  function addPlayer(event) {
    setPlayers([...seats, { name: "", colour: freeColour(seats) }]);
    added.current = event.detail === 0 ? seats.length : null;
  }

  /** @param {Event} event */
  async function start(event) {
    event.preventDefault();
    if (ending && !confirming) {
      setConfirming(true);
      return;
    }
    const offered = Object.fromEntries(
      listed.flatMap((s) => (usual(s) === s.default ? [] : [[s.name, usual(s)]])),
    );
    const given = Object.fromEntries(
      Object.entries({ ...offered, ...settings }).filter(
        ([k]) => k === "start" || listed.some((s) => s.name === k),
      ),
    );
    if (!names.includes(given.start)) delete given.start;
    const who = seats.map((p, i) => ({
      name: names[i],
      colour: p.colour,
      ...(game.two_colours ? { second: secondOf(p) } : {}),
    }));
    setConfirming(false);
    if (await send("start", { game: game.name, players: who, settings: given })) {
      saveDraft(null);
      const named = who.map((p, i) => ({ ...p, name: seats[i].name.trim() }));
      savePlayers([...named, ...players.slice(named.length)]);
      setView("play");
    }
  }

  /** @param {string} c */
  const colourText = (c) => (taught[c] ? `${c} (${taught[c]})` : c);
  const played = [...whoPlayed(before).map((p) => p.name), ...knownNames()];
  const free = [...new Set(played)].filter((each) => each && !seats.some((p) => p.name === each));
  const known = free.slice(0, MANY_KNOWN);
  const [common, others] = sorted(listed, settings);
  /** @param {Setting} s */
  const setting = (s) => html`<label class="setting"><span>${s.title}<small>${s.about}</small></span>
    <${Value} setting=${s} names=${names} value=${settings[s.name] ?? usual(s)}
        onChange=${(/** @type {string} */ v) => setSettings({ ...settings, [s.name]: v })} /></label>`;

  return html`<main class="new">
    <form onSubmit=${start}>
      <section class="games scrolls" aria-label="Games" ref=${cards}><div class="titles" role="radiogroup" aria-label="Game">
        ${games.games.map(
          (
            g,
          ) => html`<label class="game" onPointerUp=${showSetup}><input type="radio" name="game" value=${g.name} checked=${g === game}
              onChange=${() => setName(g.name)} />
            <${EmblemOf} name=${g.name} /><span class="title">${g.title}</span>
            <small class="seats"><span>${seatsText(g.players)}${g.minutes && ","}</span>
              ${g.minutes && html`<span>${minutesText(g.minutes)}</span>`}</small>
            <small class="about">${aboutText(g.aim)}</small></label>`,
        )}
      </div></section>
      <section class="setup scrolls" aria-label=${game.title} ref=${setup}>
        <div class="chosen"><h2>${game.title}</h2><button type="button" class="tool" id="read-rules"
            onClick=${() => setRuled(true)}>Rules</button></div>
        <p class="aim" id="aim">${game.aim} ${forSoMany(game.players)}${game.minutes && ` About ${minutesText(game.minutes)}.`}</p>
        <fieldset class="players"><legend>${game.two_colours ? "Who plays, in which two colours" : "Who plays"}</legend>
          ${seats.map(
            (p, i) => html`<div class="player">
            <${Token} colour=${p.colour} second=${game.two_colours ? secondOf(p) : null} />
            <input class="name" name=${`player-${i}`} maxlength="24" value=${p.name} placeholder=${names[i]}
                aria-label=${`name of player ${i + 1}`} autocomplete="off" spellcheck="false"
                inputmode=${keyboard ? "none" : null} enterkeyhint="next" onKeyDown=${goOn}
                onFocus=${() => enter(i)} onBlur=${leave}
                onInput=${(/** @type {Typed} */ e) => change(i, { name: e.target.value })} />
            <select aria-label=${`colour of player ${i + 1}`} value=${p.colour ?? ""}
                onChange=${(/** @type {Typed} */ e) => paint(i, e.target.value || null)}>
              ${games.colours.map((c) => html`<option value=${c}>${colourText(c)}</option>`)}<option
                  value="">no colour</option></select>
            ${
              game.two_colours &&
              html`<select aria-label=${`second colour of player ${i + 1}`} value=${secondOf(p)}
                  onChange=${(/** @type {Typed} */ e) => change(i, { second: e.target.value })}>
              ${games.colours.map((c) => html`<option value=${c}>${colourText(c)}</option>`)}</select>`
            }
            ${
              seats.length > game.players[0] &&
              html`<button type="button" class="tool"
                aria-label=${`remove player ${i + 1}`}
                onClick=${() => setPlayers(seats.filter((_, j) => j !== i))}>✕</button>`
            }
          </div>`,
          )}
          ${
            seats.length < game.players[1] &&
            html`<div class="known"><button type="button" class="tool" id="add-player"
              onClick=${addPlayer}>Add a player</button>
            ${known.map(
              (each) => html`<button type="button" class="tool" data-add=${each}
                onClick=${() => setPlayers([...seats, { name: each, colour: freeColour(seats) }])}>+ ${each}</button>`,
            )}</div>`
          }
        </fieldset>
        <fieldset class="settings"><legend>How you play</legend>
          ${!details && html`<p class="hint">One moment …</p>`}
          ${common.map(setting)}
          ${
            others.length > 0 &&
            html`<details><summary>More settings <small>${others.length}</small></summary>
            <div>${others.map(setting)}</div></details>`
          }
        </fieldset>
        <fieldset><legend>The table</legend><div class="known">
          <button type="button" class="tool" id="set-tray"
              onClick=${() => setView("place")}>Set the tray</button>
          ${
            game.sticks
              ? html`<button type="button" class="tool" id="own-sticks"
                  onClick=${() => setView("sticks")}>Show your sticks or coins</button>`
              : html`<button type="button" class="tool" id="dice-colours"
                  onClick=${() => setView("colours")}>Teach dice colours</button>`
          }
        </div></fieldset>
      </section>
      <div class="go">
        ${
          ending &&
          confirming &&
          html`<p class="costs" id="costs"
            role="alert">${standing(snapshot.match)}</p>`
        }
        <button class=${ending && confirming ? "choice warning" : "choice"} id="start" type="submit" disabled=${!details}
            onBlur=${() => setConfirming(false)}>
          ${ending && confirming ? `End it and start ${game.title}` : `Start ${game.title}`}</button>
        ${snapshot.match && html`<${EndGame} over=${!ending} ...${{ send, setView }} />`}
      </div>
    </form>
    ${
      keyboard &&
      typing !== null &&
      html`<${Keyboard} key=${typing} value=${seats[typing]?.name ?? ""} known=${known} people
        next=${typing < seats.length - 1 ? () => nameField(typing + 1)?.focus() : null}
        onChange=${(/** @type {string} */ text) => change(typing, { name: text })} />`
    }
    ${ruled && details && html`<${Rulebook} game=${details} close=${() => setRuled(false)} />`}
  </main>`;
}

/**
 * Whether a setting means anything with so many players.
 * @param {Setting} setting
 * @param {number} count
 */
const isFor = ({ players }, count) => !players || (count >= players[0] && count <= players[1]);

/**
 * The value of a setting that is offered first: today for the day of play, else the table's own.
 * @param {Setting} setting
 */
function usual({ name, values, default: value }) {
  const now = new Date();
  const today = [now.getMonth() + 1, now.getDate()].map((n) => `${n}`.padStart(2, "0")).join("-");
  return name === "date" && values?.includes(today) ? today : value;
}

const MANY_KNOWN = 8; // names that are offered for one more player
const FEW_SETTINGS = 5; // settings that are shown at once; of more, the first of them
const FIRST_SETTINGS = ["start", "dice"]; // of any game: what people change most

/**
 * The settings that are shown at once, and the others. A setting such as "Magic: Fireball" is left out while
 * the setting "Magic" is off.
 * @param {Setting[]} settings
 * @param {Record<string, string>} given
 * @returns {[Setting[], Setting[]]}
 */
function sorted(settings, given) {
  /** @param {Setting} s */
  const off = (s) => {
    const of = settings.find((other) => other !== s && s.title.startsWith(`${other.title}: `));
    return of !== undefined && (given[of.name] ?? of.default) === "off";
  };
  const first = FIRST_SETTINGS.flatMap((name) => settings.filter((s) => s.name === name));
  const all = [...first, ...settings.filter((s) => !first.includes(s) && !off(s))];
  return all.length <= FEW_SETTINGS
    ? [all, []]
    : [all.slice(0, FEW_SETTINGS - 1), all.slice(FEW_SETTINGS - 1)];
}

/**
 * @param {[number, number]} range
 */
const seatsText = ([least, most]) =>
  least === most ? `${least} ${least === 1 ? "player" : "players"}` : `${least}–${most} players`;

/**
 * How long a game takes: "20 min", "10–20 min".
 * @param {[number, number]} minutes
 */
const minutesText = ([least, most]) => (least === most ? `${most} min` : `${least}–${most} min`);

const LEAST_ABOUT = 25; // letters; a shorter sentence says too little about a game

/**
 * What a card says about a game: the first sentence of its aim, or the first two if that one is short.
 * @param {string} aim
 */
function aboutText(aim) {
  const [first, second = ""] = aim.match(/[^.?]+[.?]\s*/g) ?? [aim];
  return first.length < LEAST_ABOUT ? first + second : first;
}

/**
 * The number of players as a sentence.
 * @param {[number, number]} range
 */
function forSoMany([least, most]) {
  if (least === most) return least === 1 ? "For one player." : `For ${least} players.`;
  return `For ${least} to ${most} players.`;
}

/**
 * Ends the game after a second tap. over: it has ended by itself, so there is nothing to lose.
 * @param {Pick<Page, "send" | "setView"> & { over: boolean }} props
 */
function EndGame({ over, send, setView }) {
  const [confirming, setConfirming] = useState(false);
  const end = async () => {
    if (await send("end")) setView("play");
  };
  if (over)
    return html`<button class="choice quiet" type="button" id="end-game" onClick=${end}>Close the last game</button>`;
  return html`${confirming && html`<p class="costs" role="alert">Nobody wins; the sheet is kept.</p>`}
    <button class=${confirming ? "choice warning" : "choice quiet"} type="button" id="end-game"
      onBlur=${() => setConfirming(false)}
      onClick=${confirming ? end : () => setConfirming(true)}>${confirming ? "Tap again to end" : "End this game"}</button>`;
}

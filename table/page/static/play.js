// The view of a game: tray or board, whose turn it is, the prompt, the tools and the scores.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { askAbout, askAboutSticks, correction, typedThrow } from "./asking.js";
import { Board } from "./board.js";
import { ClumsyHand } from "./clumsy.js";
import { Coach, coachIsOn, saveCoach, useCoaching } from "./coach.js";
import { BODY, Die } from "./dice.js";
import { playAgain } from "./newgame.js";
import { Message } from "./notice.js";
import { Picture } from "./picture.js";
import { OfferPlace } from "./place.js";
import { cellText } from "./sheet.js";
import { Shower } from "./shower.js";
import { PromptControls, needsRoom, shortOptions } from "./prompts.js";
import { Stick } from "./sticks.js";
import { Cup, Tray } from "./tray.js";

/**
 * @import {
 *   AskingDice, AskingSeenSticks, BoardView, Coaching, Keeping, KeepPrompt, Match, Page, PlayingPage, Prompt, Rolled, Send,
 *   SetAsking, SheetLine, Shown, Snapshot, Stage, TrayDie, TrayView
 * } from "./types.d.ts"
 */

const SHORT = 48; // letters of a sentence that fits in large type on a seven-inch screen
const SHORT_NAME = 15; // letters of a name that fits on one line there
const SHORT_OPTION = 20; // letters that fit on a large button
const FLAT = 0.4; // height of a board divided by its width; a flatter board leaves room below it
const THROWING = new Set(["roll", "keep"]);
// prompts that a throw can answer; undefined: no game is on
const BY_HAND = new Set([undefined, "roll", "sticks", "keep", "choose"]);

/** @param {Page} props */
export function Play({ snapshot, send, setView, setAsking, notice, setNotice, games }) {
  const { match, tray } = snapshot;
  const prompt = match?.prompt;
  const keeping = prompt?.kind === "keep";
  const [kept, setKept] = useState(/** @type {Set<number>} */ (new Set()));
  const [correcting, setCorrecting] = useState(false);
  const [wantedStage, setWantedStage] = useState(/** @type {Stage | null} */ (null));
  const [coached, setCoached] = useState(coachIsOn());
  const coaching = useCoaching(coached, snapshot);
  const [replayed, setReplayed] = useState(/** @type {Shown | null} */ (null));
  const [clumsy, setClumsy] = useState(false);
  useEffect(() => setKept(new Set()), [match?.at, prompt?.kind]);
  useEffect(() => setCorrecting(false), [snapshot.number]);
  useEffect(() => setWantedStage(null), [match?.at]);

  const asked = askAbout(snapshot) ?? askAboutSticks(snapshot);
  const open = asked && !asked.leans ? null : prompt; // the table accepts no choice while dice are unsure
  const stages = stagesOf(match, open, tray.blind).filter(
    (s) => s !== "asking" || open?.kind !== "sticks" || snapshot.can_type,
  );
  const stage = stages.find((s) => s === wantedStage) ?? stages[0];
  /** @param {number} i */
  const toggle = (i) =>
    setKept((old) => {
      const now = new Set(old);
      if (!now.delete(i)) now.add(i);
      return now;
    });
  const replay = replayable(snapshot);
  /** @param {boolean} on */
  const coach = (on) => {
    saveCoach(on);
    setCoached(on);
  };
  const thrown = open?.kind === "sticks" && stage === "tray"; // the camera reads them
  const controls =
    open && needsRoom(open) && !thrown
      ? html`<${PromptControls} prompt=${open} ...${{ match, tray }}
          sendAnswer=${(/** @type {object} */ answer) => send("answer", { answer })} />`
      : null;
  // the controls are in the large half
  const below = stage === "asking" || (stage === "board" && flat(match?.board));

  return html`<main class="play" data-stage=${stage}>
    <section class="left">
      ${stage === "tray" && prompt?.kind === "hidden" && html`<${Cup} />`}
      ${
        stage === "tray" &&
        prompt?.kind !== "hidden" &&
        html`<${LiveTray}
          ...${{ snapshot, kept, toggle, correcting, setAsking, setNotice }} />`
      }
      ${
        stage === "tray" &&
        snapshot.hand &&
        html`<button class="tool clumsy" id="clumsy" title="Clumsy hand"
          aria-label="Clumsy hand" onClick=${() => setClumsy(true)}>…</button>`
      }
      ${stage === "board" && html`<${Board} match=${match} />`}
      ${below && controls && html`<div class="answering"><${LastThrow} match=${match} />${controls}</div>`}
    </section>
    <section class="side">
      ${
        match
          ? html`<${Turn} ...${{ snapshot, asked, open, kept, toggle, send, setView, setAsking }}
              ...${{ notice, setNotice, games, coached, coaching, controls: below ? null : controls }} />`
          : html`<${FreeThrows} ...${{ snapshot, asked, setView, setAsking, notice, setNotice }} />`
      }
    </section>
    <div class="tools">
      ${stages
        .filter((s) => s !== stage)
        .map(
          (s) => html`<button class="tool" id=${`show-${s}`}
          onClick=${() => setWantedStage(s)}>${s === "asking" && open?.kind === "sticks" ? "Tap it" : STAGES[s]}</button>`,
        )}
      ${
        keeping &&
        tray.throw_at !== null &&
        html`<button class="tool" id="correct" aria-pressed=${correcting}
          onClick=${() => setCorrecting(!correcting)}>Correct</button>`
      }
      ${
        tray.short &&
        html`<button class="tool" id="fell-off"
          onClick=${() => send("fell_off")}>A die fell off</button>`
      }
      ${
        open?.kind === "roll" &&
        !tray.blind &&
        snapshot.can_type &&
        html`<button class="tool" id="type-throw"
          aria-label="Type the throw"
          onClick=${() => setAsking(typedThrow(open, snapshot.number))}>Type it</button>`
      }
      ${
        replay &&
        html`<button class="tool" id="replay-shown"
          onClick=${() => setReplayed(replay)}>Replay</button>`
      }
      ${
        tray.state === "MOVED" &&
        html`<button class="tool" id="set-tray"
          onClick=${() => setView("place")}>Set the tray</button>`
      }
      <button class="tool" id="read-again" onClick=${() => send("read_again")}>Read again</button>
      ${
        match &&
        (match.odds.length > 0 || coached || games?.games.find((g) => g.name === match.game)?.best_play) &&
        html`<button class="tool" id="switch-coach"
          aria-pressed=${coached} onClick=${() => coach(!coached)}>Coach</button>`
      }
      ${
        snapshot.hand &&
        BY_HAND.has(prompt?.kind) &&
        html`<${SimulatedHand} ...${{ snapshot, kept, send }} />`
      }
    </div>
    ${match && html`<${Scores} match=${match} />`}
    ${
      replayed &&
      html`<${Picture} ...${{ shown: replayed, setShown: setReplayed, replays: snapshot.replays }} />`
    }
    ${clumsy && html`<${ClumsyHand} ...${{ send, close: () => setClumsy(false) }} />`}
  </main>`;
}

/**
 * The replay to offer: of the current foul, or else of the last throw. Null if there is neither, or while
 * dice go under a cup.
 * @param {Snapshot} snapshot
 * @returns {Shown | null}
 */
function replayable({ match, tray, replays }) {
  if (!match || match.prompt?.kind === "hidden") return null;
  if (replays.fouls.includes(match.at))
    return { at: match.at, text: tray.message || "The last foul.", foul: true };
  const last = match.throws.at(-1);
  return last && replays.throws.includes(last.at)
    ? { at: last.at, text: `${last.player}'s last throw.` }
    : null;
}

/** What the large half of the page can show, with the labels of the buttons. */
const STAGES = { asking: "Answer", board: "Board", tray: "Tray" };

/**
 * The stages of the current prompt. The first one is shown by default. blind: the camera does not see the
 * tray; otherwise it reads sticks, and tapping them is the second way.
 * @param {Match | null} match
 * @param {Prompt | null | undefined} open
 * @param {boolean} blind
 * @returns {Stage[]}
 */
function stagesOf(match, open, blind) {
  if (open?.kind === "sticks" && !blind)
    return match?.board ? ["tray", "asking", "board"] : ["tray", "asking"];
  if (match?.board) return !open || THROWING.has(open.kind) ? ["tray", "board"] : ["board", "tray"];
  return open && needsRoom(open) ? ["asking", "tray"] : ["tray"];
}

/** @param {BoardView | null | undefined} board */
const flat = (board) => !!board && board.height < FLAT * board.width;

/** @param {Keeping & Pick<Page, "snapshot" | "setAsking" | "setNotice"> & { correcting: boolean }} props */
function LiveTray({ snapshot, kept, toggle, correcting, setAsking, setNotice }) {
  const { match, tray } = snapshot;
  const prompt = match?.prompt;
  const keeping = prompt?.kind === "keep";
  /** @type {(die: TrayDie) => die is TrayDie & { index: number }} */
  const inLastThrow = (die) => ofLastThrow(match, tray, die);
  const chosen = new Set(
    keeping ? tray.dice.flatMap((d, i) => (inLastThrow(d) && kept.has(placeIn(prompt, d)) ? [i] : [])) : [],
  );

  /** @param {number} i */
  function tap(i) {
    const die = tray.dice[i];
    if (die.part === "asked")
      return die.index === null
        ? setNotice("Throw this die again, alone.")
        : setAsking(askAbout(snapshot, i));
    if (die.part === "doubted") return setNotice("Tap “Thrown” or “Only moved”.");
    if (keeping && !correcting && inLastThrow(die)) return toggle(placeIn(prompt, die));
    const wrong =
      die.part === "thrown" && die.index !== null && tray.throw_at !== null
        ? correction(snapshot, tray.throw_at, die.index, true)
        : null;
    if (wrong) return setAsking(wrong);
    return setNotice(
      die.part === "still"
        ? "This die is not part of the last throw. To correct an older throw, open the sheet."
        : "Only a throw that counted in a game can be corrected.",
    );
  }

  /** @param {number} i */
  function tapStick(i) {
    const { part, index } = tray.sticks[i];
    if (part === "asked") return setAsking(askAboutSticks(snapshot, i));
    if (part === "doubted") return setNotice("Tap “Thrown” or “Only moved”.");
    if (index !== null && tray.throw_at !== null) return setAsking(correction(snapshot, tray.throw_at, 0));
    return setNotice("Only a throw that counted in a game can be corrected.");
  }

  /** @param {TrayDie} die */
  const label = (die) =>
    `${die.colour} die showing ${die.face}, ${keeping && inLastThrow(die) ? "tap to keep" : whatOf(die)}`;
  return html`<${Tray} tray=${tray} chosen=${chosen} onTap=${tap} onTapStick=${tapStick} label=${label} />`;
}

/**
 * What a tap on a die does, for screen readers.
 * @param {TrayDie} die
 */
function whatOf({ part, cocked }) {
  if (part === "asked") return cocked ? "leans: tap if it lies flat" : "not sure: tap to say what it shows";
  if (part === "doubted") return "thrown, or only moved?";
  return part === "thrown" ? "tap to correct" : "lies still";
}

/**
 * The button to say what dice or sticks show. Leaning dice are thrown again unless a person says that they
 * lie flat.
 * @param {{ asked: AskingDice | AskingSeenSticks, setAsking: SetAsking }} props
 */
function Say({ asked, setAsking }) {
  const many = (asked.sticks ?? asked.dice).length > 1;
  const words = asked.leans
    ? many
      ? "They lie flat"
      : "It lies flat"
    : many
      ? "Say what they show"
      : "Say what it shows";
  return html`<button class=${asked.leans ? "choice quiet" : "choice"} id="say"
      onClick=${() => setAsking(asked)}>${words}</button>`;
}

/**
 * Whether this die on the tray belongs to the last throw. Then its index is its place in that throw.
 * @param {Match | null} match
 * @param {TrayView} tray
 * @param {TrayDie} die
 * @returns {die is TrayDie & { index: number }}
 */
function ofLastThrow(match, tray, die) {
  return (
    die.part === "thrown" &&
    die.index !== null &&
    tray.throw_at !== null &&
    tray.throw_at === match?.throws.at(-1)?.at
  );
}

/**
 * The place of a die of the last throw among the dice of the keep prompt: after the dice that were kept
 * before.
 * @param {KeepPrompt} prompt
 * @param {{ index: number }} die
 */
const placeIn = (prompt, die) => (prompt.earlier?.length ?? 0) + die.index;

/**
 * Places on the tray of the dice that are not kept: dice of the last throw, and dice that were kept before
 * and lie still.
 * @param {Match} match
 * @param {KeepPrompt} prompt
 * @param {TrayView} tray
 * @param {Set<number>} kept
 */
function toThrowAgain(match, prompt, tray, kept) {
  const again = tray.dice.flatMap((d, i) =>
    ofLastThrow(match, tray, d) && !kept.has(placeIn(prompt, d)) ? [i] : [],
  );
  const before = (prompt.earlier ?? []).filter((_, place) => !kept.has(place));
  for (const face of before) {
    const place = tray.dice.findIndex((d, i) => d.part === "still" && d.face === face && !again.includes(i));
    if (place >= 0) again.push(place);
  }
  return again;
}

/**
 * The last throw of the player whose turn it is, for when the tray is not in view.
 * @param {{ match: Match }} props
 */
function LastThrow({ match }) {
  const thrown = match.throws.at(-1);
  if (!thrown || thrown.player !== match.prompt?.player) return null;
  if (thrown.sticks)
    return html`<div class="last-throw" role="img" aria-label=${`the last throw: ${thrown.sticks.join(", ")}`}>
      ${thrown.sticks.map((face) => html`<span class="inline-stick"><${Stick} face=${face} /></span>`)}</div>`;
  if (!thrown.roll) return null;
  /** @param {Rolled} d */
  const shown = (d) => (typeof d === "number" ? { face: d } : d);
  return html`<div class="last-throw" role="img"
      aria-label=${`the last throw: ${thrown.roll.map((d) => shown(d).face).join(", ")}`}>
    ${thrown.roll.map(
      (d) => html`<span class="inline-die"><${Die} face=${shown(d).face}
        colour=${shown(d).colour ?? "white"} /></span>`,
    )}</div>`;
}

/** @param {PlayingPage & Keeping & { asked: AskingDice | AskingSeenSticks | null, open: Prompt | null, coached: boolean, coaching: Coaching | null, controls: unknown }} props */
function Turn({
  snapshot,
  asked,
  open,
  kept,
  toggle,
  send,
  setView,
  setAsking,
  notice,
  setNotice,
  games,
  coached,
  coaching,
  controls,
}) {
  const { match, tray } = snapshot;
  const prompt = match.prompt;
  const said = prompt ? withoutName(prompt) : (match.outcome ?? match.broken ?? "");
  const who = prompt ? prompt.player : heading(match);
  const long = said.length > SHORT || who.length > SHORT_NAME;
  const doubted = [...tray.dice, ...tray.sticks].some((each) => each.part === "doubted");
  const blind = open?.kind === "roll" && tray.blind;
  return html`
    ${
      match.winners.length > 0 &&
      html`<${Shower}
        colours=${match.players.filter((p) => match.winners.includes(p.name)).map((p) => p.colour)} />`
    }
    <div class=${`turn${long ? " long" : ""}${match.winners.length ? " won" : ""}`} id="turn"
        data-player=${prompt?.player ?? ""} aria-live="polite" aria-atomic="true">
      <p class="who">${who}</p>
      <p class="prompt" id="prompt">${said}</p>
    </div>
    <${Message} ...${{ tray, notice, setNotice }} />
    ${match.so_far && html`<p class="so-far" id="so-far">${match.so_far}</p>`}
    ${
      coached &&
      html`<${Coach} odds=${match.odds} coaching=${coaching}
        kept=${prompt?.kind === "keep" ? [...kept].map((i) => prompt.from[i]) : []} />`
    }
    ${controls}
    <div
        class=${open && shortOptions(open).some((o) => o.text.length > SHORT_OPTION) ? "choices long" : "choices"}
        id="choices">
      ${asked && html`<${Say} ...${{ asked, setAsking }} />`}
      ${
        doubted &&
        html`<button class="choice" id="was-thrown"
            onClick=${() => send("tell", { thrown: true })}>Thrown</button>
        <button class="choice" id="was-moved"
            onClick=${() => send("tell", { thrown: false })}>Only moved</button>`
      }
      ${
        blind &&
        html`<button class="choice" id="type-throw"
          onClick=${() => setAsking(typedThrow(open, snapshot.number))}>Type the throw</button>`
      }
      ${
        open &&
        shortOptions(open).map(
          (o) => html`<button class="choice" data-option=${o.id}
          onClick=${() => send("answer", { choose: o.id })}>${o.text}</button>`,
        )
      }
      ${open?.kind === "keep" && html`<${Keep} ...${{ prompt, kept, toggle, send, tray, match }} />`}
      ${
        match.phase === "over" &&
        html`<button class="choice" id="play-again"
          onClick=${() => playAgain(match, games, send)}>Play again</button>`
      }
      ${
        match.phase !== "play" &&
        html`<button class="choice quiet"
          onClick=${() => setView("new")}>Another game</button>`
      }
    </div>
    <ol class="rulings" id="rulings">${latest(match).map((text) => html`<li>${text}</li>`)}</ol>`;
}

/**
 * The last three rulings and scores, newest first. A score of 0 is left out if a ruling mentions it.
 * @param {Match} match
 */
function latest({ sheet, rulings }) {
  /** @param {SheetLine} line */
  const mentioned = (line) =>
    line.points === 0 && rulings.some((r) => r.at === line.at && r.text.includes(line.player));
  const scored = sheet
    .filter((line) => !mentioned(line))
    .map((line) => ({
      at: line.at,
      text: `${line.player}: ${cellText(line)}${line.reason && ` (${line.reason})`}`,
    }));
  return [...scored, ...rulings]
    .sort((a, b) => a.at - b.at)
    .slice(-3)
    .reverse()
    .map((each) => each.text);
}

/**
 * The heading when it is nobody's turn.
 * @param {Match} match
 */
function heading({ phase, winners }) {
  if (phase !== "over") return "Stopped";
  return winners.length === 1 ? `★ ${winners[0]}` : "Game over";
}

/**
 * The text of the prompt without the player's name, which is shown above it.
 * @param {Prompt} prompt
 */
function withoutName(prompt) {
  const text = prompt.text.startsWith(`${prompt.player}: `)
    ? prompt.text.slice(prompt.player.length + 2)
    : prompt.text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {Keeping & { prompt: KeepPrompt, send: Send, tray: TrayView, match: Match }} props */
function Keep({ prompt, kept, toggle, send, tray, match }) {
  const faces = [...kept].sort((a, b) => a - b).map((i) => prompt.from[i]);
  /** @param {number} i */
  const colour = (i) =>
    tray.dice.find((d) => ofLastThrow(match, tray, d) && placeIn(prompt, d) === i)?.colour ??
    colourOf(match, i - (prompt.earlier?.length ?? 0));
  return html`
    <div class="faces" role="group" aria-label="Dice of this throw">
      ${prompt.from.map(
        (face, i) => html`<button class="face" data-keep=${i} onClick=${() => toggle(i)}
          aria-pressed=${kept.has(i)} aria-label=${`keep ${face}`}>
        <${Die} face=${face} colour=${colour(i)} /></button>`,
      )}
    </div>
    <div class="keep-row">
      <button class="choice" id="keep" disabled=${!kept.size && !prompt.none}
          onClick=${() => send("answer", { keep: faces })}>
        ${kept.size ? `Keep ${faces.join(", ")}` : prompt.none ? "Keep none" : "Tap what you keep"}</button>
      ${
        prompt.from.length > 1 &&
        html`<button class="choice quiet" id="mark-all" disabled=${kept.size === prompt.from.length}
        onClick=${() => prompt.from.forEach((_, i) => kept.has(i) || toggle(i))}>All</button>`
      }
    </div>
    ${prompt.from.length > 1 && html`<p class="hint" id="hint">Or leave them lying and throw the rest.</p>`}`;
}

/**
 * @param {Match} match
 * @param {number} i
 */
function colourOf(match, i) {
  const die = match.throws.at(-1)?.roll?.[Math.max(0, i)];
  return (typeof die === "object" && die.colour) || "white";
}

/** @param {{ snapshot: Snapshot, kept: Set<number>, send: Send }} props */
function SimulatedHand({ snapshot, kept, send }) {
  const { match, tray } = snapshot;
  // seq of the snapshot of the last tap on Throw; -1 after a refusal
  const [thrownAt, setThrownAt] = useState(-1);
  const prompt = match?.prompt;
  const keeping = prompt?.kind === "keep";
  const busy = tray.busy || thrownAt === snapshot.seq;
  const rest = match && keeping ? toThrowAgain(match, prompt, tray, kept) : [];
  const picked = keeping
    ? rest
    : tray.dice.flatMap((d, i) => (tray.state === "COCKED" && d.part === "asked" ? [i] : []));
  async function toss() {
    setThrownAt(snapshot.seq);
    if (!(await send("hand", { picked_up: picked }))) setThrownAt(-1);
  }
  return html`<button class="tool throw" id="throw"
      disabled=${busy || (keeping && ((!kept.size && !prompt.none) || !rest.length))}
      onClick=${toss}>${keeping ? "Throw rest" : "Throw"}<small>Simulated hand</small></button>`;
}

/** @param {Omit<Page, "games" | "send" | "asking"> & { asked: AskingDice | AskingSeenSticks | null }} props */
function FreeThrows({ snapshot, asked, setView, setAsking, notice, setNotice }) {
  const { tray } = snapshot;
  return html`
    <div class="turn" aria-live="polite"><p class="who">No game on</p><p class="prompt"
        id="prompt">Throw any dice, and they are read.</p></div>
    <${Message} ...${{ tray, notice, setNotice }} />
    <div class="choices">
      ${asked && html`<${Say} ...${{ asked, setAsking }} />`}
      <button class="choice" id="new-game" onClick=${() => setView("new")}>New game</button>
      <${OfferPlace} setView=${setView} /></div>
    <ol class="rulings" id="free-throws">${tray.free_throws
      .slice(-8)
      .reverse()
      .map((t) => html`<li>${t.join("  ")}</li>`)}</ol>`;
}

/** @param {{ match: Match }} props */
function Scores({ match }) {
  return html`<ul class="scores" id="scores" data-many=${match.players.length > 5}>
    ${match.players.map(
      (p) => html`<li data-player=${p.name}
        class=${p.name === match.prompt?.player ? "now" : match.winners.includes(p.name) ? "won" : ""}
        aria-current=${p.name === match.prompt?.player ? "true" : null}>
      <span class="swatch" style=${{ background: BODY[p.colour ?? ""] ?? "transparent" }}></span>
      ${p.second && html`<span class="swatch" style=${{ background: BODY[p.second] }}></span>`}
      ${
        match.winners.includes(p.name) &&
        html`<span class="star" role="img"
          aria-label="winner">★</span>`
      }<span class="name">${p.name}</span><b
              class="points">${match.scores[p.name].toLocaleString("en")}</b></li>`,
    )}
  </ul>`;
}

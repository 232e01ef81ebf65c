// Bets, one by one: who bets on what, and how much.
import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { Token } from "./players.js";
import { Amount } from "./prompts.js";

/** @import { BetsPrompt, Match, SendAnswer } from "./types.d.ts" */

/**
 * The stake of the last bet, which is offered for the next one.
 * @type {number | null}
 */
let lastStake = null;

/**
 * Bets, one by one. On a small screen the three questions come one after another; what is chosen stays for the
 * next bet, but for the player (or if there is one, for what the bet is on): a second tap is no second bet. A tap
 * on what is chosen opens its question again.
 * @param {{ prompt: BetsPrompt, match: Match, setUnsent: (bet: string) => void, sendAnswer: SendAnswer }} props
 */
export function Bets({ prompt, match, setUnsent, sendAnswer }) {
  const alone = prompt.bettors.length === 1;
  const [who, setWho] = useState(alone ? prompt.bettors[0] : null);
  const [on, setOn] = useState(/** @type {string | null} */ (null));
  const [stake, setStake] = useState(lastStake !== null && lastStake <= prompt.most ? lastStake : null);
  const [placed, setPlaced] = useState(0);
  const [asks, setAsks] = useState(alone ? "on" : "who");
  const player = prompt.bettors.find((p) => p === who);
  const target = prompt.on.find((o) => o.id === on);
  const open = [!player && "who bets", !target && "on what", stake === null && "how much"].filter(Boolean);
  const what = target && target.text[0].toLowerCase() + target.text.slice(1);
  const unsent = open.length ? "" : `${player}'s ${stake?.toLocaleString("en")}`;
  useEffect(() => setUnsent(unsent), [unsent]);
  const whole = `${player}: ${stake?.toLocaleString("en")} on ${what}`;
  const bet = async () => {
    if (!(await sendAnswer({ bet: { player, on, stake } }))) return;
    lastStake = stake;
    setPlaced(placed + 1);
    if (alone) setOn(null);
    else setWho(null);
    setAsks(alone ? "on" : "who");
  };
  /** @param {string} name */
  const chooseWho = (name) => {
    setWho(name);
    setAsks(target && asks !== "who" ? "stake" : "on");
  };
  /** @param {string} id */
  const chooseOn = (id) => {
    setOn(id);
    setAsks("stake");
  };
  /** @param {string} name */
  const seat = (name) => match.players.find((p) => p.name === name);
  /** @param {string} name */
  const bettor = (name) => html`<button class="chip" data-bettor=${name} aria-pressed=${player === name}
      onClick=${() => chooseWho(name)}><${Token} colour=${seat(name)?.colour} /> ${name}</button>`;
  /**
   * @param {string} step
   * @param {string} label
   * @param {string | undefined} chosen
   */
  const heading = (step, label, chosen) => html`<button class="step-heading" data-step=${step}
      aria-expanded=${asks === step} onClick=${() => setAsks(step)}><span>${label}</span><b>${chosen ?? "…"}</b></button>`;
  return html`<div class="steps">
      ${!alone && heading("who", "Who bets", player)}
      ${heading("on", "On what", target?.text)}
      ${heading("stake", "How much", stake?.toLocaleString("en"))}
    </div>
    ${
      !alone &&
      html`<div class="chips wide" role="group" data-asked=${asks === "who" ? "" : null}
      aria-label="who bets">${prompt.bettors.map(bettor)}</div>`
    }
    <div class="chips wide" role="group" data-asked=${asks === "on" ? "" : null} aria-label="on what">${prompt.on.map(
      (o) => html`<button class="chip"
        data-on=${o.id} aria-pressed=${on === o.id} onClick=${() => chooseOn(o.id)}>${o.text}</button>`,
    )}</div>
    <div class="stake" data-asked=${asks === "stake" ? "" : null}>
      <${Amount} key=${placed} label="stake" value=${stake} setValue=${setStake} least=${1} most=${prompt.most} />
    </div>
    <button class="choice" id="bet" disabled=${open.length > 0}
        onClick=${bet}>${open.length ? `Choose ${open.join(", ")}` : whole}</button>`;
}

// The half-filled form for a new game, kept as long as its tab is open, and the players that this browser remembers.

/** @import { Draft, Match, Player } from "./types.d.ts" */

const PLAYERS_KEY = "brehon.players";
const NAMES_KEY = "brehon.names";
const MANY_NAMES = 12; // that are remembered
const DRAFT_KEY = "brehon.new-game";

/** @returns {Player[]} */
function lastPlayers() {
  try {
    const stored = JSON.parse(localStorage.getItem(PLAYERS_KEY) ?? "null");
    if (Array.isArray(stored) && stored.length && stored.every((p) => typeof p.name === "string"))
      return stored;
  } catch {
    // nothing is stored, or not in our format
  }
  return [];
}

/**
 * The names of all who played at this table, the last ones first.
 * @returns {string[]}
 */
export function knownNames() {
  try {
    const stored = JSON.parse(localStorage.getItem(NAMES_KEY) ?? "[]");
    if (Array.isArray(stored)) return stored.filter((name) => typeof name === "string");
  } catch {
    // not in our format
  }
  return [];
}

/**
 * players: those of the game that begins come first; they have no name if nobody gave one.
 * @param {Player[]} players
 */
export function savePlayers(players) {
  const names = [...new Set([...players.map((p) => p.name).filter(Boolean), ...knownNames()])];
  try {
    localStorage.setItem(PLAYERS_KEY, JSON.stringify(players));
    localStorage.setItem(NAMES_KEY, JSON.stringify(names.slice(0, MANY_NAMES)));
  } catch {
    // this browser stores nothing
  }
}

/**
 * The players of this match or of the last one. After a game for one, the other players of before are added.
 * @param {Match | null} match
 * @returns {Player[]}
 */
export function whoPlayed(match) {
  if (!match) return lastPlayers();
  const players = match.players.map((p) => (isColour(p) ? { ...p, name: "" } : p));
  return players.length === 1 ? [...players, ...lastPlayers().slice(1)] : players;
}

/**
 * Whether a player is called by the colour, because nobody gave a name.
 * @param {Player} player
 */
const isColour = ({ name, colour }) => name.toLowerCase() === colour;

/**
 * The half-filled form, or null if there is none.
 * @returns {Draft | null}
 */
export function draft() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? "null");
    if (
      typeof stored.name === "string" &&
      Array.isArray(stored.players) &&
      stored.players.every((/** @type {Player} */ p) => typeof p.name === "string")
    )
      return stored;
  } catch {
    // nothing is stored, or not in our format
  }
  return null;
}

/** @param {Draft | null} form */
export function saveDraft(form) {
  try {
    if (form) sessionStorage.setItem(DRAFT_KEY, JSON.stringify(form));
    else sessionStorage.removeItem(DRAFT_KEY);
  } catch {
    // this browser stores nothing
  }
}

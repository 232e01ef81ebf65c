// The half-filled form for a new game, kept as long as its tab is open, and the players that this browser remembers.

/** @import { Draft, Match, Player } from "./types.d.ts" */

const PLAYERS_KEY = "brehon.players";
const DRAFT_KEY = "brehon.new-game";

/** @returns {Player[]} */
export function lastPlayers() {
  try {
    const stored = JSON.parse(localStorage.getItem(PLAYERS_KEY) ?? "null");
    if (Array.isArray(stored) && stored.length && stored.every((p) => typeof p.name === "string"))
      return stored;
  } catch {
    // nothing is stored, or not in our format
  }
  return [];
}

/** @param {Player[]} players */
export function savePlayers(players) {
  try {
    localStorage.setItem(PLAYERS_KEY, JSON.stringify(players));
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
  return match.players.length === 1 ? [...match.players, ...lastPlayers().slice(1)] : match.players;
}

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

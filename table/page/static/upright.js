// Whether the page is on a phone held upright, or on another screen with room for few columns.
import { useEffect, useState } from "./vendor/preact-htm.js";

const UPRIGHT = matchMedia("(orientation: portrait) and (max-width: 720px)");
const LOW = matchMedia("(orientation: landscape) and (max-width: 900px)"); // a kiosk, or a phone on its side

/** @param {MediaQueryList} screen */
function useScreen(screen) {
  const [matches, setMatches] = useState(screen.matches);
  useEffect(() => {
    const turned = () => setMatches(screen.matches);
    screen.addEventListener("change", turned);
    return () => screen.removeEventListener("change", turned);
  }, []);
  return matches;
}

export const useUpright = () => useScreen(UPRIGHT);

/**
 * Why the columns of so many players have room for their points only: "upright" on a phone held upright, "low" on a
 * low screen; null if they have room.
 * @param {number} players
 */
export function useNarrow(players) {
  const [upright, low] = [useUpright(), useScreen(LOW)];
  if (upright && players > UPRIGHT_PLAYERS) return "upright";
  return low && players > LOW_PLAYERS ? "low" : null;
}

const UPRIGHT_PLAYERS = 3;
const LOW_PLAYERS = 7;

// Whether the page is on a phone held upright.
import { useEffect, useState } from "./vendor/preact-htm.js";

const UPRIGHT = matchMedia("(orientation: portrait) and (max-width: 720px)");

export function useUpright() {
  const [upright, setUpright] = useState(UPRIGHT.matches);
  useEffect(() => {
    const turned = () => setUpright(UPRIGHT.matches);
    UPRIGHT.addEventListener("change", turned);
    return () => UPRIGHT.removeEventListener("change", turned);
  }, []);
  return upright;
}

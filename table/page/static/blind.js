// The states in which nobody watches the tray; those of BLIND in table/referee/snapshot.py.
export const BLIND = new Set(["NO CAMERA", "DARK", "COVERED", "FROZEN", "OUT OF FOCUS", "MOVED", "FLICKER"]);

"""How well coins in place of sticks are read, by how often their sides were shown to the table:

    python -m models.evaluation.coins --households 40

Each household has four rendered coins, of one kind or of four, and shows both sides in its tray, in a few
turns. It then throws them by the same lamp, by other lamps, and in another tray under another camera. The
result, by how often the sides were shown: coins, those right, sure, sure and wrong, and missed; discs that
are no coins; and throws of four that are wholly right. --none PICTURE ...: coins that the households see in
these pictures, which show none. --wrong FOLDER: writes each coin that was read wrong there.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Picture
from vision.picture_files import load
from vision.reading.coin_finder import find_discs
from vision.reading.enrolled_coins import NO_COINS, EnrolledCoins
from vision.readings import SeenStick
from vision.simulation import Scene, render_still, varied_scene
from vision.simulation.coin_faces import METALS, CoinStyle
from vision.simulation.coins import SimCoin
from vision.simulation.view import view_of

TURNS = (1, 2, 4)
"""How often each side of the four coins was shown."""
THROWS = ("the same lamp", "another lamp", "another lamp", "another tray")
MIXED_SHARE = 0.35
"""Share of households with four kinds of coins."""
APART_MM = 34.0
SIZES_WH = ((1280, 960), (800, 600))
FIRST_SEED = 50_000


class Household:
    """Four coins, a tray with its lamps, and a camera."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(FIRST_SEED + seed)
        kinds = 4 if self.rng.random() < MIXED_SHARE else 1
        styles = [self._kind(seed + 1000 * n) for n in range(kinds)]
        self.coins = [self._piece(styles[n % kinds], n) for n in range(4)]
        self.size_wh = SIZES_WH[int(self.rng.integers(2))]
        self.scene = self._scene()

    def _kind(self, design: int) -> CoinStyle:
        metal = str(self.rng.choice(list(METALS)))
        return CoinStyle(design=design, metal=metal, diameter_mm=float(self.rng.uniform(18, 31)))

    def _piece(self, kind: CoinStyle, n: int) -> CoinStyle:
        wear, tarnish, scratches = (float(v) for v in self.rng.uniform(0, (0.7, 0.9, 1.0)))
        return replace(kind, piece=n, wear=wear, tarnish=tarnish, scratches=scratches)

    def _scene(self) -> Scene:
        return replace(varied_scene(self.rng), fill=float(self.rng.uniform(0.9, 1.1)))

    def scene_of(self, throw: str) -> Scene:
        other = self._scene()
        if throw == "the same lamp":
            return self.scene
        if throw == "another tray":
            return replace(other, camera_height_mm=self.scene.camera_height_mm)
        return replace(
            other,
            **{
                name: getattr(self.scene, name)
                for name in ("camera_height_mm", "camera_tilt_rad", "camera_roll_rad", "fill", "felt_bgr")
            },
        )

    def laid(self, scene: Scene, faces: Sequence[str]) -> tuple[Picture, list[SimCoin]]:
        """A picture of the coins with these sides up, anywhere in the tray."""
        coins = [
            SimCoin(
                coin=style,
                x_mm=x,
                y_mm=y,
                yaw_rad=float(self.rng.uniform(0, 2 * np.pi)),
                roll_rad=0.0 if face == "heads" else np.pi,
            )
            for style, face, (x, y) in zip(self.coins, faces, self._places(scene, len(faces)), strict=True)
        ]
        return render_still([], self.rng, self.size_wh, scene, coins), coins

    def _places(self, scene: Scene, n: int) -> list[tuple[float, float]]:
        half, found = np.array(scene.tray_mm) / 2 - 18, list[tuple[float, float]]()
        while len(found) < n:
            x, y = (float(v) for v in self.rng.uniform(-half, half))
            if all(math.dist((x, y), other) > APART_MM for other in found):
                found.append((x, y))
        return found

    def shown(self) -> Iterator[EnrolledCoins]:
        """What the table knows after each turn."""
        known = NO_COINS
        while True:
            for face in ("heads", "tails"):
                picture, _ = self.laid(self.scene, [face] * 4)
                if discs := find_discs(picture):
                    known = known.with_coins(face, picture, discs)
            yield known


def match(
    coins: Sequence[SimCoin], seen: Sequence[SeenStick], scene: Scene, size_wh: tuple[int, int]
) -> list[SeenStick | None]:
    """The seen coin at each of these; None where none is seen."""
    view = view_of(scene, size_wh)
    found: list[SeenStick | None] = []
    for coin in coins:
        x, y = view.project(np.array([[coin.x_mm, coin.y_mm, coin.coin.thickness_mm]], np.float32))[0]
        reach = 0.35 * coin.coin.diameter_mm * view.px_per_mm()
        near = [s for s in seen if math.dist(s.centre_xy, (x, y)) < reach]
        found.append(min(near, key=lambda s: math.dist(s.centre_xy, (x, y)), default=None))
    return found


def count(coins: Sequence[SimCoin], found: Sequence[SeenStick | None], seen: int) -> Counter[str]:
    counts = Counter({"coins": len(coins), "throws": 1, "false": seen - sum(s is not None for s in found)})
    for coin, stick in zip(coins, found, strict=True):
        right = stick is not None and stick.face == coin.face
        counts["missed"] += stick is None
        counts["right"] += right
        counts["sure"] += stick is not None and stick.sure
        counts["sure and wrong"] += stick is not None and stick.sure and not right
    counts["throws right"] = int(counts["right"] == len(coins) and not counts["false"])
    return counts


def write_wrong(folder: Path, name: str, picture: Picture, seen: SeenStick, sure: bool) -> None:
    """Writes the picture of a coin that was read wrong."""
    x, y, w, h = (round(v) for v in seen.box_xywh)
    crop = picture[max(y - 10, 0) : y + h + 10, max(x - 10, 0) : x + w + 10]
    said = f"{name}_as_{seen.face}_{seen.confidence:.2f}{'_sure' if sure else ''}.png"
    cv2.imwrite(str(folder / said), crop)


def evaluate(
    households: int, folder: Path | None, none: Sequence[Path]
) -> dict[tuple[int, str], Counter[str]]:
    """Counts by how often the sides were shown, and by throw."""
    results: dict[tuple[int, str], Counter[str]] = {}
    for seed in range(households):
        household = Household(seed)
        known = dict(zip(range(1, TURNS[-1] + 1), household.shown(), strict=False))
        for n, throw in enumerate(THROWS):
            scene = household.scene_of(throw)
            picture, coins = household.laid(
                scene, [str(f) for f in household.rng.choice(["heads", "tails"], 4)]
            )
            for turns in TURNS:
                seen = known[turns].read(picture)
                found = match(coins, seen, scene, household.size_wh)
                results.setdefault((turns, throw), Counter()).update(count(coins, found, len(seen)))
                for m, (coin, stick) in enumerate(zip(coins, found, strict=True)):
                    if folder and stick is not None and stick.face != coin.face:
                        write_wrong(folder, f"{seed}_{n}_{m}_shown{turns}", picture, stick, stick.sure)
        for path in none:
            seen = known[TURNS[-1]].read(load(path).picture)
            without = results.setdefault((TURNS[-1], "no coins"), Counter())
            without.update({"throws": 1, "false": len(seen), "sure": sum(s.sure for s in seen)})
    return results


COLUMNS = ("coins", "right", "sure", "sure and wrong", "missed", "false", "throws", "throws right")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--households", type=int, default=40)
    parser.add_argument("--none", type=Path, nargs="*", default=[])
    parser.add_argument("--wrong", type=Path)
    args = parser.parse_args()
    if args.wrong:
        args.wrong.mkdir(parents=True, exist_ok=True)
    results = evaluate(args.households, args.wrong, args.none)
    print(f"| views a side | throw | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for (turns, throw), counts in results.items():
        print(f"| {4 * turns} | {throw} | {' | '.join(str(counts[name]) for name in COLUMNS)} |")


if __name__ == "__main__":
    main()

"""How well the shipped weights read, source by source: `python -m models.evaluate --photos ../shared/photos`.

Sources are rigs (one person's camera, dice and table). Those marked `train: false` were never trained on: theirs is the honest table.
Of the others only the held-back fifth is measured. The simulated tray is rendered afresh from seeds that training does not use.

A die is matched to the reading with the most overlap if they share OVERLAP_LEAST of their union, or the reading's centre lies in its
box. Dice marked `ignore` and emblems count neither for nor against. Columns:
  right          dice with the right face, sure or not          sure     dice read sure (right or wrong)
  sure+wrong     dice sure and wrong, false dice too            missed   dice not found
  false          dice read where none is                        throws   pictures wholly right: every face, none missed, none false
  ask            pictures in which a person is asked            silent   pictures not wholly right in which nobody is asked
  colour         dice of the right colour, of those labelled
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from models.photos import LabelledDie, load
from vision.finder import overlap
from vision.overlay import draw
from vision.reader import SURE_LEAST, Reader
from vision.reading import Reading, SeenDie
from vision.simulation import TrueDie

OVERLAP_LEAST = 0.4
WHOLE = 0.55
"""Share of a rendered die that must be seen for its face to be asked for; as in training."""
SIMULATED_SEED = 5_000_000
"""Training renders from seeds below this."""
CLIP = "RobertWetzler_dice_video_1.mp4"
CLIP_THROWS = (
    ((0, 22), (4, 1)), ((39, 56), (3, 5)), ((72, 84), (1, 5)), ((106, 117), (1, 2)), ((151, 162), (2, 4)), ((184, 196), (1, 1)),
)  # fmt: skip
"""First and last settled frame, and what lies there, from the clips' index.jsonl."""


@dataclass
class Tally:
    """Counts of one source."""

    pictures: int = 0
    dice: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    missed: int = 0
    false: int = 0
    throws: int = 0
    asked: int = 0
    silent: int = 0
    coloured: int = 0
    colour_right: int = 0
    ms: list[float] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)

    def add(self, name: str, truth: list[LabelledDie], reading: Reading) -> None:
        pairs, false = matched(truth, reading)
        scored = [(t, s) for t, s in pairs if not t.ignore and not t.symbol and t.face]
        self.pictures += 1
        self.ms.append(reading.ms)
        right = [s is not None and s.face == t.face for t, s in scored]
        sure_wrong = sum(s is not None and s.sure and s.face != t.face for t, s in scored) + sum(s.sure for s in false)
        whole = all(right) and not false
        asked = not reading.sure
        self.dice += len(scored)
        self.right += sum(right)
        self.sure += sum(s is not None and s.sure for _, s in scored)
        self.sure_wrong += sure_wrong
        self.missed += sum(s is None for _, s in scored)
        self.false += len(false)
        self.throws += whole
        self.asked += asked
        self.silent += not whole and not asked
        known = [(t, s) for t, s in scored if s is not None and t.colour]
        self.coloured += len(known)
        self.colour_right += sum(s.colour == t.colour for t, s in known)
        if sure_wrong or (not whole and not asked):
            self.bad.append(name)

    def plus(self, other: Tally) -> Tally:
        names = [n for n in vars(self) if n not in ("ms", "bad")]
        return Tally(**{n: getattr(self, n) + getattr(other, n) for n in names}, ms=self.ms + other.ms, bad=self.bad + other.bad)

    def row(self, name: str) -> str:
        def share(part: int, whole: int) -> str:
            return f"{100 * part / whole:.1f}" if whole else "-"

        cells = [
            name, str(self.pictures), str(self.dice), share(self.right, self.dice), share(self.sure, self.dice), str(self.sure_wrong),
            str(self.missed), str(self.false), share(self.throws, self.pictures), share(self.asked, self.pictures), str(self.silent),
            share(self.colour_right, self.coloured), f"{np.median(self.ms):.0f}",
        ]  # fmt: skip
        return "| " + " | ".join(cells) + " |"


HEADER = (
    "| source | pictures | dice | right % | sure % | sure+wrong | missed | false | throws % | ask % | silent | colour % | ms |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def matched(truth: list[LabelledDie], reading: Reading) -> tuple[list[tuple[LabelledDie, SeenDie | None]], list[SeenDie]]:
    """Each true die with the seen one that fits it best, and the seen ones that fit none (ignored dice take theirs along)."""
    fits = sorted(
        ((_fit(t, s), i, j) for i, t in enumerate(truth) for j, s in enumerate(reading.dice) if _fit(t, s) > 0), reverse=True
    )
    by_truth: dict[int, int] = {}
    for _, i, j in fits:
        if i not in by_truth and j not in by_truth.values():
            by_truth[i] = j
    extra = [s for j, s in enumerate(reading.dice) if j not in by_truth.values()]
    false = [s for s in extra if not any(t.ignore and _fit(t, s) > 0 for t in truth)]
    return [(t, reading.dice[by_truth[i]] if i in by_truth else None) for i, t in enumerate(truth)], false


def _fit(t: LabelledDie, s: SeenDie) -> float:
    """0 = no match; above it, the more the better."""
    share = overlap(t.box_xywh, s.box_xywh)
    x, y, w, h = t.box_xywh
    inside = x <= s.centre_xy[0] <= x + w and y <= s.centre_xy[1] <= y + h
    return share + 1e-6 if share >= OVERLAP_LEAST or inside else 0.0


Case = tuple[str, str, np.ndarray, list[LabelledDie]]
"""Source, name, picture, truth."""


def photographs(folder: Path, train: bool) -> Iterator[Case]:
    for photo in load(folder):
        if photo.train == train and (not train or photo.held_back):
            yield photo.source, photo.path.name, cv2.imread(str(photo.path)), list(photo.dice)


def clip_frames(folder: Path) -> Iterator[Case]:
    """Every settled frame of the clip with known values; the dice have no boxes, so they are matched in the order of the reading."""
    capture = cv2.VideoCapture(str(folder / "clips" / CLIP))
    frames = []
    while (step := capture.read())[0]:
        frames.append(step[1])
    for (first, last), _ in CLIP_THROWS:
        for n in range(first, min(last + 1, len(frames))):
            yield "clip", f"frame {n}", frames[n], []


TRAYS = ("as played", "other makes of dice", "other cameras, light and linings")


def simulated(count: int, tray: str) -> Iterator[Case]:
    """Fresh pictures of the simulated camera's tray, 0 to 10 dice each, none leaning."""
    from vision.simulation import Scene, random_tray

    for n in range(count):
        rng = np.random.default_rng(SIMULATED_SEED + n)
        if tray == TRAYS[0]:
            picture, trues = _as_played(rng)
        else:
            scene = Scene() if tray == TRAYS[1] else None
            picture, trues = random_tray(rng, int(rng.integers(0, 11)), size_wh=(1280, 960), scene=scene)
        dice = [LabelledDie(t.box_xywh, t.face, t.colour, _cut(t.box_xywh), False) for t in trues]
        yield f"simulated: {tray}", f"seed {SIMULATED_SEED + n}", picture, dice


def _as_played(rng: np.random.Generator) -> tuple[np.ndarray, Sequence[TrueDie]]:
    """The simulated camera's own dice in its own size, at random places that do not overlap."""
    from vision.simulation import LOOKS, SimDie, render_truth

    grid = rng.permutation([(x, y) for x in range(-95, 96, 24) for y in range(-66, 67, 24)])[: int(rng.integers(1, 11))]
    spots = grid + rng.uniform(-0.5, 0.5, (len(grid), 2))
    colours = list(LOOKS)
    dice = [
        SimDie(int(rng.integers(1, 7)), str(rng.choice(colours)), float(x), float(y), float(rng.uniform(0, 6.3))) for x, y in spots
    ]
    return render_truth(dice, rng, (800, 600))


def renders(folder: Path) -> Iterator[Case]:
    """Tables rendered by models.scenes into this folder, from numbers that training does not use."""
    for path in sorted(folder.glob("*.json")):
        truths = [t for t in json.loads(path.read_text()) if t["seen"] > 0]
        clear = [t["seen"] >= WHOLE and t["readable"] for t in truths]
        dice = [LabelledDie(tuple(t["box_xywh"]), t["face"], t["colour"], not c, False) for t, c in zip(truths, clear, strict=True)]
        yield "rendered tables", path.stem, cv2.imread(str(path.with_suffix(".jpg"))), dice


def print_honesty(reader: Reader, cases: Iterator[Case]) -> None:
    """How often dice read with some confidence were right: an honest reader's two last columns agree."""
    rows = [
        (s.confidence, s.face == t.face)
        for _, _, picture, truth in cases
        for t, s in matched(truth, reader.read(picture))[0]
        if s and not t.ignore
    ]
    print("\n| confidence | dice | mean confidence % | right % |\n|---|---|---|---|")
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, SURE_LEAST), (SURE_LEAST, 1.001)):
        if part := [r for r in rows if low <= r[0] < high]:
            mean, right = (100 * sum(r[k] for r in part) / len(part) for k in (0, 1))
            print(f"| {low:.2f} to {min(high, 1):.2f} | {len(part)} | {mean:.1f} | {right:.1f} |")


def _cut(box: tuple[float, float, float, float]) -> bool:
    x, y, w, h = box
    return x <= 0.5 or y <= 0.5 or x + w >= 1279.5 or y + h >= 959.5


def tallied(reader: Reader, cases: Iterator[Case], overlays: Path | None) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for source, name, picture, truth in cases:
        reading = reader.read(picture)
        tally = tallies.setdefault(source, Tally())
        tally.add(name, truth, reading)
        if overlays:
            overlays.mkdir(parents=True, exist_ok=True)
            flag = "BAD-" if name in tally.bad else ""
            cv2.imwrite(str(overlays / f"{flag}{source.split('/')[0]}-{name}.jpg"), draw(picture, reading))
    return tallies


def clip_line(reader: Reader, folder: Path) -> str:
    """Settled frames of the clip in which the faces were read right, sure, and sure but wrong."""
    wanted = {f"frame {n}": sorted(faces) for (a, b), faces in CLIP_THROWS for n in range(a, b + 1)}
    right = sure = wrong = total = 0
    bad = []
    for _, name, picture, _ in clip_frames(folder):
        reading = reader.read(picture)
        fits = sorted(reading.faces) == wanted[name]
        total, right, sure = total + 1, right + fits, sure + (fits and reading.sure)
        wrong += not fits and reading.sure
        if not fits:
            bad.append(f"{name}: {reading.faces}")
    return f"clip {CLIP}: {total} settled frames, {right} right, {sure} of them sure, {wrong} sure and wrong {bad[:8]}"


def print_table(title: str, tallies: dict[str, Tally]) -> None:
    print(f"\n{title}\n{HEADER}")
    for source, tally in sorted(tallies.items()):
        print(tally.row(source))
    if len(tallies) > 1:
        total = Tally()
        for tally in tallies.values():
            total = total.plus(tally)
        print(total.row("all"))
    for source, tally in sorted(tallies.items()):
        if tally.bad:
            print(f"wrong and nobody asked, or sure and wrong, in {source}: {', '.join(tally.bad[:12])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="folder with labels.jsonl and clips/; left out: only the simulated tray")
    parser.add_argument("--models", type=Path, help="folder of finder.onnx and faces.onnx (default: the ones that ship)")
    parser.add_argument("--simulated", type=int, default=200, help="pictures of the simulated tray of each kind")
    parser.add_argument("--overlays", type=Path, help="write every picture there with what was seen")
    parser.add_argument("--renders", type=Path, help="folder of tables of models.scenes that training never saw")
    args = parser.parse_args()
    reader = Reader(args.models)
    if args.photos:
        print_table("New rigs (never trained on)", tallied(reader, photographs(args.photos, False), args.overlays))
        print_table("Seen rigs (the held-back fifth)", tallied(reader, photographs(args.photos, True), args.overlays))
        print("\n" + clip_line(reader, args.photos))
    if args.renders:
        print_table("Rendered tables", tallied(reader, renders(args.renders), None))
        print_honesty(reader, renders(args.renders))
    if args.simulated:
        trays: dict[str, Tally] = {}
        for tray in TRAYS:
            trays |= tallied(reader, simulated(args.simulated, tray), None)
        print_table("Simulated tray", trays)


if __name__ == "__main__":
    main()

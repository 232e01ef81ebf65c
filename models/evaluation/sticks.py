"""How well throwing sticks are read in a folder of pictures with labels.jsonl:

    python -m models.evaluation.sticks ../shared/photos/sticks
    python -m models.evaluation.sticks --none ../shared/photos
    python -m models.evaluation.sticks --models models runs/new -- runs/hard runs/blender_sticks
    python -m models.evaluation.sticks --cost ../shared/photos/sticks

Each line of labels.jsonl: {"file", "sticks": [{"face", "quad": [[x, y], ...4], "ignore"?}]}. A black back may
be read as round or black. --none: the folder's pictures show no sticks; what is read there is false.
--models: folders of weights, which all read the same pictures; a folder without a net for sticks is an error.
--cost: also the time of a reading of sticks relative to a net of YOLO11n's size, run in turn on one core.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models import WEIGHTS
from table.benchmark.cores import pin
from table.benchmark.nets import reference_net
from vision.frames import Picture
from vision.picture_files import load
from vision.reading.stick_reader import INTERCHANGEABLE, StickReader
from vision.readings import SeenStick
from vision.turned_box import angle_between, box_of_quad, shared_area

MATCH_LENGTHS, MATCH_RADIANS = 0.25, 0.3
"""A reading belongs to a label if their middles are this near, in lengths of the stick, and their axes this
near."""
PART_SHARE = 0.5
"""A reading with more than this share of its box in that of an ignored stick is a part of it."""
THROW = 4
"""Sticks in a throw."""
PICTURES = {".jpg", ".jpeg", ".png"}
COST_ROUNDS = 5
"""How often each picture is read to measure the cost."""


@dataclass(frozen=True)
class StickScore:
    """Counts of sticks, except throws, throws_right and false.

    throws: pictures of four sticks; throws_right: those with each stick right and none false.
    """

    sticks: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    missed: int = 0
    false: int = 0
    throws: int = 0
    throws_right: int = 0

    def __add__(self, other: StickScore) -> StickScore:
        return StickScore(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __str__(self) -> str:
        def share(part: int, whole: int) -> str:
            return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")

        return (
            f"sticks right {share(self.right, self.sticks)}, sure {share(self.sure, self.sticks)},"
            f" sure and wrong {self.sure_wrong}, missed {self.missed}, false {self.false};"
            f" throws wholly right {share(self.throws_right, self.throws)}"
        )


def score_of(seen: Sequence[SeenStick], labels: Sequence[Mapping[str, Any]]) -> StickScore:
    """The score of one picture."""
    left, total = list(seen), StickScore()
    for label, stick in zip(labels, matched(seen, labels), strict=True):
        if stick is not None:
            left.remove(stick)
        if not label.get("ignore"):
            total += _score_of_stick(stick, str(label["face"]))
    left = [s for s in left if not any(_is_part(s, label) for label in labels if label.get("ignore"))]
    false = StickScore(false=len(left), sure_wrong=sum(s.sure for s in left))
    total += false
    if len(labels) != THROW or total.sticks != THROW:
        return total
    return total + StickScore(throws=1, throws_right=int(total.right == THROW and not left))


def matched(seen: Sequence[SeenStick], labels: Sequence[Mapping[str, Any]]) -> list[SeenStick | None]:
    """The reading of each labelled stick. The nearest are paired first: sticks may lie side by side."""
    pairs = [
        (_far(seen[m], label), n, m)
        for n, label in enumerate(labels)
        for m in range(len(seen))
        if belongs(seen[m], label)
    ]
    of_label: dict[int, int] = {}
    for _, n, m in sorted(pairs):
        if n not in of_label and m not in of_label.values():
            of_label[n] = m
    return [seen[of_label[n]] if n in of_label else None for n in range(len(labels))]


def _far(stick: SeenStick, label: Mapping[str, Any]) -> float:
    """Distance of the middles of the reading and the label, px."""
    a, b = box_of_quad(stick.quad), box_of_quad(tuple(label["quad"]))
    return float(np.hypot(*np.subtract(a.centre_xy, b.centre_xy)))


def _is_part(stick: SeenStick, label: Mapping[str, Any]) -> bool:
    """Whether the reading is of a part of this stick, such as what the border leaves of it."""
    box = box_of_quad(stick.quad)
    return shared_area(stick.quad, label["quad"]) > PART_SHARE * box.length * box.width


def _score_of_stick(stick: SeenStick | None, face: str) -> StickScore:
    if stick is None:
        return StickScore(sticks=1, missed=1)
    right = same_face(stick.face, face)
    return StickScore(1, int(right), int(stick.sure), int(stick.sure and not right))


def same_face(a: str, b: str) -> bool:
    """Whether these are the same face for somebody who does not know the game."""
    return a == b or (a in INTERCHANGEABLE and b in INTERCHANGEABLE)


def belongs(stick: SeenStick, label: Mapping[str, Any]) -> bool:
    """Whether the reading and the label are of the same stick."""
    a, b = box_of_quad(stick.quad), box_of_quad(tuple(label["quad"]))
    return _far(stick, label) < MATCH_LENGTHS * b.length and angle_between(a.angle, b.angle) < MATCH_RADIANS


def labelled(folder: Path) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Each picture and its sticks."""
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield folder / entry["file"], entry["sticks"]


def without_sticks(folder: Path) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Each picture in this folder and the folders in it, outside a folder named sticks."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in PICTURES and "sticks" not in path.relative_to(folder).parts:
            yield path, []


def show(picture: Picture, seen: Sequence[SeenStick], target: Path) -> None:
    """Writes the picture with what was read."""
    from vision.reading.overlay import draw
    from vision.readings import Reading

    size_wh = (picture.shape[1], picture.shape[0])
    cv2.imwrite(str(target), draw(picture, Reading(size_wh, (), tuple(seen))))


def cost_of(reader: StickReader, pictures: Sequence[Picture]) -> tuple[float, float]:
    """Median times of a reading and of the reference net, ms of one core; each round runs both once."""
    run_reference_net = reference_net(1)
    reader.read(pictures[0])  # loads the nets
    times = [
        (_thread_ms(partial(reader.read, picture)), _thread_ms(run_reference_net))
        for _ in range(COST_ROUNDS)
        for picture in pictures
    ]
    reading_ms, reference_ms = np.median(times, axis=0).tolist()
    return reading_ms, reference_ms


def _thread_ms(run: Callable[[], object]) -> float:
    began = time.thread_time()
    run()
    return (time.thread_time() - began) * 1000


def _judge(reader: StickReader, folder: Path, none: bool, wrong: Path | None) -> StickScore:
    """The score of a folder. Names the pictures that are not read wholly right and surely."""
    total = StickScore()
    for path, labels in without_sticks(folder) if none else labelled(folder):
        picture = load(path).picture
        seen = reader.read(picture)
        score = score_of(seen, labels)
        total += score
        if score.right < score.sticks or score.false or score.sure < score.sticks:
            print(f"{path.name}: {score}")
            if wrong:
                wrong.mkdir(parents=True, exist_ok=True)
                show(picture, seen, wrong / f"{path.parent.name}-{path.stem}.png")
    return total


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--models", type=Path, nargs="+", default=[WEIGHTS], help="folders of weights")
    parser.add_argument("--none", action="store_true", help="the pictures show no sticks")
    parser.add_argument("--cost", action="store_true", help="measure the time of a reading too")
    parser.add_argument("--wrong", type=Path, help="folder for pictures that are not read wholly right")
    args = parser.parse_args()
    if args.cost:
        pin(1)  # before the nets are loaded, which look how many cores there are
    for folder in args.folders:
        pictures = without_sticks(folder) if args.none else labelled(folder)
        some = [load(path).picture for path, _ in pictures][:10] if args.cost else []
        for models in args.models:
            reader = StickReader(models)
            print(f"{folder}, {models}: {_judge(reader, folder, args.none, args.wrong)}")
            if some:
                reading_ms, reference_ms = cost_of(reader, some)
                ratio = reading_ms / reference_ms
                print(
                    f"{reading_ms:.1f} ms a picture, {ratio:.2f} of the reference net's {reference_ms:.1f} ms"
                )


if __name__ == "__main__":
    main()

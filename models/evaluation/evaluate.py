"""Accuracy of the weights per source: `python -m models.evaluation.evaluate --photos ../shared/photos`.

A source is a rig: one person's camera, dice and table. Training never uses sources marked `train: false`, so
their table is the unbiased one. The other sources contribute only their held-back fifth, or everything with
--none-seen. The simulated tray is rendered from seeds that training does not use.

Dice marked `ignore` and emblems are not scored. The column `ms` is the median time of a reading here under
any load; --cost measures it properly.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models import WEIGHTS
from models.evaluation import datasets, model_card
from models.evaluation.blobs import BlobReader
from models.evaluation.error_sheet import write_sheet
from models.evaluation.reliability_diagram import diagram
from models.evaluation.results import BLENDER, NEW, SEEN, TABLES, TRAY, Clip, Figures, Origin, as_json, sha256
from models.evaluation.scoring import LabelledPicture, ScoredPicture, by_source, score_picture
from models.evaluation.speed import measure_cost, weight_files
from models.training.photos import load
from vision.dice_reader import DiceReader
from vision.reading.overlay import draw
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie

LABELS = "labels.jsonl"
MAX_NAMES = 12
"""Maximum number of pictures in a line on failures."""


def readings(
    reader: DiceReader, pictures: Iterable[LabelledPicture], baseline: DiceReader | None = None
) -> Iterator[tuple[ScoredPicture, ScoredPicture | None]]:
    """The scored reading of each picture by the reader, and by the baseline or None."""
    for labelled in pictures:
        picture = labelled.load_picture()
        ours = score_picture(labelled, reader.read(picture))
        yield ours, score_picture(labelled, baseline.read(picture)) if baseline else None


@dataclass(frozen=True)
class ThoroughReader:
    """A reader with the settings of `brehon read`: photographs with dice of any size."""

    reader: Reader

    def read(self, picture: np.ndarray) -> Reading:
        return self.reader.read(picture, thorough=True)


def evaluate_clip(reader: DiceReader, folder: Path) -> Clip:
    """The results on the settled frames of the clip. Its dice have no boxes, so sorted faces are compared."""
    right = sure = wrong = total = 0
    bad = []
    for name, picture, faces in datasets.clip_frames(folder):
        reading = reader.read(picture)
        correct = sorted(reading.faces) == sorted(faces)
        total, right, sure = total + 1, right + correct, sure + (correct and reading.sure)
        wrong += not correct and reading.sure
        if not correct:
            bad.append(f"{name}: {reading.faces}")
    return Clip(datasets.CLIP, total, right, sure, wrong, tuple(bad))


@dataclass(frozen=True)
class Selection:
    """The pictures to evaluate.

    photos: folder with labels.jsonl and clips/.
    renders, blender: folders of tables from models.rendering.scenes and models.rendering.blender.
    simulated: number of pictures of each kind of simulated tray.
    source: a part of the names of the sources to use; empty = all.
    none_seen: no photograph was used in training, so every rig is new.
    """

    photos: Path | None = None
    renders: Path | None = None
    blender: Path | None = None
    simulated: int = 0
    source: str = ""
    none_seen: bool = False

    def groups(self) -> Iterator[tuple[str, Iterator[LabelledPicture]]]:
        """Every selected group of pictures, by name."""
        if self.photos:
            seen = datasets.photographs(self.photos, True, self.source, self.none_seen)
            yield NEW, datasets.photographs(self.photos, False, self.source)
            yield NEW if self.none_seen else SEEN, seen
        if self.renders and self._has(datasets.RENDERED):
            yield TABLES, datasets.renders(self.renders, datasets.RENDERED)
        if self.blender and self._has(datasets.BLENDER):
            yield BLENDER, datasets.renders(self.blender, datasets.BLENDER)
        for tray in datasets.TRAYS:
            if self.simulated and self._has(datasets.simulated_source(tray)):
                yield TRAY, datasets.simulated(self.simulated, tray)

    def _has(self, source: str) -> bool:
        return self.source.lower() in source.lower()

    def sources(self) -> list[str]:
        """The names of all sources, whether `source` is a part of them or not."""
        photos = sorted({p.source for p in load(self.photos)}) if self.photos else []
        trays = [datasets.simulated_source(tray) for tray in datasets.TRAYS if self.simulated]
        return photos + [name for name, _ in self._rendered()] + trays

    def _rendered(self) -> list[tuple[str, Path]]:
        folders = (datasets.RENDERED, self.renders), (datasets.BLENDER, self.blender)
        return [(name, folder) for name, folder in folders if folder]

    def hashes(self) -> dict[str, str]:
        """The sha256 of the labels and of the ground truth of the rendered tables, by name."""
        labels = {LABELS: sha256([self.photos / LABELS])} if self.photos else {}
        return labels | {
            f"truth of the {name}": sha256(sorted(folder.glob("*.json"))) for name, folder in self._rendered()
        }


def evaluate(
    selection: Selection,
    reader: Reader,
    baseline: DiceReader | None,
    run_origin: Origin,
    overlays: Path | None = None,
) -> Figures:
    """The results of the reader, and of the baseline if there is one, for the selected pictures.

    overlays: folder for the pictures with their detections, or None.
    """
    figures = Figures(run_origin)
    for name, pictures in selection.groups():
        for ours, theirs in readings(reader if name == TRAY else ThoroughReader(reader), pictures, baseline):
            figures.nets.setdefault(name, []).append(ours)
            if theirs:
                figures.baseline.setdefault(name, []).append(theirs)
            if overlays:
                write_overlay(overlays, ours)
    if selection.photos and not selection.source:
        figures.clip = evaluate_clip(reader, selection.photos)
    return figures


def write_overlay(folder: Path, scored: ScoredPicture) -> None:
    """Writes the picture with its reading drawn on it. The name starts with BAD if it is not wholly right."""
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    labelled, mark = scored.labelled, "" if scored.all_correct else "BAD-"
    file = folder / f"{mark}{labelled.source.split('/')[0]}-{labelled.name}.jpg"
    cv2.imwrite(str(file), draw(labelled.load_picture(), scored.reading))


def origin(selection: Selection, models: Path, words: Sequence[str]) -> Origin:
    """The command, weights, data and seeds of this run; words: the command line after the module's name."""
    weights = {path.name: (sha256([path]), path.stat().st_size) for path in weight_files(models)}
    seeds = (
        {"the simulated tray": (datasets.SIMULATED_SEED, selection.simulated)} if selection.simulated else {}
    )
    command = shlex.join(["python", "-m", "models.evaluation.evaluate", *words])
    return Origin(command, weights, selection.hashes(), seeds)


def lines_of_failures(figures: Figures) -> Iterator[str]:
    """One line per source that has errors which are sure, or which no person is asked about."""
    for group in figures.nets.values():
        for source, part in by_source(group).items():
            names = [scored.labelled.name for scored in part if is_unflagged(scored)]
            if names:
                shown = ", ".join(names[:MAX_NAMES])
                yield f"errors that no person is asked about, or sure and wrong, in {source}: {shown}"


def is_unflagged(scored: ScoredPicture) -> bool:
    """Whether the picture has an error although no person is asked about it, or about a wrong die."""
    return not scored.all_correct and (scored.reading.sure or any(s.sure for s in wrong_dice(scored)))


def wrong_dice(scored: ScoredPicture) -> list[SeenDie]:
    """The detected dice with a wrong face, and the false positives."""
    return [s for t, s in scored.pairs if s is not None and s.face != t.face] + list(scored.false_positives)


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m models.evaluation.evaluate",
        description=f"{__doc__}\nTerms:\n{model_card.glossary_text()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--photos", type=Path, help="folder with labels.jsonl and clips/ (default: only the simulated tray)"
    )
    parser.add_argument(
        "--none-seen",
        action="store_true",
        help="the weights were trained on no photographs, so every rig is new",
    )
    parser.add_argument(
        "--models",
        type=Path,
        default=WEIGHTS,
        help="folder with the nets' .onnx files (default: those of Brehon)",
    )
    parser.add_argument(
        "--simulated", type=int, default=200, help="number of pictures of each kind of simulated tray"
    )
    parser.add_argument(
        "--renders",
        type=Path,
        help="folder of tables from models.rendering.scenes that were not used in training",
    )
    parser.add_argument(
        "--blender",
        type=Path,
        help="folder of tables from models.rendering.blender that were not used in training",
    )
    parser.add_argument("--source", default="", help="only sources whose name contains this")
    add_output_options(parser)
    return parser


def add_output_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-baseline", dest="baseline", action="store_false", help="skip the blob baseline")
    parser.add_argument(
        "--cost",
        action="store_true",
        help="also measure time and memory, in comparison with the reference net (half a minute)",
    )
    parser.add_argument("--overlays", type=Path, help="write every picture there with its detections")
    parser.add_argument(
        "--worst", type=Path, metavar="PNG", help="write the worst pictures there, on one sheet"
    )
    parser.add_argument(
        "--diagram", type=Path, metavar="SVG", help="write the reliability diagram of the confidence there"
    )
    parser.add_argument("--json", type=Path, help="write all figures there")
    parser.add_argument("--card", action="store_true", help="print only the section for models/README.md")


def selection_of(args: argparse.Namespace) -> Selection:
    return Selection(args.photos, args.renders, args.blender, args.simulated, args.source, args.none_seen)


def checked(parser: argparse.ArgumentParser, args: argparse.Namespace) -> argparse.Namespace:
    """The same arguments if they are valid; otherwise the program exits with a one-sentence error."""
    if args.photos and not (args.photos / LABELS).is_file():
        parser.error(
            f"--photos: expected a folder with {LABELS}, {args.photos} has none;"
            " give the folder of the labelled photographs"
        )
    for option, folder, module in (
        ("--renders", args.renders, "models.rendering.scenes"),
        ("--blender", args.blender, "models.rendering.blender"),
    ):
        if folder and not any(folder.glob("*.json")):
            parser.error(
                f"{option}: expected tables of {module}, {folder} has none; make some with python -m {module}"
            )
    if not weight_files(args.models):
        parser.error(
            f"--models: expected a folder with the nets' .onnx files, {args.models} has none;"
            " see models/README.md"
        )
    if args.simulated < 0:
        parser.error(f"--simulated: expected a number of pictures, 0 or more, got {args.simulated}")
    names = selection_of(args).sources()
    if not any(args.source.lower() in name.lower() for name in names or [""]):
        parser.error(
            f"--source: got {args.source!r}, expected a part of one of these names: {', '.join(names)}"
        )
    return args


def main(words: Sequence[str] | None = None) -> None:
    words = list(sys.argv[1:] if words is None else words)
    args = checked(argument_parser(), argument_parser().parse_args(words))
    selection, baseline = selection_of(args), BlobReader() if args.baseline else None
    figures = evaluate(
        selection, Reader(args.models), baseline, origin(selection, args.models, words), args.overlays
    )
    figures.cost = measure_cost(args.models) if args.cost else None
    print(model_card.section(figures, args.diagram.name if args.diagram else None, with_ms=not args.card))
    if not args.card:
        print("\n".join(lines_of_failures(figures)))
    write_files(figures, args)


def write_files(figures: Figures, args: argparse.Namespace) -> None:
    """Writes the diagram, the sheet of errors and the JSON file that the arguments name."""
    if args.diagram:
        args.diagram.write_text(diagram(model_card.calibration_series(figures)), encoding="utf-8")
    if args.worst:
        tiles = write_sheet(args.worst, [scored for group in figures.nets.values() for scored in group])
        print(f"{args.worst}: {tiles} pictures", file=sys.stderr)
    if args.json:
        args.json.write_text(json.dumps(as_json(figures), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

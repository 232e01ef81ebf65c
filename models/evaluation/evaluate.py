"""Accuracy of the weights per source: `python -m models.evaluation.evaluate --photos ../shared/photos`.

A source is a rig: one person's camera, dice and table. Training never uses sources marked `train: false`, so
their table is the unbiased one. The other sources contribute only their held-back fifth, or everything with
--none-seen. The simulated tray is rendered from seeds that training does not use.

Dice marked `ignore` and emblems are not scored. A throw is a picture with at least one scored die. Columns:
  right          dice with the right face, sure or unsure       sure     dice reported as sure (right or wrong)
  sure+wrong     sure dice with a wrong face or without a die   missed   dice not detected
  false          false positives: detections without a die      throws   throws wholly right: every face, none missed, none false
  throws sure    throws with at least one detected die in which no person is asked about any
  throws sure+wrong   those of them that are not wholly right
  ask            pictures in which a person is asked            silent   pictures not wholly right in which no person is asked
  colour         dice with the right colour, of the detected dice whose colour is known
  ms             median time of a reading here under any load; --cost measures it properly
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
from models.evaluation.scoring import Case, DiceReader, ScoredCase, by_source, score_case
from models.evaluation.speed import measured, weight_files
from models.training.photos import load
from vision.reading.overlay import draw
from vision.reading.reader import Reader
from vision.readings import Reading, SeenDie

LABELS = "labels.jsonl"


def readings(
    reader: DiceReader, pictures: Iterable[Case], baseline: DiceReader | None = None
) -> Iterator[tuple[ScoredCase, ScoredCase | None]]:
    """The scored reading of each picture by the reader, and by the baseline or None."""
    for case in pictures:
        picture = case.load_picture()
        yield score_case(case, reader.read(picture)), score_case(case, baseline.read(picture)) if baseline else None


@dataclass(frozen=True)
class ThoroughReader:
    """A reader with the settings of `brehon read`: photographs with dice of any size."""

    reader: Reader

    def read(self, picture: np.ndarray) -> Reading:
        return self.reader.read(picture, thorough=True)


def clip_read(reader: DiceReader, folder: Path) -> Clip:
    """The results on the settled frames of the clip. Its dice have no boxes, so the sorted faces are compared."""
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


def groups(args: argparse.Namespace) -> Iterator[tuple[str, Iterator[Case]]]:
    """Every group of pictures that the arguments select, with its cases."""
    if args.photos:
        yield NEW, datasets.photographs(args.photos, False, args.source)
        yield NEW if args.none_seen else SEEN, datasets.photographs(args.photos, True, args.source, args.none_seen)
    if args.renders and args.source.lower() in datasets.RENDERED:
        yield TABLES, datasets.renders(args.renders, datasets.RENDERED)
    if args.blender and args.source.lower() in datasets.BLENDER.lower():
        yield BLENDER, datasets.renders(args.blender, datasets.BLENDER)
    for tray in datasets.TRAYS:
        if args.simulated and args.source.lower() in datasets.simulated_source(tray):
            yield TRAY, datasets.simulated(args.simulated, tray)


def figures_of(args: argparse.Namespace, reader: Reader, baseline: DiceReader | None, run_origin: Origin) -> Figures:
    """The results for everything that the arguments select."""
    figures = Figures(run_origin)
    for name, pictures in groups(args):
        for ours, theirs in readings(reader if name == TRAY else ThoroughReader(reader), pictures, baseline):
            figures.nets.setdefault(name, []).append(ours)
            if theirs:
                figures.baseline.setdefault(name, []).append(theirs)
            if args.overlays:
                write_overlay(args.overlays, ours)
    if args.photos and not args.source:
        figures.clip = clip_read(reader, args.photos)
    if args.cost:
        figures.cost = measured(args.models)
    return figures


def write_overlay(folder: Path, m: ScoredCase) -> None:
    """Writes the picture with its reading drawn on it; the file name starts with BAD if it is not wholly right."""
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    source = m.case.source.split("/")[0]
    cv2.imwrite(str(folder / f"{'' if m.whole else 'BAD-'}{source}-{m.case.name}.jpg"), draw(m.case.load_picture(), m.reading))


def origin(args: argparse.Namespace, words: Sequence[str]) -> Origin:
    """The command, weights, data and seeds of this run; words: the command line after the module's name."""
    weights = {path.name: (sha256([path]), path.stat().st_size) for path in weight_files(args.models)}
    data = {LABELS: sha256([args.photos / LABELS])} if args.photos else {}
    for name, folder in ((datasets.RENDERED, args.renders), (datasets.BLENDER, args.blender)):
        if folder:
            data[f"truth of the {name}"] = sha256(sorted(folder.glob("*.json")))
    seeds = {"the simulated tray": (datasets.SIMULATED_SEED, args.simulated)} if args.simulated else {}
    return Origin(shlex.join(["python", "-m", "models.evaluation.evaluate", *words]), weights, data, seeds)


def lines_of_failures(figures: Figures) -> Iterator[str]:
    """One line per source: the pictures with sure and wrong dice, or not wholly right although no person is asked."""
    for group in figures.nets.values():
        for source, part in by_source(group).items():
            names = [m.case.name for m in part if not m.whole and (m.reading.sure or any(s.sure for s in wrong_dice(m)))]
            if names:
                yield f"wrong without a question, or sure and wrong, in {source}: {', '.join(names[:12])}"


def wrong_dice(m: ScoredCase) -> list[SeenDie]:
    """The detected dice with a wrong face, and the false positives."""
    return [s for t, s in m.pairs if s is not None and s.face != t.face] + list(m.false)


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(
        prog="python -m models.evaluation.evaluate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = words.add_argument
    add("--photos", type=Path, help="folder with labels.jsonl and clips/ (default: only the simulated tray)")
    add("--none-seen", action="store_true", help="the weights were trained on no photographs, so every rig is new")
    add("--models", type=Path, default=WEIGHTS, help="folder with the nets' .onnx files (default: those of Brehon)")
    add("--simulated", type=int, default=200, help="number of pictures of each kind of simulated tray")
    add("--renders", type=Path, help="folder of tables from models.rendering.scenes that were not used in training")
    add("--blender", type=Path, help="folder of tables from models.rendering.blender that were not used in training")
    add("--source", default="", help="only sources whose name contains this")
    add("--no-baseline", dest="baseline", action="store_false", help="skip the blob recipe")
    add("--cost", action="store_true", help="also measure time and memory, in comparison with the reference net (half a minute)")
    add("--overlays", type=Path, help="write every picture there with its detections")
    add("--worst", type=Path, metavar="PNG", help="write the worst pictures there, on one sheet")
    add("--diagram", type=Path, metavar="SVG", help="write the reliability diagram of the confidence there")
    add("--json", type=Path, help="write all figures there")
    add("--card", action="store_true", help="print only the section for models/README.md")
    return words


def checked(words: argparse.ArgumentParser, args: argparse.Namespace) -> argparse.Namespace:
    """The same arguments if they are valid; otherwise the program exits with a one-sentence error."""
    if args.photos and not (args.photos / LABELS).is_file():
        words.error(f"--photos: expected a folder with {LABELS}, {args.photos} has none; give the folder of the labelled photographs")
    for option, folder, module in (
        ("--renders", args.renders, "models.rendering.scenes"),
        ("--blender", args.blender, "models.rendering.blender"),
    ):
        if folder and not any(folder.glob("*.json")):
            words.error(f"{option}: expected tables of {module}, {folder} has none; make some with python -m {module}")
    if not weight_files(args.models):
        words.error(f"--models: expected a folder with the nets' .onnx files, {args.models} has none; see models/README.md")
    if args.simulated < 0:
        words.error(f"--simulated: expected a number of pictures, 0 or more, got {args.simulated}")
    if args.source and not any(args.source.lower() in name.lower() for name in known_sources(args)):
        words.error(f"--source: got {args.source!r}, expected a part of one of these names: {', '.join(known_sources(args))}")
    return args


def known_sources(args: argparse.Namespace) -> list[str]:
    photos = sorted({p.source for p in load(args.photos)}) if args.photos else []
    trays = [datasets.simulated_source(tray) for tray in datasets.TRAYS if args.simulated]
    rendered = [name for name, folder in ((datasets.RENDERED, args.renders), (datasets.BLENDER, args.blender)) if folder]
    return photos + rendered + trays


def main(words: Sequence[str] | None = None) -> None:
    given = list(sys.argv[1:] if words is None else words)
    args = checked(parser(), parser().parse_args(given))
    figures = figures_of(args, Reader(args.models), BlobReader() if args.baseline else None, origin(args, given))
    drawing = args.diagram.name if args.diagram else None
    print(model_card.section(figures, drawing, with_ms=not args.card))
    if not args.card:
        print("\n".join(lines_of_failures(figures)))
    if args.diagram:
        args.diagram.write_text(diagram(model_card.calibration_series(figures)), encoding="utf-8")
    if args.worst:
        tiles = write_sheet(args.worst, [m for group in figures.nets.values() for m in group])
        print(f"{args.worst}: {tiles} pictures", file=sys.stderr)
    if args.json:
        args.json.write_text(json.dumps(as_json(figures), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

"""python -m tests.scenarios.blinding: covers, darkens, freezes, blurs and pushes the simulated camera.

One piece of footage is rendered for each setting (felt, size, frame rate, noise): four throws, A to D, with
pauses. In every trial a trouble hides throw B from the table. It begins in the pause before B, in the middle
of B, or before the first frame, and ends in the pause after B, as C begins, or in the middle of C. The table
has to name the trouble and to recover within 3 s each. B must not count. C counts once and rightly if its
whole course was seen; otherwise it counts rightly or not at all. D counts once and rightly.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np

from table.commands.watch import temporary_referee
from table.common.tray import BLIND, TrayState
from table.recording.offline_table import Line, OfflineTable
from table.referee.actions import Start
from table.referee.events import Opened
from table.rules.game import Seat
from tests.vision.corruptions import Sensor
from vision.cameras.simulated import SimulatedCamera
from vision.frames import Frame, Picture
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.simulation.scene import BGR, Scene
from vision.simulation.view import view_of
from vision.tray.calibration import Calibration, StoredCalibration
from vision.tray.quads import quad
from vision.tray.reference_view import ReferenceView
from vision.tray.region import TrayRegion

MAX_DELAY_S = 3.0
"""Time within which a trouble is named, and over after its cure."""

PAUSE_S, HIDDEN_S, RECOVERY_S = 2.0, 4.0, 4.0
"""Pause before the trouble, rest after throw B until a cure in the pause, and from that cure to throw C."""

MID_THROW_S = 1.0
"""Time from the beginning of a throw, with its hand, to the middle of it."""

TRANSITION_S = 0.4
"""Longest time in which a cover or the dark goes."""


@dataclass(frozen=True)
class Setting:
    """What is filmed, and how. die_px: side of a die in the pictures."""

    name: str
    felt_bgr: BGR
    colours: tuple[str, ...]
    size_wh: tuple[int, int]
    fps: float
    noise_sigma: float
    seed: int
    calibrated: bool = False

    @property
    def scene(self) -> Scene:
        return Scene(felt_bgr=self.felt_bgr, noise_sigma=self.noise_sigma, fill=0.8)

    @property
    def die_px(self) -> float:
        return self.scene.die_mm * view_of(self.scene, self.size_wh).px_per_mm()

    @property
    def region(self) -> TrayRegion:
        half_w, half_d = self.scene.tray_mm[0] / 2, self.scene.tray_mm[1] / 2
        floor = np.array(
            [(-half_w, half_d, 0), (half_w, half_d, 0), (half_w, -half_d, 0), (-half_w, -half_d, 0)],
            np.float32,
        )
        corners = view_of(self.scene, self.size_wh).project(floor).astype(np.float64)
        return TrayRegion(quad(corners / self.size_wh))


SETTINGS = (
    Setting("green 10/s", (58, 84, 36), ("white",), (640, 480), 10, 1.6, 1),
    Setting("blue 15/s", (110, 56, 30), ("white", "red", "yellow"), (800, 600), 15, 3.0, 2),
    Setting(
        "black 30/s", (38, 36, 36), ("white", "red", "green", "yellow", "orange"), (480, 360), 30, 2.0, 3
    ),
    Setting("beige 5/s", (120, 160, 190), ("blue", "red"), (640, 480), 5, 1.0, 4),
    Setting("grey 10/s", (150, 150, 148), ("red", "blue", "green", "black"), (640, 480), 10, 5.0, 5, True),
    Setting("burgundy 15/s", (30, 30, 90), ("white",), (480, 360), 15, 1.6, 6, True),
)


@dataclass(frozen=True)
class Throw:
    """A throw of the footage. start_s: the hand sets out. rest_s: everything lies. faces: sorted."""

    start_s: float
    rest_s: float
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Footage:
    """The rendered footage of a setting."""

    setting: Setting
    frames: tuple[Frame, ...]
    throws: tuple[Throw, ...]


def film(setting: Setting) -> Footage:
    """Renders throws A to D."""
    camera = SimulatedCamera(setting.size_wh, setting.fps, setting.seed, paced=False, scene=setting.scene)
    frames, stream, throws = list[Frame](), camera.frames(), list[Throw]()

    def wait(seconds: float) -> None:
        frames.extend(next(stream) for _ in range(round(seconds * setting.fps)))

    for pause_s in (1.0, 2 * PAUSE_S, HIDDEN_S + RECOVERY_S, PAUSE_S):
        wait(pause_s)
        start_s = frames[-1].at_s
        camera.throw(setting.colours)
        while not camera.resting:
            frames.append(next(stream))
        faces = tuple(sorted(die.face for die in camera.answer_key()))
        throws.append(Throw(start_s, frames[-1].at_s, faces))
    wait(PAUSE_S)
    return Footage(setting, tuple(frames), tuple(throws))


# --- troubles -----------------------------------------------------------------------------------------------


@dataclass
class Spoiler:
    """Spoils the frames from from_s to to_s. share: 0 to 1, how much of the trouble is there."""

    setting: Setting
    from_s: float
    to_s: float
    rng: np.random.Generator
    sensor: Sensor = field(init=False)
    last_pictures: list[Picture] = field(default_factory=list)
    repeated: int = 0

    def __post_init__(self) -> None:
        self.sensor = Sensor(self.setting.noise_sigma, int(self.rng.integers(1 << 30)))

    def share(self, at_s: float, takes_s: float) -> float:
        """The share of the trouble at this time, if it comes and goes in takes_s."""
        return float(np.clip(min(at_s - self.from_s, self.to_s - at_s) / max(takes_s, 1e-6), 0, 1))


Spoil = Callable[[Spoiler, Frame], Picture | None]
"""The spoilt picture of a frame; None: the frame does not come."""


def blended(spoiler: Spoiler, frame: Frame, over: Picture, takes_s: float = 0.2) -> Picture:
    """A thing that slides over the lens, without any sharp edge."""
    share = spoiler.share(frame.at_s, takes_s)
    x = np.linspace(-1, 1, over.shape[1], dtype=np.float32)
    alpha = np.clip((2.6 * share - 1.3 - x) / 0.6 + 0.5, 0, 1)[None, :, None]
    mixed = frame.picture * (1 - alpha) + over * alpha
    return frame.picture if share == 0 else spoiler.sensor(np.asarray(mixed, np.uint8))


def smooth_field(spoiler: Spoiler, frame: Frame, low: float, drift: float) -> np.ndarray:
    """(h, w, 1) float: shades of something close to the lens, from low to 1; they drift a little."""
    w, h = spoiler.setting.size_wh
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    phase = drift * np.sin(1.3 * frame.at_s)
    wave = np.sin(2.1 * x / w + phase + 0.4) * np.cos(1.4 * y / h - phase)
    return (low + (1 - low) * (wave + 1) / 2)[..., None]


def cover(bgr: BGR, low: float, drift: float) -> Spoil:
    def spoil(spoiler: Spoiler, frame: Frame) -> Picture:
        over = np.array(bgr, np.float32) * smooth_field(spoiler, frame, low, drift)
        return blended(spoiler, frame, np.asarray(over, np.uint8))

    return spoil


def cloth(spoiler: Spoiler, frame: Frame) -> Picture:
    """A cloth as bright as the felt, with a weave that is out of focus."""
    w, h = spoiler.setting.size_wh
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    weave = 2.0 * np.sin(2 * np.pi * 14 * x / w) + 2.0 * np.sin(2 * np.pi * 10 * y / h)
    felt = np.array(spoiler.setting.felt_bgr, np.float32) * 0.9
    over = np.clip(felt * smooth_field(spoiler, frame, 0.75, 0.02) + weave[..., None], 0, 255)
    return blended(spoiler, frame, np.asarray(over, np.uint8), 0.4)


def mostly(share: float) -> Spoil:
    """An unsharp hand before this share of the picture's width."""

    def spoil(spoiler: Spoiler, frame: Frame) -> Picture:
        hand = np.array((70, 95, 150), np.float32) * smooth_field(spoiler, frame, 0.6, 0.05)
        x = np.linspace(0, 1, spoiler.setting.size_wh[0], dtype=np.float32)
        reach = share * spoiler.share(frame.at_s, 0.3)
        alpha = np.clip((reach - x) / 0.08 + 0.5, 0, 1)[None, :, None]
        return spoiler.sensor(np.asarray(frame.picture * (1 - alpha) + hand * alpha, np.uint8))

    return spoil


def dimmed(gain: float, takes_s: float) -> Spoil:
    def spoil(spoiler: Spoiler, frame: Frame) -> Picture:
        share = spoiler.share(frame.at_s, takes_s)
        light = 1 + (gain - 1) * share
        return spoiler.sensor(np.asarray(frame.picture * np.float32(light), np.uint8))

    return spoil


def defocused(sides: float, takes_s: float) -> Spoil:
    def spoil(spoiler: Spoiler, frame: Frame) -> Picture:
        sigma = sides * spoiler.setting.die_px * spoiler.share(frame.at_s, takes_s)
        if sigma < 0.2:
            return frame.picture
        return spoiler.sensor(np.asarray(cv2.GaussianBlur(frame.picture, (0, 0), sigma), np.uint8))

    return spoil


def no_frame(spoiler: Spoiler, frame: Frame) -> Picture | None:
    return None


def looped(seconds: float) -> Spoil:
    """The last pictures before the trouble again and again; seconds 0: the last one alone."""

    def spoil(spoiler: Spoiler, frame: Frame) -> Picture:
        count = max(round(seconds * spoiler.setting.fps), 1)
        if len(spoiler.last_pictures) < count:  # it is so from the start
            spoiler.last_pictures.append(frame.picture)
            return frame.picture
        spoiler.repeated += 1
        return spoiler.last_pictures[-count:][spoiler.repeated % count]

    return spoil


def pushed(sides: float, degrees: float = 0.0) -> Spoil:
    """The camera's view is pushed. It stays so after the trouble: nobody puts the camera back."""

    def spoil(spoiler: Spoiler, frame: Frame) -> Picture:
        since_s = frame.at_s - spoiler.from_s
        done = float(np.clip(since_s / 0.15, 0, 1))
        ring = 0.15 * np.exp(-max(since_s, 0) / 0.15) * np.sin(2 * np.pi * 8 * since_s)
        w, h = spoiler.setting.size_wh
        angle = spoiler.setting.seed * 1.3
        shift = (sides * done + min(sides, 1) * ring) * spoiler.setting.die_px
        matrix = cv2.getRotationMatrix2D((w / 2, h / 2), degrees * done, 1.0)
        matrix[:, 2] += shift * np.cos(angle), shift * np.sin(angle)
        warped = cv2.warpAffine(
            frame.picture, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        return spoiler.sensor(np.asarray(warped, np.uint8), 1.0)

    return spoil


@dataclass(frozen=True)
class Trouble:
    """A trouble, and the states that name it; none: it need not be named, and hides nothing.

    grows_s: time in which it comes, before it can be named. stays: there is no cure.
    in_frames: the frames show it; otherwise the watchdog names it, which no trial runs.
    partly_seen: dice may be seen beside it, or before it has grown.
    """

    spoil: Spoil | None
    states: frozenset[TrayState] = frozenset()
    grows_s: float = 0.0
    stays: bool = False
    in_frames: bool = True
    partly_seen: bool = False


_COVERED = frozenset({TrayState.COVERED, TrayState.DARK})
_DARK, _FROZEN = frozenset({TrayState.DARK}), frozenset({TrayState.FROZEN})
_BLURRED = frozenset({TrayState.BLURRED})

TROUBLES: dict[str, Trouble] = {
    "none": Trouble(None),
    "cap": Trouble(cover((2, 2, 2), 1, 0), _COVERED),
    "leaky cap": Trouble(cover((10, 13, 26), 0.4, 0), _COVERED),
    "palm": Trouble(cover((75, 100, 165), 0.45, 0.15), _COVERED),
    "dark palm": Trouble(cover((26, 36, 62), 0.4, 0.15), _COVERED),
    "finger": Trouble(cover((14, 16, 96), 0.5, 0.05), _COVERED),
    "white card": Trouble(cover((214, 220, 222), 0.8, 0.01), _COVERED),
    "cloth like felt": Trouble(cloth, _COVERED | _BLURRED),
    "hand before 90 %": Trouble(mostly(0.9), _COVERED | {TrayState.HAND}, partly_seen=True),
    "hand before 60 %": Trouble(mostly(0.6), _COVERED | {TrayState.HAND}, partly_seen=True),
    "light off": Trouble(dimmed(0.012, 0.1), _DARK),
    "light off slowly": Trouble(dimmed(0.012, 2.5), _DARK, grows_s=2.5, partly_seen=True),
    "frozen": Trouble(looped(0), _FROZEN),
    "no frames": Trouble(no_frame, _FROZEN, in_frames=False),
    "loop of 0.4 s": Trouble(looped(0.4), _FROZEN),
    "loop of 2 s": Trouble(looped(2.0), _FROZEN),
    "defocus": Trouble(defocused(0.22, 0.2), _BLURRED),
    "defocus slowly": Trouble(defocused(0.3, 2.5), _BLURRED, grows_s=2.5, partly_seen=True),
    "bump of 0.3": Trouble(pushed(0.3), stays=True),
    "bump of 0.7": Trouble(pushed(0.7), stays=True),
    "bump of 3": Trouble(pushed(3), stays=True),
    "turned by 3 deg": Trouble(pushed(0, 3), stays=True),
}


@dataclass(frozen=True)
class Trial:
    """A trouble in a setting. begins: "pause", "throw" or "start". ends: "pause", "next" or "throw"."""

    trouble: str
    begins: str = "pause"
    ends: str = "pause"

    @property
    def hides(self) -> bool:
        """Whether the table cannot see what happens meanwhile."""
        return bool(TROUBLES[self.trouble].states)

    def times(self, footage: Footage) -> tuple[float, float]:
        """When the trouble begins and ends, s of the footage."""
        a, b, c, d = footage.throws
        from_s = b.start_s + MID_THROW_S if self.begins == "throw" else a.rest_s + PAUSE_S
        to_s = {"pause": b.rest_s + HIDDEN_S, "next": c.start_s, "throw": c.start_s + MID_THROW_S}[self.ends]
        if TROUBLES[self.trouble].stays:
            to_s = d.rest_s + 60
        return from_s, to_s


def spoilt(footage: Footage, trial: Trial) -> Iterator[Frame]:
    """The frames that the table sees."""
    from_s, to_s = trial.times(footage)
    trouble = TROUBLES[trial.trouble]
    spoiler = Spoiler(footage.setting, from_s, to_s, np.random.default_rng(footage.setting.seed))
    for frame in footage.frames:
        if frame.at_s < from_s and trial.begins == "start":
            continue
        if trouble.spoil is None or not from_s <= frame.at_s < to_s:
            spoiler.last_pictures.append(frame.picture)
            yield frame
        else:
            picture = trouble.spoil(spoiler, frame)
            if picture is not None:
                yield Frame(picture, frame.at_s)


# --- trials -------------------------------------------------------------------------------------------------


@dataclass
class Result:
    """What the table did.

    named_s: after the beginning of the trouble. recovered_s: after its end. None: never.
    wrong: what is wrong with it, in words; empty: all is right.
    """

    setting: Setting
    trial: Trial
    named: str = ""
    named_s: float | None = None
    recovered_s: float | None = None
    wrong: list[str] = field(default_factory=list)


def run(reader: Reader, footage: Footage, trial: Trial) -> tuple[Result, list[Line]]:
    """One trial through the table, and its lines: pig where there is one die, otherwise no game."""
    setting, calibration = footage.setting, None
    if setting.calibrated:
        reference = ReferenceView.of(footage.frames[0].picture)
        calibration = Calibration(StoredCalibration(setting.region, reference))
    pipeline = Pipeline(reader, calibration=calibration)
    with temporary_referee(Opened(), pipeline.read_again) as referee:
        if len(setting.colours) == 1:
            referee.act(Start(referee.snapshot().number, "pig", (Seat("Ann"), Seat("Ben")), {}))
        table = OfflineTable(pipeline, referee)
        lines = [line for frame in spoilt(footage, trial) for line in table.process(frame)]
    return judged(footage, trial, lines), lines


def judged(footage: Footage, trial: Trial, lines: Sequence[Line]) -> Result:
    """The result of these lines of the table."""
    result = Result(footage.setting, trial)
    if trial.hides:
        _judge_states(result, lines, *trial.times(footage))
    _judge_throws(result, footage, lines)
    for line in lines:
        if line.get("ruling", {}).get("kind") in ("foul", "void"):
            result.wrong.append(f"{line['t']} {line['ruling']['text']}")
        if "asked" in line:
            result.wrong.append(f"{line['t']} asked: {line['asked']}")
    return result


def _judge_states(result: Result, lines: Sequence[Line], from_s: float, to_s: float) -> None:
    """Whether the trouble is named, is called nothing else, and is over, each in time."""
    trouble = TROUBLES[result.trial.trouble]
    states = [(line["t"], TrayState(line["state"])) for line in lines if "state" in line]
    named = [(t, state) for t, state in states if t >= from_s and state in trouble.states]
    if named:
        result.named, result.named_s = named[0][1].value, named[0][0] - from_s - trouble.grows_s
    beside_from_start = trouble.partly_seen and result.trial.begins == "start"
    if (
        trouble.in_frames
        and not beside_from_start
        and (result.named_s is None or result.named_s > MAX_DELAY_S)
    ):
        result.wrong.append("not named in time")
    others = {state.value for _, state in states if state in BLIND - trouble.states}
    result.wrong += [f"called {other}" for other in sorted(others)]
    before_cure = [state for t, state in states if t < to_s - TRANSITION_S]
    blind_until_s = [t for t, state in states if t >= to_s - TRANSITION_S and state not in BLIND]
    if not trouble.in_frames or (before_cure and before_cure[-1] in BLIND):
        result.recovered_s = max(blind_until_s[0] - to_s, 0.0) if blind_until_s else None
        if result.recovered_s is None or result.recovered_s > MAX_DELAY_S:
            result.wrong.append("not over in time")


def _judge_throws(result: Result, footage: Footage, lines: Sequence[Line]) -> None:
    """Whether every throw counted as it should."""
    trial, (a, b, c, d) = result.trial, footage.throws
    counted = [(line["t"], tuple(sorted(line["accepted"]["faces"]))) for line in lines if "accepted" in line]
    allowed = {
        "A": (a, b.start_s, [] if trial.begins == "start" else [[a.faces]]),
        "B": (b, c.start_s, [[]] if trial.hides else [[b.faces]]),
        "C": (c, d.start_s, [[c.faces]]),
        "D": (d, np.inf, [[d.faces]]),
    }
    if TROUBLES[trial.trouble].partly_seen:
        allowed["B"][2].extend([faces] for faces in _parts(b.faces))
    if trial.hides and trial.ends != "pause":
        allowed["C"][2].append([])
    for name, (throw, end_s, right) in allowed.items():
        faces = [shown for t, shown in counted if throw.start_s <= t < end_s]
        if right and faces not in right:
            result.wrong.append(f"{name} {throw.faces} counted as {faces}")


def _parts(faces: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The faces of every part of these dice: those that came to rest in view."""
    return {part for n in range(1, len(faces) + 1) for part in combinations(faces, n)}


def trials(names: Sequence[str]) -> Iterator[Trial]:
    """The trials of these troubles."""
    for name in names:
        yield Trial(name)
        if TROUBLES[name].stays:
            yield Trial(name, "throw")
        elif TROUBLES[name].spoil is not None:
            yield Trial(name, "start")
            yield Trial(name, "throw", "next")
            yield Trial(name, "pause", "throw")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios.blinding", description=__doc__)
    parser.add_argument(
        "--settings", type=int, nargs="*", default=range(len(SETTINGS)), help="indices into SETTINGS"
    )
    parser.add_argument("--troubles", nargs="*", default=list(TROUBLES), metavar="NAME")
    parser.add_argument("--lines", action="store_true", help="print what the table said in each trial")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader, results = Reader(), list[Result]()
    for n in options.settings:
        footage = film(SETTINGS[n])
        for trial in trials(options.troubles):
            result, lines = run(reader, footage, trial)
            results.append(result)
            print(result_line(result), flush=True)
            if options.lines:
                print(trial.times(footage), *footage.throws, *map(json.dumps, lines), sep="\n  ")
    print(summary(results))


def result_line(result: Result) -> str:
    trial = result.trial
    times = " ".join("    -" if t is None else f"{t:5.1f}" for t in (result.named_s, result.recovered_s))
    what = f"{result.setting.name:14} {trial.trouble:16} {trial.begins:6} {trial.ends:6} {result.named:12}"
    return f"{what} {times}  {'; '.join(result.wrong) or 'right'}"


def summary(results: Sequence[Result]) -> str:
    """By trouble: the number of trials and of right ones, and the longest times, s."""
    by_trouble = defaultdict[str, list[Result]](list)
    for result in results:
        by_trouble[result.trial.trouble].append(result)
    lines = [f"{'trouble':16} trials  right  named   over"]
    for name, group in by_trouble.items():
        right = sum(not result.wrong for result in group)
        named_s = max((r.named_s for r in group if r.named_s is not None), default=np.nan)
        over_s = max((r.recovered_s for r in group if r.recovered_s is not None), default=np.nan)
        lines.append(f"{name:16} {len(group):6} {right:6} {named_s:6.1f} {over_s:6.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

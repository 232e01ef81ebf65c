"""python -m tests.scenarios.towers: plays High Rollin' on simulated towers, and prints what the table saw.

Each seed is a table of its own: a household's dice, a camera, a light, and a round of the game with towers of
one to six dice. A hand puts dice on towers, or a tower topples. The pictures go through the pipeline with the
nets, and its events through the referee. Nobody taps, unless the table asked or missed something.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

import cv2
import numpy as np

from table import games
from table.referee import actions
from table.referee.effects import Append, Asked, Effect, Ruled
from table.referee.events import Acted, Event, Logged, Opened, ResumedMatch, TrayRead
from table.referee.state import State
from table.referee.step import step
from table.referee.towers import TowerSeen
from table.referee.towers_on_tray import TowersOnTray
from table.referee.tray_events import to_tray_changed
from table.rules.answers import Answer, Chosen, Die
from table.rules.game import Seat
from table.rules.match import Match
from table.rules.prompts import Choose, Option
from table.rules.towers import level_id
from vision.dice_reader import DiceReader
from vision.events import Settled
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.reading.reader import Reader
from vision.simulation.acting import FRONT_RAD, Act, FrameState, Stage, in_tray
from vision.simulation.dice import SimDie
from vision.simulation.hand import SKINS, SLEEVES, Person
from vision.simulation.renderer import Renderer
from vision.simulation.scene import LININGS, DieStyle, Scene, varied_style
from vision.simulation.towers import next_place, put_on_tower, stacked, stands, topple
from vision.simulation.view import view_of

GAME, PLAYERS = "high_rollin", ("Ann", "Ben")
MAX_HEIGHT = 6
"""Maximum height of a tower: higher ones hardly stand."""
SIZES = ((640, 480), (800, 600), (960, 720))
FPS = 15.0
REST_S = 1.9
"""Time after each act in which the tray can settle and be read."""
PLACEMENTS, WRONG_SHARE = 4, 0.08
"""Maximum number of placements on one table, and share of them that the rules do not allow."""
ROOM_SIDES = 1.7
"""Minimum distance between the centres of loose dice, and from a tower, in sides."""


@dataclass(frozen=True)
class Seen:
    """What the table made of one act.

    act: "placement", "wrong placement" or "fall". verdict: "right"; "asked", with the truth first; "asked
    otherwise"; "noticed" (a fall without its faces); "missed"; or "wrong". note: for people.
    """

    seed: int
    act: str
    verdict: str
    note: str = ""


@dataclass
class PlayedTable:
    """A referee without a log: every write succeeds."""

    state: State = field(default_factory=State)
    effects: list[Effect] = field(default_factory=list)

    def handle(self, event: Event) -> None:
        self.state, effects = step(self.state, event)
        self.effects += effects
        if any(isinstance(effect, Append) for effect in effects):
            self.handle(Logged())

    @property
    def match(self) -> Match:
        assert self.state.match is not None
        return self.state.match

    def said(self, since: int) -> list[str]:
        """Sentences of the table since this number of effects."""
        return [e.text for e in self.effects[since:] if isinstance(e, Ruled | Asked)]


# -- a position of the game ----------------------------------------------------------------------------------


def random_position(rng: Random) -> Match:
    """A match that awaits a placement, with a random round so far, in which nothing fell."""
    while True:
        match = Match(games.game(GAME), [Seat(name) for name in PLAYERS], {"start": "Ann"})
        for _ in range(int(rng.uniform(8, 70))):
            if match.prompt is None or max(map(len, match.towers), default=0) >= MAX_HEIGHT:
                break
            match = match.after(match.answered(_peaceful_answer(match, rng)))
        if places(match) and max(map(len, match.towers)) < MAX_HEIGHT:
            return match


def _peaceful_answer(match: Match, rng: Random) -> Answer:
    prompt = match.prompt
    assert prompt is not None
    if not isinstance(prompt, Choose):
        return prompt.random_answer(rng)
    return Chosen(rng.choice([o.id for o in prompt.options if o.id not in ("fell", "tipped")]))


def places(match: Match) -> list[Option]:
    """The options that put a die on a tower."""
    return [o for o in match.prompt.options if o.places] if isinstance(match.prompt, Choose) else []


def unstacked(match: Match) -> list[Die]:
    """The thrown dice of this turn that are in no tower yet."""
    thrown = [a for a in match.answers if a.prompt["kind"] == "roll"][-1]
    dice = Counter(thrown.answer.dice)  # type: ignore[union-attr]
    after = match.answers[thrown.at + 1 :]
    dice -= Counter(
        _die(a.answer.option) for a in after if isinstance(a.answer, Chosen) and ">" in a.answer.option
    )
    return list(dice.elements())


def _die(option: str) -> Die:
    look = option.partition(">")[0]
    return Die(int(look[-1]), look[:-1])


# -- the simulated table -------------------------------------------------------------------------------------


def random_scene(rng: np.random.Generator) -> Scene:
    """A camera over a tray as people mount it, in light by which dice can be read."""
    felt = LININGS[int(rng.integers(len(LININGS)))]
    return Scene(
        camera_height_mm=float(rng.uniform(330, 620)),
        camera_tilt_rad=float(rng.uniform(-0.05, 0.18)),
        camera_roll_rad=float(rng.normal(0, 0.04)),
        fill=float(rng.uniform(0.9, 1.1)),
        felt_bgr=felt,
        light_azimuth_rad=float(rng.uniform(0, 2 * np.pi)),
        light_elevation_rad=float(rng.uniform(0.8, 1.4)),
        key=float(rng.uniform(0.4, 0.75)),
        ambient=float(rng.uniform(0.4, 0.6)),
        light_bgr=(float(rng.uniform(0.88, 1.04)), 1.0, float(rng.uniform(0.97, 1.08))),
        exposure=float(rng.uniform(0.85, 1.1)),
        noise_sigma=float(rng.uniform(0.5, 3.5)),
        blur_px=float(rng.uniform(0.4, 0.9)),
        texture_seed=int(rng.integers(1 << 30)),
        die_mm=float(rng.uniform(14, 18)),
    )


class SimulatedTowers:
    """The towers and the loose dice of a match on a simulated tray, and the frames of what hands do there."""

    def __init__(self, match: Match, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.scene, size = random_scene(self.rng), SIZES[seed % len(SIZES)]
        colours = sorted({str(tower[0].colour) for tower in match.towers})
        self._looks: dict[str, DieStyle] = {c: varied_style(self.rng, c) for c in colours}
        self._renderer = Renderer(self.scene, size, self.rng)
        self._size, self._frame = size, 0
        self.lying: list[SimDie] = []
        self.towers: list[list[int]] = []
        """Indices of the dice of each tower in `lying`, from base to top."""
        self._build(match)

    def _build(self, match: Match) -> None:
        gap = float(self.rng.uniform(2.7, 3.8)) * self.scene.die_mm
        middle = self.rng.uniform(-1, 1, 2) * (
            np.array(self.scene.tray_mm) / 2 - gap / 2 - 2 * self.scene.die_mm
        )
        turn = float(self.rng.normal(0, 0.15))
        for tower, (sx, sy) in zip(match.towers, ((-1, 1), (1, 1), (1, -1), (-1, -1)), strict=True):
            offset = np.array([sx * np.cos(turn) - sy * np.sin(turn), sx * np.sin(turn) + sy * np.cos(turn)])
            dice = stacked(self.rng, [self._sim(d) for d in tower], middle + offset * gap / 2, self.scene)
            self.towers.append([len(self.lying) + n for n in range(len(dice))])
            self.lying += dice
        for die in unstacked(match):
            x, y = self._free_point()
            yaw = float(self.rng.uniform(0, 2 * np.pi))
            self.lying.append(replace(self._sim(die), x_mm=x, y_mm=y, yaw_rad=yaw))

    def _sim(self, die: Die) -> SimDie:
        return SimDie(die.face, str(die.colour), 0, 0, look=self._looks[str(die.colour)])

    def _free_point(self) -> tuple[float, float]:
        half = np.array(self.scene.tray_mm) / 2 - self.scene.die_mm
        others = np.array([(d.x_mm, d.y_mm) for d in self.lying])
        while True:
            point = self.rng.uniform(-half, half)
            if np.linalg.norm(others - point, axis=1).min() > ROOM_SIDES * self.scene.die_mm:
                return float(point[0]), float(point[1])

    @property
    def stage(self) -> Stage:
        person = Person(int(self.rng.integers(len(SKINS))), int(self.rng.integers(len(SLEEVES))))
        side = FRONT_RAD + float(self.rng.choice([0.0, 0.0, np.pi, np.pi / 2, -np.pi / 2]))
        return Stage(self.scene, self._size, FPS, self.rng, tuple(self.lying), person, side)

    def frames(self, states: Iterable[FrameState]) -> Iterator[Frame]:
        for state in states:
            at_s, self._frame = self._frame / FPS, self._frame + 1
            yield Frame(self._renderer.render(state, at_s), at_s)

    def rest(self, seconds: float = REST_S) -> Iterator[Frame]:
        """The frames of a tray on which nothing happens for this long."""
        return self.frames([FrameState(tuple(self.lying))] * round(seconds * FPS))

    def tops_px(self) -> list[tuple[float, float]]:
        """Where the top face of each tower appears, px."""
        tops = [self.lying[tower[-1]] for tower in self.towers]
        middles = np.array([(d.x_mm, d.y_mm, d.raised_mm + self.scene.die_mm) for d in tops], np.float32)
        return [(float(x), float(y)) for x, y in view_of(self.scene, self._size).project(middles)]

    def loose(self, die: Die) -> int:
        """The index of a loose die that looks like this."""
        in_tower = {i for tower in self.towers for i in tower}
        return next(
            i
            for i, d in enumerate(self.lying)
            if i not in in_tower and (d.face, d.colour) == (die.face, die.colour)
        )

    def place(self, die: Die, tower: int) -> Iterator[Frame]:
        """A hand puts this loose die on this tower, which counts from 0."""
        i, top = self.loose(die), self.lying[self.towers[tower][-1]]
        at_mm, yaw = next_place(self.rng, top, self.scene), float(self.rng.uniform(0, 2 * np.pi))
        act = put_on_tower(self.stage, i, top, at_mm, yaw)
        self.towers[tower].append(i)
        return self._shown(act)

    def fall(self) -> tuple[Act, Iterator[Frame]] | None:
        """Some dice of a tower fall, with the frames; None if no tower has two dice."""
        high = [n for n, tower in enumerate(self.towers) if len(tower) > 1]
        if not high:
            return None
        tower = self.towers[int(self.rng.choice(high))]
        level = int(self.rng.integers(1, len(tower)))
        act = topple(self.stage, tower[level:], float(self.rng.uniform(0, 2 * np.pi)))
        return act, self._shown(act)

    def _shown(self, act: Act) -> Iterator[Frame]:
        self.lying = list(act.lying)
        return self.frames(act.frame_states)


# -- playing and scoring -------------------------------------------------------------------------------------


class Playing:
    """One table: a simulated tray, the pipeline with the nets, and the referee."""

    def __init__(self, reader: DiceReader, seed: int) -> None:
        self.seed, self.chance = seed, Random(seed)
        match = random_position(self.chance)
        self.tray = SimulatedTowers(match, seed)
        self._pipeline = Pipeline(reader)
        self.table = PlayedTable()
        self._last: TrayRead | None = None
        seats = tuple(Seat(name) for name in PLAYERS)
        resumed = ResumedMatch(GAME, seats, match.raw_settings, tuple(match.answers))
        self.table.handle(Opened(0, "", resumed))
        self.sees(self.tray.rest(1.6))
        self._learn_places()

    def _learn_places(self) -> None:
        """Tells the referee where the towers stand. In a game that it saw from the start it knows that."""
        assert self._last is not None
        tops = self.tray.tops_px()
        seen = tuple(
            TowerSeen(
                tower,
                (
                    *[None] * (len(tower) - 1),
                    min(self._last.reading.dice, key=lambda d: math.dist(d.centre_xy, top)),
                ),
            )
            for tower, top in zip(self.table.match.towers, tops, strict=True)
        )
        self.table.state = replace(self.table.state, towers=TowersOnTray(seen))
        self.table.handle(self._last)

    def sees(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            for event in self._pipeline.process(frame):
                if isinstance(event, Settled):
                    self._last = TrayRead(event.reading, event.tracks, event.hand_rests)
                    self.table.handle(self._last)
                else:
                    self.table.handle(to_tray_changed(event))

    def places(self) -> Seen:
        """A hand makes a random legal placement."""
        option = self.chance.choice(places(self.table.match))
        assert option.places is not None
        at, since = self.table.match.at, len(self.table.effects)
        self.sees(self.tray.place(option.places.die, option.places.tower - 1))
        self.sees(self.tray.rest())
        answers = [a.answer for a in self.table.match.answers[at:]]
        verdict = self._verdict(option.id, answers)
        if not answers:
            action = actions.SubmitAnswer(self.table.state.number, Chosen(option.id))
            self.table.handle(Acted(action))
        heights = [len(t) for t in self.tray.towers]
        return Seen(self.seed, "placement", verdict, f"{option.id} {heights} {self.table.said(since)}")

    def _verdict(self, id_: str, answers: Sequence[Answer]) -> str:
        if answers:
            return "right" if answers == [Chosen(id_)] else "wrong"
        towers = self.table.state.towers
        if towers.foul:
            return "wrong"
        likely = towers.likely
        return "missed" if not likely else "asked" if likely[0] == id_ else "asked otherwise"

    def places_wrongly(self) -> Seen | None:
        """A hand puts a die where the rules do not allow it, and takes it away again; None if none can be."""
        match = self.table.match
        legal, loose = {o.id for o in places(match)}, unstacked(match)
        wrong = [(d, t) for d in loose for t in range(4) if f"{d.colour}{d.face}>{t + 1}" not in legal]
        if not wrong:
            return None
        die, tower = self.chance.choice(wrong)
        at, since, before = match.at, len(self.table.effects), list(self.tray.lying)
        self.sees(self.tray.place(die, tower))
        self.sees(self.tray.rest())
        towers, counted = self.table.state.towers, self.table.match.at > at
        verdict = "wrong" if counted else "right" if towers.foul else "asked" if towers.likely else "missed"
        self.tray.towers[tower].pop()
        self.tray.lying = before
        self.sees(self.tray.rest())
        note = f"{die.colour}{die.face}>{tower + 1} {self.table.said(since)}"
        return Seen(self.seed, "wrong placement", verdict, note)

    def falls(self) -> Seen | None:
        """A tower topples; None if none can, or if it takes a base along."""
        before, since = list(self.tray.lying), len(self.table.effects)
        at = self.table.match.at
        fall = self.tray.fall()
        if fall is None:
            return None
        act, frames = fall
        after, scene = [o.after for o in act.outcomes], self.tray.scene
        if not all(
            d is not None and stands(before[t[0]], d, scene) for t in self.tray.towers if (d := after[t[0]])
        ):
            return None
        fallen, lowest = list[SimDie](), list[str]()
        for number, tower in enumerate(self.tray.towers, start=1):
            standing = next(
                (n for n, i in enumerate(tower) if not _stands(before[i], after[i], scene)), len(tower)
            )
            if standing < len(tower):
                lowest.append(level_id(number, standing + 1))
                fallen += [d for i in tower[standing:] if (d := after[i]) is not None]
        self.sees(frames)
        self.sees(self.tray.rest())
        readable = all(in_tray(d, scene) and d.lean_rad < 0.05 and d.raised_mm < 1 for d in fallen)
        verdict = self._fall_verdict(lowest, fallen, readable) if self.table.match.at == at else "wrong"
        note = f"{lowest} {[(d.colour, d.face) for d in fallen]} {readable=} {self.table.said(since)}"
        return Seen(self.seed, "fall", verdict, note)

    def _fall_verdict(self, lowest: Sequence[str], fallen: Sequence[SimDie], readable: bool) -> str:
        seen = self.table.state.towers.fall
        if not lowest:
            return "right" if seen is None else "wrong"
        if seen is None:
            return "missed"
        if list(seen.lowest) != list(lowest):
            return "wrong" if seen.lying else "asked otherwise"
        if not seen.lying:
            return "noticed" if readable else "right"
        faces = Counter((d.die.colour, d.die.face) for d in seen.lying)
        return "right" if faces == Counter((d.colour, d.face) for d in fallen) else "wrong"


def _stands(before: SimDie, after: SimDie | None, scene: Scene) -> bool:
    return after is not None and stands(before, after, scene)


def play(reader: DiceReader, seed: int, kind: str) -> list[Seen]:
    """What the table saw of the acts at the table of this seed. kind: "placements" or "falls"."""
    playing, seen = Playing(reader, seed), list[Seen | None]()
    if kind == "falls":
        if playing.chance.random() < 0.5 and places(playing.table.match):
            playing.places()
        return [s for s in [playing.falls()] if s]
    while len(seen) < PLACEMENTS and places(playing.table.match):
        wrong = playing.chance.random() < WRONG_SHARE
        seen.append(playing.places_wrongly() if wrong else playing.places())
    return [s for s in seen if s]


@lru_cache(maxsize=1)
def _reader() -> Reader:
    cv2.setNumThreads(1)
    return Reader()


def _play(job: tuple[int, str]) -> list[Seen]:
    return play(_reader(), *job)


def table_of(seen: Sequence[Seen]) -> str:
    """The number of acts with each verdict."""
    rows = []
    for act in dict.fromkeys(s.act for s in seen):
        verdicts = Counter(s.verdict for s in seen if s.act == act)
        total = verdicts.total()
        share = f"{verdicts['right'] / total:.1%} right"
        rows.append(f"{act}: {total}, {share}; " + ", ".join(f"{v} {n}" for v, n in verdicts.most_common()))
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios.towers", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--placements", type=int, default=300, help="at least so many placements")
    parser.add_argument("--falls", type=int, default=60, help="so many falls")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    options = parser.parse_args()
    began, all_seen = time.perf_counter(), list[Seen]()
    with ProcessPoolExecutor(options.jobs) as pool:
        for kind, act, wanted in (
            ("placements", "placement", options.placements),
            ("falls", "fall", options.falls),
        ):
            seed = options.first
            while sum(s.act == act for s in all_seen) < wanted:
                jobs = [(seed + n, kind) for n in range(options.jobs)]
                seed += options.jobs
                for seen in pool.map(_play, jobs) if options.jobs > 1 else map(_play, jobs):
                    all_seen += seen
                    for s in seen:
                        print(s.seed, s.act, s.verdict, s.note if s.verdict != "right" else "", flush=True)
    print(table_of(all_seen))
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()

"""The sticks on the tray, what they show in the game that is played, and the verdict on a throw of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from table.common.tray import TrayState
from table.referee.verdicts import AskFaces, Doubt, NoThrow, Unlogged, Valid, Verdict, Void
from table.rules import words
from table.rules.answers import Sticks
from table.rules.entered_prompts import StickThrow
from vision.readings import CONFIDENCE_THRESHOLD, SeenStick, face_probabilities
from vision.stick_places import is_coin, may_be_one
from vision.turned_box import box_of_quad

NO_THROW = NoThrow()

STANDS_FOR: Mapping[str, tuple[str, ...]] = {
    "black": ("round",),
    "round": ("black",),
    "white": ("flat",),
    "dog": ("flat",),
    "deer": ("flat",),
    "cow": ("flat",),
    "horse": ("flat",),
    "heads": ("flat",),
    "tails": ("round",),
}
"""The faces of games that a read face stands for where the game's sticks do not have it. A round back may be
painted black, and where no animal counts, an animal is on a flat side. A coin's flat side is heads."""


PLAIN_AND_FAINT = ((0.8, 0.7), (0.6, 0.35))
"""Confidence from which an unsure stick of a whole throw is one all the same, and below which what lies
beside it is none: the less sure the sticks are, the fainter that has to be."""


SEEN = ("is seen", "are seen")
"""What is said of one stick, and of several, unless it is known that others were not thrown."""


@dataclass(frozen=True)
class LyingStick:
    """A stick on the tray.

    id: constant until it is thrown again. seen: as it was read. face: that a person gave it, or None.
    contested: it was surely read with two faces, so that a person has to say which it shows.
    """

    id: int
    seen: SeenStick
    face: str | None = None
    contested: bool = False

    def read_again(self, now: SeenStick) -> LyingStick:
        """The same stick read once more. Its reading stands, unless the new one is sure and it is not."""
        better = now.sure and not self.seen.sure and not self.contested
        return replace(self, seen=now) if better else self.lying_at(now)

    def uncovered(self, now: SeenStick) -> LyingStick:
        """The same stick once what may have lain on it was pulled away: contested if it surely shows another
        face than was read in its place."""
        if not (self.seen.sure and now.sure) or self.face is not None or same_face(self.seen.face, now.face):
            return self.read_again(now)
        either = ((self.seen.face, 0.5), (now.face, 0.5))
        return replace(self, seen=replace(now, sure=False, confidence=0.5, likely=either), contested=True)

    def lying_at(self, now: SeenStick) -> LyingStick:
        """The same stick with its own reading, where it lies now: it may have been turned meanwhile."""
        return replace(self, seen=replace(self.seen, quad=now.quad, crossed=now.crossed))


@dataclass(frozen=True)
class SticksOnTray:
    """The referee's memory of the sticks.

    lying: those that are seen. thrown: those of the throw in question. counted: ids of those of the last
    throw that counted, in its order. untouched: no hand came since, and none of them fell over. no_sticks:
    ids of things that people said are no sticks. ruling: on the throw in question.
    """

    lying: tuple[LyingStick, ...] = ()
    thrown: tuple[LyingStick, ...] = ()
    counted: tuple[int, ...] = ()
    untouched: bool = False
    no_sticks: frozenset[int] = frozenset()
    ruling: Verdict = NO_THROW

    @property
    def stands(self) -> bool:
        """Whether a complete throw waits only for a person's answer, or for the log."""
        return isinstance(self.ruling, Unlogged) or (isinstance(self.ruling, AskFaces) and self.ruling.whole)

    @property
    def asked(self) -> tuple[int, ...]:
        """ids of the sticks whose face a person may give."""
        return self.ruling.asked if isinstance(self.ruling, AskFaces) else ()

    @property
    def not_thrown(self) -> int:
        """The number of sticks, read surely, that lie beside the throw in question."""
        thrown = {s.id for s in self.thrown}
        return sum(s.seen.sure and s.id not in thrown for s in self.lying)

    def with_faces(self, faces: Mapping[int, str]) -> SticksOnTray:
        """The sticks with the faces that a person gives, by id."""
        lying, thrown = (
            tuple(replace(s, face=faces[s.id]) if s.id in faces else s for s in sticks)
            for sticks in (self.lying, self.thrown)
        )
        return replace(self, lying=lying, thrown=thrown)

    def without(self, ids: Collection[int]) -> SticksOnTray:
        """The throw without these things, which are no sticks."""
        return replace(
            self,
            lying=tuple(s for s in self.lying if s.id not in ids),
            thrown=tuple(s for s in self.thrown if s.id not in ids),
            no_sticks=self.no_sticks | frozenset(ids),
        )


# -- what a stick shows in this game -------------------------------------------------------------------------


def likely_faces(prompt: StickThrow, seen: SeenStick) -> list[tuple[str, float]]:
    """The faces of this game that the reading may mean, with their probability, likeliest first."""
    shown = _faces_of(prompt)
    chances: dict[str, float] = {}
    for face, chance in face_probabilities(seen.face, seen.confidence, seen.likely).items():
        meant = _meant(face, shown)
        if meant is not None:
            chances[meant] = chances.get(meant, 0.0) + chance
    return sorted(chances.items(), key=lambda pair: -pair[1])


def face_of(prompt: StickThrow, stick: LyingStick) -> str | None:
    """The face that the stick surely shows in this game; None if a person has to say it."""
    if stick.face is not None:
        return stick.face
    if stick.seen.sure:
        return _meant(stick.seen.face, _faces_of(prompt))
    likely = likely_faces(prompt, stick.seen)
    return likely[0][0] if likely and likely[0][1] >= CONFIDENCE_THRESHOLD else None


def _faces_of(prompt: StickThrow) -> list[str]:
    """All faces of the sticks, each once, in their order."""
    return list(dict.fromkeys(face for stick in prompt.sticks for face in stick))


def _meant(face: str, shown: Collection[str]) -> str | None:
    """The face of the game that a read face means; None if these sticks cannot show it."""
    return next((f for f in (face, *STANDS_FOR.get(face, ())) if f in shown), None)


def fell_over(stick: LyingStick, now: SeenStick) -> bool:
    """Whether a stick of a throw that counted surely shows something else now."""
    return now.sure and stick.face is not None and not same_face(now.face, stick.face)


def same_face(read: str, face: str) -> bool:
    """Whether a read face means this one, in one of the games."""
    return face in (read, *STANDS_FOR.get(read, ()))


# -- the verdict on a throw ----------------------------------------------------------------------------------


def judge_sticks(prompt: StickThrow, thrown: Sequence[LyingStick], beside: int = 0) -> Verdict:
    """Whether these sticks answer the prompt. beside: number of sticks that lie there too, and were not
    thrown."""
    expected, unsure = len(prompt.sticks), unsure_sticks(prompt, thrown)
    if len(thrown) < expected:
        return _too_few(prompt, thrown, unsure, beside)
    if len(thrown) > expected:
        return _too_many(prompt, thrown, unsure)
    if unsure:
        return AskFaces(_question(prompt, unsure), _ids(unsure), whole=True)
    return Valid()


def without_things(prompt: StickThrow, thrown: Sequence[LyingStick]) -> tuple[LyingStick, ...]:
    """The sticks of the throw: where there are too many, but the right number of sure ones, those alone, or
    of plain ones, if little speaks for the others, or one in each place.

    What is not sure beside a whole throw is an edge of the tray, a pencil, or what two sticks that cross seem
    to make. What lies along another stick, half on it, is that one read twice.
    """
    unsure = unsure_sticks(prompt, thrown)
    sure = tuple(s for s in thrown if s not in unsure)
    if len(sure) == len(prompt.sticks):
        return sure
    for plain_from, faint_below in PLAIN_AND_FAINT:
        plain = tuple(s for s in thrown if s in sure or s.seen.confidence >= plain_from)
        faint = all(s in plain or s.seen.confidence < faint_below for s in thrown)
        if faint and len(plain) == len(prompt.sticks):
            return plain
    single = _one_in_each_place(thrown)
    return single if len(single) == len(prompt.sticks) else tuple(thrown)


def _one_in_each_place(thrown: Sequence[LyingStick]) -> tuple[LyingStick, ...]:
    """The sticks without those that may be another one, read more surely."""
    kept = list[LyingStick]()
    for stick in sorted(thrown, key=lambda s: (s.face is None, not s.seen.sure, -s.seen.confidence)):
        if not any(_may_be_one(stick.seen, other.seen) for other in kept):
            kept.append(stick)
    return tuple(s for s in thrown if s in kept)


def _may_be_one(first: SeenStick, second: SeenStick) -> bool:
    """Whether one stick may have been read as two. Coins can lie on one another."""
    if is_coin(first) or is_coin(second):
        return False
    return may_be_one(box_of_quad(first.quad), box_of_quad(second.quad))


def answer_of(prompt: StickThrow, thrown: Iterable[LyingStick]) -> Sticks:
    """The answer that sticks with sure faces make."""
    return Sticks(tuple(face_of(prompt, stick) or "" for stick in thrown))


def unsure_sticks(prompt: StickThrow, thrown: Iterable[LyingStick]) -> list[LyingStick]:
    """The sticks that a person has to look at: not read surely, or with faces that cannot lie together."""
    thrown = list(thrown)
    faces = {stick.id: face_of(prompt, stick) for stick in thrown}
    most = Counter(face for stick in prompt.sticks for face in stick)
    shown = Counter(face for face in faces.values() if face is not None)
    return [
        stick
        for stick in thrown
        if (face := faces[stick.id]) is None or (stick.face is None and shown[face] > most[face])
    ]


def doubt_about(
    prompt: StickThrow, surely: Sequence[LyingStick], unclear: Sequence[LyingStick], one: bool = False
) -> Verdict:
    """The question whether the unclear sticks were thrown, beside those that surely were.

    No question if nothing else was thrown, and they would not be the throw anyway. They are asked about one
    by one where they are too many to be thrown together, and if `one` is set: some were thrown, some not.
    """
    expected = len(prompt.sticks)
    alone = isinstance(judge_sticks(prompt, surely), NoThrow) if surely else True
    if alone and len(surely) + len(unclear) != expected:
        return NO_THROW
    settles = one and len(unclear) == 2
    one = one or len(surely) + len(unclear) > expected
    doubted = unclear[:1] if one else unclear
    were, noun = ("Was", prompt.noun) if len(doubted) == 1 else ("Were", f"{prompt.noun}s")
    which = "marked " if surely or one else ""
    return Doubt(
        f"{were} the {which}{noun} thrown, or only moved?",
        _ids(doubted),
        thrown=bool(surely),
        some=len(doubted) > 1 and not alone,
        others=_ids(unclear[len(doubted) :]),
        settles=settles,
    )


def _too_few(
    prompt: StickThrow, thrown: Sequence[LyingStick], unsure: Collection[LyingStick], beside: int
) -> Verdict:
    if len(thrown) == len(unsure) == 1:
        return NO_THROW  # a pencil or a shadow is more likely than a stick
    missing = len(prompt.sticks) - len(thrown)
    which = "other" if beside == missing else "missing"
    them = f"the {which} one" if missing == 1 else f"the {words.number(missing)} {which} ones"
    how = ("was thrown", "were thrown") if beside else SEEN
    apart = "" if beside or len(thrown) == 1 else "pull apart what lies on one another, or "
    what = f"{apart}throw {them} alone, or all again; or tap how they lie."
    return Void(TrayState.UNSURE, f"{_count_text(prompt, len(thrown), how)}: {what}", rule="G4")


def _too_many(prompt: StickThrow, thrown: Sequence[LyingStick], unsure: Collection[LyingStick]) -> Verdict:
    if len(thrown) - len(unsure) <= len(prompt.sticks) and unsure:
        what = f"tap what is marked, and say what it shows or that it is no {prompt.noun}."
        return AskFaces(f"{_count_text(prompt, len(thrown))}: {what}", _ids(unsure))
    what = "the throw is void. Throw only those of the game."
    return Void(TrayState.UNSURE, f"{_count_text(prompt, len(thrown))}: {what}")


def _count_text(prompt: StickThrow, count: int, how: tuple[str, str] = SEEN) -> str:
    """'One stick is seen, four expected'. how: what became of one, and of several."""
    sticks = f"One {prompt.noun}" if count == 1 else f"{words.number(count).capitalize()} {prompt.noun}s"
    return f"{sticks} {how[count != 1]}, {words.number(len(prompt.sticks))} expected"


def _question(prompt: StickThrow, unsure: Sequence[LyingStick]) -> str:
    if len(unsure) > 1:
        count = words.number(len(unsure)).capitalize()
        return f"{count} {prompt.noun}s could not be read surely. Tap each and say what it shows."
    likely = [face for face, _ in likely_faces(prompt, unsure[0].seen)[:2]] or _faces_of(prompt)
    either = words.listed(likely, "or")
    return f"One {prompt.noun} could not be read surely: {either}? Tap it and say what it shows."


def _ids(sticks: Iterable[LyingStick]) -> tuple[int, ...]:
    return tuple(s.id for s in sticks)


NO_STICKS = SticksOnTray()
"""No stick lies on the tray."""

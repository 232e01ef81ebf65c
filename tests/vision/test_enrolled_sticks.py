"""Sticks with a household's own marks, drawn here, shown to the table and named by it."""

from __future__ import annotations

import json
from collections.abc import Collection

import pytest

from table.common.errors import CannotLearn
from tests.vision.marked_sticks import FACES, enrolled, marked
from vision.frames import Picture
from vision.reading.enrolled_sticks import (
    DESCRIPTOR_LENGTH,
    MAX_SAMPLES,
    NOTHING_ENROLLED,
    EnrolledStickReader,
    EnrolledSticks,
    descriptor,
)
from vision.readings import Reading, SeenStick


@pytest.fixture(scope="module")
def all_faces() -> EnrolledSticks:
    return enrolled(*FACES)


def seen_again(face: str, count: int) -> list[tuple[Picture, SeenStick]]:
    """The side in other positions, and in the light of other times of the day."""
    return [marked(face, 37 * n, 1000 + n, light=0.7 + 0.15 * (n % 5)) for n in range(count)]


@pytest.mark.parametrize("face", FACES)
def test_a_side_is_known_in_other_positions_and_other_light(all_faces: EnrolledSticks, face: str) -> None:
    named = [all_faces.named(picture, stick) for picture, stick in seen_again(face, 20)]
    assert sum(stick.face == face and stick.sure for stick in named) >= 18
    assert not [stick for stick in named if stick.sure and stick.face != face]


def test_a_side_that_was_not_shown_is_never_sure(all_faces: EnrolledSticks) -> None:
    for face in FACES:
        others = all_faces.without_face(face)
        assert not [1 for picture, stick in seen_again(face, 6) if others.named(picture, stick).sure], face


def test_likely_faces_come_with_their_chances(all_faces: EnrolledSticks) -> None:
    picture, stick = marked("cow", 20, 7)
    named = all_faces.named(picture, stick)
    assert {face for face, _ in named.likely} == set(FACES)
    assert sum(chance for _, chance in named.likely) == pytest.approx(1)
    assert named.likely[0] == ("cow", named.confidence)
    assert named.quad == stick.quad


def test_one_face_alone_names_nothing() -> None:
    picture, stick = marked("cow", 20, 7)
    reading = Reading((640, 480), sticks=(stick,))
    assert enrolled("cow").apply(picture, reading) == reading


def test_faces_can_be_kept_in_a_file(all_faces: EnrolledSticks) -> None:
    again = EnrolledSticks.from_json(json.loads(json.dumps(all_faces.to_json())))
    picture, stick = marked("horse", 77, 5)
    assert again.named(picture, stick).face == "horse"
    assert again.samples["dog"] == pytest.approx(all_faces.samples["dog"], abs=1e-4)


@pytest.mark.parametrize(
    "data", [[], {"dog": 3}, {"dog": [[1.0]]}, {"dog": [[float("nan")] * DESCRIPTOR_LENGTH]}]
)
def test_a_damaged_file_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"expected faces|samples of dog"):
        EnrolledSticks.from_json(data)


def test_old_samples_give_way_to_new_ones() -> None:
    sticks = enrolled("dog")
    for turn in range(MAX_SAMPLES):
        sticks = sticks.with_face("dog", [descriptor(*marked("dog", 15 * turn, turn))])
    assert sticks.samples["dog"].shape == (MAX_SAMPLES, DESCRIPTOR_LENGTH)


class OneStickReader:
    """Finds the stick that the test lays in the picture, while `sticks` is set."""

    def __init__(self, *lying: SeenStick) -> None:
        self.sticks, self.lying = False, lying

    def read(self, picture: Picture) -> Reading:
        return Reading((640, 480), sticks=self.lying if self.sticks else ())


def learning(lying: Collection[SeenStick], saved: list[EnrolledSticks]) -> EnrolledStickReader:
    return EnrolledStickReader(OneStickReader(*lying), NOTHING_ENROLLED, saved.append)


def test_a_side_is_learned_from_the_sticks_that_lie_there() -> None:
    saved: list[EnrolledSticks] = []
    picture, stick = marked("dog", 20, 7)
    reader = learning([stick], saved)
    reader.learn("dog", [picture, picture])
    assert saved == [reader.enrolled]
    assert reader.enrolled.samples["dog"].shape == (2, DESCRIPTOR_LENGTH)
    assert not reader.sticks, "learning does not turn the reading of sticks on"
    reader.forget("dog")
    assert not reader.enrolled.samples
    with pytest.raises(KeyError):
        reader.forget("dog")


def test_learned_sides_name_the_sticks_of_a_reading() -> None:
    picture, stick = marked("dog", 20, 7)
    reader = learning([stick], [])
    reader.enrolled = enrolled("dog", "cow")
    assert reader.read(picture).sticks == ()
    reader.sticks = True
    assert [s.face for s in reader.read(picture).sticks] == ["dog"]


def test_nothing_is_learned_from_an_empty_tray() -> None:
    with pytest.raises(CannotLearn, match="No stick is seen in the tray"):
        learning([], []).learn("dog", [marked("dog", 20, 7)[0]])


def test_nothing_is_learned_from_sticks_that_move() -> None:
    class Moving(OneStickReader):
        def read(self, picture: Picture) -> Reading:
            self.lying = (marked("dog", 40 * len(seen), 1)[1],)
            seen.append(picture)
            return super().read(picture)

    seen: list[Picture] = []
    picture, _ = marked("dog", 20, 7)
    with pytest.raises(CannotLearn, match="The sticks moved"):
        EnrolledStickReader(Moving(), NOTHING_ENROLLED, lambda new: None).learn("dog", [picture, picture])


def test_sides_that_cannot_be_saved_are_not_used() -> None:
    def full(new: EnrolledSticks) -> None:
        raise OSError("disk full")

    picture, stick = marked("dog", 20, 7)
    reader = EnrolledStickReader(OneStickReader(stick), NOTHING_ENROLLED, full)
    with pytest.raises(OSError, match="disk full"):
        reader.learn("dog", [picture])
    assert not reader.enrolled.samples

"""Emblems at a running table: an answered question teaches them, and a file keeps them."""

from __future__ import annotations

from pathlib import Path

from table.recording.observed_referee import ObservedReferee
from table.referee.effects import Append
from table.rules.answers import Chosen, Die, Throw
from table.rules.match import Answered
from table.setup.emblems import EMBLEMS_NAME, EmblemTeacher, named_dice, open_emblem_reader
from tests.referee.evening import Evening
from tests.vision.emblems import SIZE_WH, OneDieReader, drawn
from vision.motion_jpeg import encoded
from vision.reading.emblems import sample_count


def written(faces: tuple[int, ...], sure: tuple[bool, ...], box: tuple[float, ...] = (1, 2, 3, 4)) -> Append:
    """What the referee writes for a throw of these dice."""
    dice = [{"box": list(box), "face": 3, "colour": "blue", "sure": each} for each in sure]
    thrown = Throw(tuple(Die(face) for face in faces))
    return Append((Answered(0, {}, thrown),), (0, {"size": list(SIZE_WH), "dice": dice}), pictured=True)


def test_only_unsure_dice_of_throws_are_taught() -> None:
    assert named_dice(written((6, 2), (False, True))) == [((1, 2, 3, 4), 6)]
    assert named_dice(written((6, 2), (True, True))) == []
    assert named_dice(written((6,), (False, False))) == []
    assert named_dice(Append((Answered(0, {}, Chosen("hold")),))) == []


def test_an_emblem_is_known_after_two_answers_and_after_a_restart(tmp_path: Path) -> None:
    lying = OneDieReader()
    reader, trouble = open_emblem_reader(tmp_path / EMBLEMS_NAME, lying)
    assert not trouble
    teacher = EmblemTeacher(reader)
    for seed, degrees in enumerate((0, 130)):
        picture, lying.lying = drawn("tower", degrees, seed)
        teacher.on_throw(written((6,), (False,), lying.lying.box_xywh), encoded(picture, 95))
    again, _ = open_emblem_reader(tmp_path / EMBLEMS_NAME, lying)
    picture, lying.lying = drawn("tower", 77, 4)
    (die,) = again.read(picture).dice
    assert (die.face, die.sure) == (6, True)


def test_a_picture_that_cannot_be_decoded_teaches_nothing(tmp_path: Path) -> None:
    reader, _ = open_emblem_reader(tmp_path / EMBLEMS_NAME, OneDieReader())
    EmblemTeacher(reader).on_throw(written((6,), (False,)), b"no JPEG")
    assert sample_count(reader.emblems) == 0


def test_a_damaged_file_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / EMBLEMS_NAME).write_text('{"9": []}')
    reader, trouble = open_emblem_reader(tmp_path / EMBLEMS_NAME, OneDieReader())
    assert "put aside" in trouble
    assert not reader.emblems.samples
    assert not (tmp_path / EMBLEMS_NAME).exists()


def test_the_referee_tells_of_throws_whose_faces_people_named(tmp_path: Path) -> None:
    ann = Evening(tmp_path)
    told: list[tuple[Append, bytes]] = []
    ann.referee = observed = ObservedReferee(ann.log)
    observed.throw_listeners.append(lambda append, jpeg: told.append((append, jpeg)))
    ann.starts("pig", "Ann", "Ben")
    ann.throws((3, "unsure"))
    assert told == []
    ann.names_faces(6)
    ((append, jpeg),) = told
    assert jpeg == b"\xff\xd8 a picture"
    assert [face for _, face in named_dice(append)] == [6]
    assert append.seen is not None
    assert append.seen[1]["dice"][0]["face"] == 3

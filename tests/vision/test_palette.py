"""Dice colours: learned in one light and recognised in another."""

from __future__ import annotations

import json
from functools import reduce

import numpy as np
import pytest

from models.evaluation import palette_accuracy
from models.evaluation.palette_accuracy import random_daylight_scene, reading_of, rendered_dice
from table.common.errors import CannotLearn
from vision.colours.colour import lab
from vision.colours.palette import BodyColours, Palette, sampled
from vision.simulation import Scene
from vision.simulation.scene import by_lamplight

PLAIN = Scene(exposure=0.9)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def learned_palette(
    *names: str,
    scene: Scene = PLAIN,
    generator: np.random.Generator | None = None,
    palette: Palette | None = None,
) -> Palette:
    """A palette that learned each colour from four dice."""
    return palette_accuracy.learned_palette(names, scene, generator or rng(), palette)


def matched(
    palette: Palette, names: list[str], scene: Scene, generator: np.random.Generator
) -> list[tuple[str, str]]:
    """The true colour and the matched colour of each of these dice."""
    return [(true, die.colour) for true, die in palette_accuracy.named_dice(palette, names, scene, generator)]


# -- matching ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_four_colours_learned_by_day_are_recognised_by_lamplight(seed: int) -> None:
    """Eight trays with different cameras, 24 dice each, in two lamplights. None of these 384 dice is sure and
    wrong, and very few are unsure: one mirrors the lamp."""
    generator = rng(200 + seed)
    tray = random_daylight_scene(generator)
    palette = learned_palette("white", "ivory", "navy", "black", scene=tray, generator=generator)
    for _ in range(2):
        dice = palette_accuracy.named_dice(
            palette, ["white", "ivory", "navy", "black"] * 6, by_lamplight(tray, generator), generator
        )
        assert [(true, die.colour) for true, die in dice if die.sure and die.colour != true] == []
        assert sum(not die.sure for _, die in dice) <= 2


def test_a_die_of_another_colour_keeps_the_classifiers_colour() -> None:
    palette = learned_palette("white", "black")
    picture, trues = rendered_dice(["navy"] * 3, rng(), PLAIN)
    scarlet = picture.copy()
    x, y, w, h = (int(v) for v in trues[0].box_xywh)
    scarlet[y : y + h, x : x + w] = (20, 20, 210)
    assert palette.apply(scarlet, reading_of(trues, "red")).dice[0].colour == "red"


def test_a_die_between_two_colours_is_not_sure() -> None:
    palette = learned_palette("white", "ivory")
    picture, trues = rendered_dice(["white"] * 2 + ["ivory"] * 2, rng(5), PLAIN)
    half = np.asarray(
        (picture.astype(int) + rendered_dice(["ivory"] * 2 + ["white"] * 2, rng(5), PLAIN)[0]) / 2, np.uint8
    )
    assert [d.sure for d in palette.apply(picture, reading_of(trues)).dice] == [True] * 4
    assert not all(d.sure for d in palette.apply(half, reading_of(trues)).dice)


def test_with_one_colour_nothing_is_matched() -> None:
    palette = learned_palette("ivory")
    assert [seen for _, seen in matched(palette, ["white", "black"], PLAIN, rng())] == ["grey", "grey"]


def test_in_the_dark_and_on_another_tray_dice_keep_the_classifiers_colour() -> None:
    palette = learned_palette("white", "black")
    picture, trues = rendered_dice(["black", "white"], rng(), PLAIN)
    dark = np.asarray(picture * 0.02, np.uint8)
    assert palette.apply(dark, reading_of(trues, "pink")) == reading_of(trues, "pink")
    turquoise = np.asarray(picture * np.array([1.0, 1.0, 0.2]), np.uint8)
    assert palette.apply(turquoise, reading_of(trues, "pink")) == reading_of(trues, "pink")


def test_matching_changes_only_the_colour() -> None:
    palette = learned_palette("white", "black")
    picture, trues = rendered_dice(["black"], rng(), PLAIN)
    (before,), (after,) = (
        reading_of(trues, "blue").dice,
        palette.apply(picture, reading_of(trues, "blue")).dice,
    )
    assert (after.face, after.box_xywh, after.confidence, after.sure) == (
        before.face,
        before.box_xywh,
        before.confidence,
        True,
    )
    assert after.colour == "black"


def test_matching_dice_together_and_one_by_one_gives_the_same() -> None:
    palette = learned_palette("white", "ivory", "navy")
    known = reduce(BodyColours.plus, (c.samples for c in palette.colours))
    mixed = BodyColours((known.bgr + known.bgr[::-1]) / 2, known.bgr > 150)
    scarlet = BodyColours(np.array([[20.0, 20, 210]]), known.at_least[:1])
    dice = known.plus(mixed).plus(scarlet)
    together = palette.match(dice)
    assert {match.colour for match in together} == {None, *palette.colours}
    assert {match.sure for match in together} == {True, False}
    assert [match for n in range(len(dice)) for match in palette.match(dice.only([n]))] == together


def test_the_distances_between_colours_are_computed_once_per_palette(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts the colours converted to Lab. The few dice of a reading need far fewer than all samples."""
    converted: list[int] = []

    def counted_lab(bgr: np.ndarray) -> np.ndarray:
        converted.append(bgr.size)
        return lab(bgr)

    monkeypatch.setattr("vision.colours.palette.lab", counted_lab)
    palette, (picture, trues) = (
        learned_palette("white", "ivory", "navy", "black"),
        rendered_dice(["navy"], rng(), PLAIN),
    )
    counts = []
    for _ in range(2):
        converted.clear()
        assert palette.apply(picture, reading_of(trues)).dice[0].colour == "blue"
        counts.append(sum(converted))
    assert counts[1] < counts[0] / 4


# -- learning ------------------------------------------------------------------------------------------------


def test_two_colours_that_are_too_alike_are_refused_by_name() -> None:
    palette = learned_palette("white")
    picture, trues = rendered_dice(["white"] * 3, rng(9), PLAIN)
    with pytest.raises(CannotLearn, match="Ben's chalk and white look too similar"):
        palette.with_colour("Ben's chalk", "pink", [sampled(picture, [t.box_xywh for t in trues])])


def test_dice_of_two_colours_at_once_are_refused() -> None:
    picture, trues = rendered_dice(["white", "white", "navy"], rng(), PLAIN)
    with pytest.raises(CannotLearn, match="not all of one colour: leave only those of mine"):
        Palette().with_colour("mine", "white", [sampled(picture, [t.box_xywh for t in trues])])


def test_nothing_is_learned_from_an_empty_tray() -> None:
    with pytest.raises(CannotLearn, match="put dice of one colour there"):
        sampled(rendered_dice([], rng(), PLAIN)[0], [])


def test_in_the_dark_nothing_is_learned() -> None:
    picture, trues = rendered_dice(["white"], rng(), PLAIN)
    sample = sampled(np.asarray(picture * 0.02, np.uint8), [t.box_xywh for t in trues])
    with pytest.raises(CannotLearn, match="too dark"):
        Palette().with_colour("white", "white", [sample])


def test_another_tray_is_refused() -> None:
    palette = learned_palette("white")
    picture, trues = rendered_dice(["black"], rng(), PLAIN)
    other = np.asarray(picture * np.array([1.0, 1.0, 0.2]), np.uint8)
    with pytest.raises(CannotLearn, match="The tray looks different"):
        palette.with_colour("black", "black", [sampled(other, [t.box_xywh for t in trues])])


@pytest.mark.parametrize(
    ("name", "plays_as", "why"),
    [
        ("navy", "white", "white already plays as white: let navy play as another"),
        ("navy", "mauve", "or brown; got 'mauve'"),
        ("  ", "blue", "needs a name"),
    ],
)
def test_an_unusable_name_is_refused(name: str, plays_as: str, why: str) -> None:
    picture, trues = rendered_dice(["navy"], rng(), PLAIN)
    with pytest.raises(CannotLearn, match=why):
        learned_palette("white").with_colour(name, plays_as, [sampled(picture, [t.box_xywh for t in trues])])


def test_a_colour_learned_again_is_known_in_both_lights_and_keeps_its_place() -> None:
    palette = learned_palette("white", "black")
    again = learned_palette("white", scene=by_lamplight(PLAIN, rng(3)), generator=rng(4), palette=palette)
    assert [c.name for c in again.colours] == ["white", "black"]
    assert len(again.colours[0].samples) >= len(palette.colours[0].samples)
    assert matched(again, ["white", "black"], PLAIN, rng()) == [("white", "white"), ("black", "black")]


def test_a_forgotten_colour_is_free_again() -> None:
    palette = learned_palette("white", "black").without_colour("WHITE")
    assert [c.name for c in palette.colours] == ["black"]
    with pytest.raises(LookupError):
        palette.without_colour("white")
    assert palette.without_colour("black").tray is None


def test_a_colour_plays_as_its_own_name_or_as_the_nearest_free_one() -> None:
    assert Palette().suggest_plays_as("white", (196, 224, 236)) == "white"
    assert learned_palette("white").suggest_plays_as("white", (196, 224, 236)) == "grey"
    assert learned_palette("black").suggest_plays_as("black", (84, 44, 32)) == "blue"


# -- storing -------------------------------------------------------------------------------------------------


def test_a_palette_is_stored_as_json() -> None:
    palette = learned_palette("white", "ivory")
    again = Palette.from_json(json.loads(json.dumps(palette.to_json())))
    assert summary(again) == summary(palette)
    assert all(
        true == seen
        for true, seen in matched(again, ["white", "ivory", "white"], by_lamplight(PLAIN, rng(2)), rng(3))
    )


def summary(palette: Palette) -> list[tuple[str, str, int]]:
    return [(c.name, c.plays_as, len(c.samples)) for c in palette.colours]


GOOD = {
    "name": "white",
    "plays_as": "white",
    "samples": [{"bgr": [1, 2, 3], "at_least": [False, False, False]}],
}
TRAY = [[[1, 2, 3]] * 16] * 12
NOT_A_NUMBER = [1, 2, float("nan")]


@pytest.mark.parametrize(
    "data",
    [
        None, [], {}, "palette", {"tray": None}, {"tray": None, "colours": [GOOD]},
        {"tray": TRAY, "colours": []}, {"tray": TRAY[1:], "colours": [GOOD]},
        {"tray": TRAY, "colours": [GOOD, GOOD]},
        {"tray": TRAY, "colours": [{**GOOD, "plays_as": "mauve"}]},
        {"tray": TRAY, "colours": [{**GOOD, "name": 7}]},
        {"tray": TRAY, "colours": [{**GOOD, "samples": []}]},
        {"tray": TRAY, "colours": [{**GOOD, "samples": [{"bgr": [1, 2], "at_least": [False] * 3}]}]},
        {"tray": TRAY, "colours": [{**GOOD, "samples": [{"bgr": NOT_A_NUMBER, "at_least": [False] * 3}]}]},
    ],
)  # fmt: skip
def test_json_that_is_no_palette_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="no "):
        Palette.from_json(data)

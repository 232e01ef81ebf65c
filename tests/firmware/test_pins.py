"""The configuration of the pins, and the messages for an invalid file."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from firmware.pins import Pins, PinsUnreadable, pins_in, pins_of


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pins.toml"
    path.write_text(text, "utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(PinsUnreadable) as refusal:
        pins_in(path)
    return str(refusal.value).removeprefix(f"{path}: ")


def test_the_default_pins_are_those_documented() -> None:
    assert Pins() == Pins(seats=(5, 6, 13, 19, 26, 16, 20, 21), status=12, confirm=17, read_again=27)
    assert [f.name for f in fields(Pins)] == ["seats", "status", "confirm", "read_again"]


def test_the_default_pins_avoid_the_buses() -> None:
    i2c, uart, spi0 = {2, 3}, {14, 15}, {7, 8, 9, 10, 11}
    used = {*Pins().seats, Pins().status, Pins().confirm, Pins().read_again}
    assert not used & (i2c | uart | spi0)


def test_a_file_changes_only_the_pins_it_names(tmp_path: Path) -> None:
    assert pins_in(written(tmp_path, "seats = [22, 23]\nstatus = 24\n")) == Pins(seats=(22, 23), status=24)
    assert pins_in(written(tmp_path, "")) == Pins()
    assert pins_in(written(tmp_path, "seats = []")).seats == ()


def test_the_environment_names_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "confirm = 4")
    assert pins_of({"BREHON_PINS": str(path)}).confirm == 4


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("status = 28", "a pin is a BCM number from 2 to 27; got 28"),
        ("status = 1", "a pin is a BCM number from 2 to 27; got 1"),
        ('status = "GPIO12"', "a pin is a BCM number from 2 to 27; got 'GPIO12'"),
        ("status = true", "a pin is a BCM number from 2 to 27; got True"),
        ("seats = [5, [6]]", "a pin is a BCM number from 2 to 27; got [6]"),
        ("seats = 5", "seats is a list of pins, such as [5, 6]; got 5"),
        ("status = 17", "a pin can do one thing only; named twice: 17"),
        ("seats = [5, 6, 5, 6]", "a pin can do one thing only; named twice: 5, 6"),
        ("seats = [2, 3, 4, 5, 6, 7, 8, 9, 10]", "there are lights for up to 8 seats; got 9"),
        ("buzzer = 4", "there is no pin 'buzzer'; there are seats, status, confirm, read_again"),
    ],
)
def test_an_invalid_file_is_refused_with_a_message(tmp_path: Path, text: str, sentence: str) -> None:
    assert refused(written(tmp_path, text)) == sentence


def test_a_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    assert "line 1" in refused(written(tmp_path, "status 12"))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PinsUnreadable, match=r"nowhere\.toml"):
        pins_of({"BREHON_PINS": str(tmp_path / "nowhere.toml")})

"""A person with a mouse at the page: presses only what the page offers, and says where nothing goes on."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

THROW_S = 40.0
"""Longest time for the hand to throw and for the table to rule on it. An idle computer takes five seconds."""

LOOK_S = 0.15
"""Interval between two looks at the page."""

MOST_REFUSALS = 20
"""Presses without any effect after which the person gives up."""

CALL_SHARE = 0.4
"""How often this person calls a bid instead of raising it, as a share (0 to 1)."""


class NothingToPress(AssertionError):
    """The match is not over, and the page offers nothing that goes on."""


def _label(element: Locator) -> str:
    return element.get_attribute("aria-label") or "?"


@dataclass
class Mouse:
    """Plays a match on a page, as every player in turn. kinds: how many prompts of each kind were answered.

    pressed: what was pressed, the newest last, for the message of a failure.
    """

    page: Page
    chance: random.Random
    kinds: dict[str, int] = field(default_factory=dict)
    pressed: list[str] = field(default_factory=list)
    _refused: int = 0

    def plays(self, most: int) -> None:
        """Answers prompts until the match is over, or until `most` were answered; raises NothingToPress."""
        self._refused = 0
        for _ in range(most * 8):
            before = self._snapshot()
            match = before["match"]
            if match is None or match["phase"] != "play" or sum(self.kinds.values()) >= most:
                return
            prompt = match["prompt"]
            self._press(prompt)
            after = self._settled(before)
            if after["match"]["at"] > match["at"]:
                kind = prompt["kind"] + (f" {prompt['for']}" if prompt.get("for") else "")
                self.kinds[kind] = self.kinds.get(kind, 0) + 1
                self._refused = 0
            else:
                self._refused += 1
            if self._refused >= MOST_REFUSALS:
                raise NothingToPress(self._story(after))

    # -- one press

    def _press(self, prompt: dict[str, Any]) -> None:
        """Presses what answers this prompt, or what the table asks first."""
        for selector in ("#was-moved", "#say", "#fell-off"):
            if self._offered(selector):
                self._click(self._all(selector)[0])
                if selector == "#say":
                    self.page.locator("dialog[open]").wait_for()  # its module is fetched with the first one
                self._answers_dialog()
                return
        getattr(self, f"_press_{prompt['kind']}", self._press_any)()

    def _press_any(self) -> None:
        """Throws, or takes any option."""
        options = self._all("#choices [data-option], .prompt-controls [data-option]")
        throws = self._all("#throw")
        if groups := self._all("[data-group]"):
            self._click(self.chance.choice(groups))
            options = self._all(".prompt-controls [data-option]")
        if not options + throws:
            time.sleep(LOOK_S)
            return
        self._click(self.chance.choice(options + throws))

    def _press_keep(self) -> None:
        faces = self._all("[data-keep]:not([data-idle])") or self._all("[data-keep]")
        kept = self.chance.sample(faces, self.chance.randint(1, len(faces)))
        if self._refused:  # one die after another, all that show its face, or all dice, as somebody who tries
            first = faces[self._refused // 3 % len(faces)]
            alike = [face for face in faces if _label(face) == _label(first)]
            kept = (faces, alike, [first])[self._refused % 3]
        for face in kept:
            if face.get_attribute("aria-pressed") == "false":
                self._click(face)
        ways = self._all("#keep") + self._all("#throw")
        if not ways:
            return
        self._click(ways[0] if self._refused else self.chance.choice(ways))
        time.sleep(3 * LOOK_S)
        if self._offered("#notice"):
            while chosen := self._all("[data-keep][aria-pressed=true]"):
                self._click(chosen[0])

    def _press_number(self) -> None:
        if chips := self._all("[data-number]"):
            self._click(self.chance.choice(chips))
        elif keys := self._all(".keypad [data-key='1'], .keypad [data-key='5']"):
            self._click(self.chance.choice(keys))
        self._send("#send-number")

    def _press_bid(self) -> None:
        calls = self._all(".prompt-controls [data-option]")
        if calls and self.chance.random() < CALL_SHARE:
            self._click(self.chance.choice(calls))
        else:
            self._send("#bid")

    def _press_bets(self) -> None:
        options = self._all("#choices [data-option]")
        if options and self.chance.random() < CALL_SHARE:
            self._click(self.chance.choice(options))
            return
        for chips in ("[data-bettor]", "[data-on]", "[data-number], [data-key='1'], [data-key='5']"):
            if offered := self._all(chips):
                self._click(self.chance.choice(offered))
        self._send("#bet")

    def _press_pick(self) -> None:
        while picked := self._all("[data-item][aria-pressed=true], [data-back]:enabled"):  # what was refused
            self._click(picked[0])
        if towers := self._all("[data-tower]"):
            self._click(self.chance.choice(towers))
        if self._all("[data-pile]"):
            while (piles := self._all("[data-pile]:enabled")) and not self._enabled("#pick"):
                self._click(self.chance.choice(piles))
        for item in self.chance.sample(items := self._all("[data-item]"), len(items)):
            enough = self._enabled("#pick") and (not self._refused or self.chance.random() < 0.5)
            if item.is_enabled() and self.chance.random() < 0.9 and not enough:
                self._click(item)
        self._send("#pick")

    def _send(self, selector: str) -> None:
        if self._enabled(selector):
            self._click(self._all(selector)[0])

    def _answers_dialog(self) -> None:
        """Says the first likely face of each die that the dialog asks about."""
        for _ in range(12):
            time.sleep(2 * LOOK_S)
            faces = self._all("dialog[open] .faces.big .face, dialog[open] .stick, dialog[open] .choice")
            if not faces:
                return
            self._click(faces[0])

    # -- looking

    def _settled(self, before: dict[str, Any]) -> dict[str, Any]:
        """The snapshot once the table has gone on, or lies still again without going on."""
        until, still = time.monotonic() + THROW_S, 0
        while time.monotonic() < until:
            time.sleep(LOOK_S)
            now = self._snapshot()
            going = now["match"] is None or now["match"]["at"] > before["match"]["at"]
            busy = now["tray"]["busy"] or now["tray"]["state"] == "HAND"
            still = 0 if busy else still + 1
            if still > (2 if going else 8):
                self._shown(now)
                return now
        raise NothingToPress(f"the tray does not come to rest: {self._story(self._snapshot())}")

    def _shown(self, now: dict[str, Any]) -> None:
        self.page.wait_for_function(
            "seq => Number(document.querySelector('.app')?.dataset.seq) >= seq",
            arg=now["seq"],
            timeout=10_000,
        )

    def _snapshot(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.page.evaluate("() => fetch('/api/snapshot').then(a => a.json())")
        return answer

    def _all(self, selector: str) -> list[Locator]:
        """The visible elements that can be pressed."""
        found = self.page.locator(selector).all()
        return [e for e in found if e.is_visible() and e.is_enabled()]

    def _offered(self, selector: str) -> bool:
        return bool(self._all(selector))

    def _enabled(self, selector: str) -> bool:
        return self._offered(selector)

    def _click(self, element: Locator) -> None:
        words = " ".join((element.text_content() or "").split()) or _label(element)  # or a drawing's
        self.pressed.append(words)
        element.click(timeout=5_000)

    def _story(self, now: dict[str, Any]) -> str:
        tray, match = now["tray"], now["match"]
        return (
            f"{match['game']}: {match['prompt']['text']} (kind {match['prompt']['kind']}); "
            f"the tray is {tray['state']}: {tray['message']!r}; "
            f"pressed: {self.pressed[-12:]}; answered: {self.kinds}"
        )

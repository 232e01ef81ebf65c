"""What the referee remembers of the towers, and its questions about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table.common.tray import TrayState
from table.referee.tower_falls import Fall
from table.referee.towers import TowerSeen
from table.rules import words
from table.rules.answers import Answer, Chosen, Picked, Throw
from table.rules.prompts import Choose, Option, Prompt, Roll
from table.rules.towers import Tower
from vision.boxes import Box
from vision.readings import SeenDie


@dataclass(frozen=True)
class TowersOnTray:
    """The referee's memory of the towers.

    seen: empty while their places are not known. tops: the die seen on top of each in the last reading.
    fall: dice that fell, while nobody has said so. likely: ids of the placements that the camera finds
    possible but not sure, the likeliest first. foul: the sentence on a die that does not belong where it was
    put, or "".
    """

    seen: tuple[TowerSeen, ...] = ()
    fall: Fall | None = None
    likely: tuple[str, ...] = ()
    foul: str = ""
    tops: tuple[SeenDie | None, ...] = ()

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The box of the highest die that was seen in each tower."""
        return tuple(next(die for die in reversed(t.levels) if die).box_xywh for t in self.seen)

    def after(self, prompt: Prompt | None, answer: Answer, *more: Answer) -> TowersOnTray:
        """The memory after this answer to the prompt, and those that followed from it: nothing is asked any
        more.

        If the answer is a placement that was asked about, the die that was seen there is the one placed. A
        fall is kept while it is not told what its dice show.
        """
        options = prompt.options if isinstance(prompt, Choose) else ()
        placed = next((o.places for o in options if Chosen(o.id) == answer and o.id in self.likely), None)
        seen = list(self.seen)
        if placed and (top := self.tops[placed.tower - 1]):
            tower = seen[placed.tower - 1]
            seen[placed.tower - 1] = tower.showing((*tower.dice, placed.die), top)
        fell = isinstance(answer, Picked) or any(Chosen(o.id) == answer for o in options if o.falls)
        is_told = isinstance([answer, *more][-1], Throw)
        return TowersOnTray(tuple(seen), self.fall if fell and not is_told else None)

    def standing(self, towers: Sequence[Tower]) -> TowersOnTray:
        """The memory after people said that nothing fell. towers: as the game has them."""
        seen = [
            tower.showing(dice, top) if top else tower
            for tower, dice, top in zip(self.seen, towers, self.tops, strict=True)
        ]
        return TowersOnTray(tuple(seen))

    def notice(self, prompt: Prompt | None, towers: Sequence[Tower]) -> tuple[TrayState, str] | None:
        """The state of the tray and the sentence to show at this prompt; None if there is nothing to say.

        towers: as the game has them.
        """
        if isinstance(prompt, Roll) and self.fall and not prompt.placed:
            return TrayState.WAITING, self.fall.before_throw
        if not isinstance(prompt, Choose):
            return None
        if self.fall and self.asks_about_fall(prompt):
            return TrayState.UNSURE, self.fall.question
        if self.foul:
            return TrayState.WRONG_DICE, self.foul
        if likely := self.asked_placements(prompt):
            return TrayState.UNSURE, placement_question(likely)
        question = self._where_bases_go(towers)
        return (TrayState.UNSURE, question) if question else None

    def _where_bases_go(self, towers: Sequence[Tower]) -> str:
        """'Tower 2 is not seen: set its base on the tray, the red 4, with that face up.', or ""."""
        pairs = zip(towers, self.tops, strict=False)
        unseen = [i for i, (tower, top) in enumerate(pairs, start=1) if top is None and len(tower) == 1]
        if not unseen:
            return ""
        bases = [self.seen[i - 1].dice[0] for i in unseen]
        named = words.listed(f"the {base.colour} {base.face}" for base in bases)
        if len(bases) == 1:
            return f"Tower {unseen[0]} is not seen: set its base on the tray, {named}, with that face up."
        numbers = words.listed(unseen)
        return f"Towers {numbers} are not seen: set their bases on the tray, {named}, with those faces up."

    def asked_placements(self, prompt: Prompt | None) -> list[Option]:
        """The placements that people are asked about at this prompt, the likeliest first."""
        if not isinstance(prompt, Choose) or self.foul or self.asks_about_fall(prompt):
            return []
        return [o for i in self.likely for o in prompt.options if o.id == i]

    def asks_about_fall(self, prompt: Prompt | None) -> bool:
        """Whether this prompt is one at which people are asked whether dice fell."""
        return self.fall is not None and isinstance(prompt, Choose) and any(o.falls for o in prompt.options)

    def prompt_shown(self, prompt: Prompt | None) -> Prompt | None:
        """The prompt as the page shows it: the options that the camera finds likely come first."""
        if not isinstance(prompt, Choose) or not (self.fall or self.likely):
            return prompt
        order = {id_: n for n, id_ in enumerate(self.likely)}

        def rank(option: Option) -> int:
            return -1 if self.fall and option.falls else order.get(option.id, len(order))

        return replace(prompt, options=tuple(sorted(map(self._with_fall, prompt.options), key=rank)))

    def _with_fall(self, option: Option) -> Option:
        return replace(option, text=self.fall.confirmation) if self.fall and option.falls else option


NO_TOWERS = TowersOnTray()


def placement_question(likely: Sequence[Option]) -> str:
    """The question about placements that are likely but not sure."""
    places = [o.places for o in likely[:2] if o.places]
    what = words.listed((f"the {p.die.colour} {p.die.face} on tower {p.tower}" for p in places), "or")
    return f"Not seen surely: {what}? Tap what was placed."

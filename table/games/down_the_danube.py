"""Down the Danube: Race your five pieces down a river of 36 squares with throws of four sticks. The first
player to bring all five off wins.

Throw four sticks, white on one side and black on the other. Each white side up is a point; four black count
6. After a 1, a 4 or a 6 you move and throw again. After a 2 or a 3 you move and pass the sticks on.
If you like, first ask a yes-or-no question. If the nickels win, the answer is yes.

Start: the players throw in turn until one throws a 1, and that player begins with the nickels. They start on
2, 4, 6, 8 and 10, and the 1 is played from 10 to 11. With start=Ann, Ann begins, and the 1 is played as if
thrown. The pennies start on 1, 3, 5, 7 and 9. The first point of their first throw goes from 9 to 10, if it
can.

Moving: divide the points of a throw among your pieces as you like. Each piece moves once in a throw, and you
must use as many points as you can. You cannot land on your own piece.
Switching: if you land on a lone piece of your opponent's, it goes to where you came from.
Groups: two or more pieces side by side are a group and cannot be switched.
Blocks: three or more side by side are a block, which no opponent passes. In the third row (squares 25 to 36)
two are a block, and more are none. You can pass your own blocks.
Safe squares: nobody can be switched on 29, 32 and 34. If you land on one that your opponent holds, you fall
back by one square, and the spare point goes to another piece. If an opponent's piece stands there, you
switch, unless it is in a block. From the square just before it you cannot go there: falling back to where
you were is no move.
Rapids: from square 30 you go back to 19. If 19 is taken, you go to the highest free one of your starting
squares.

Leaving: when none of your pieces is on 1 to 10, a piece leaves the board by landing on 36 or going
beyond. Points that are too many go to another piece.
If nothing can move forward, one piece must go back by the whole throw. If nothing can move at all, your turn
is over, even after a 1, a 4 or a 6.
The first player whose fifth piece leaves wins. Each piece that has left counts a point.

On the tray: throw the four sticks, and the camera reads which side of each is up. Without a camera, tap it.
Tap your steps one after the other; then move the pieces as the table shows them. If there is only one way to
play, the table plays it by itself.
Fouls, all refused: not moving where you can, or using fewer points than you could; a second share of a throw
for the same piece; passing a block; switching a group or a piece on a safe square; leaving the board with a
piece on 1 to 10; a first step other than 9 to 10; a throw after a 2 or a 3, because the sticks are your
opponent's.

Source: Druid Games (S2).
Rulings: D-1 the throw-off uses the same sticks, and it does not matter who tries first;
D-2 the second player's step from 9 to 10 takes one point, which is that piece's share; if it cannot be made,
it is waived;
D-3 a piece moves once in a throw, so each share goes to another piece;
D-4 in the third row two side by side are a block, and three, four or five are none; a run that reaches into
the second row is a block from three on, and every run is a group;
D-5 a piece that falls back from a safe square switches even with a grouped piece, but not with one of a
block;
D-6 landing on 36 is leaving the board, so it is not allowed while one of your pieces is on 1 to 10;
D-7 points beyond 36 are lost where no other piece can use them;
D-8 a piece that is sent back to 1 to 10 must go beyond 10 before another of yours leaves;
D-9 one piece makes a step back with the whole throw, and blocks, groups and safe squares stop it as they do
forward;
D-10 a throw that can move nothing ends the turn, even a 1, 4 or 6;
D-11 square 19 is taken by a piece of either colour, and so are starting squares;
D-12 squares are neighbours by number, so 12 and 13 are, and 24 and 25;
D-13 points left over by falling back or leaving go to a piece that has not moved in this throw; otherwise
they are lost. A step that would fall back to its own square is no move. Where that is all that is left, one
piece goes back, or the turn is over;
D-14 only the orders and splits that use the most points are allowed, and you choose freely among them which
piece moves;
D-15 the columns that the source mixes up are read in the order preparation, rules, throws, first throw,
switching, blocks, safe squares, rapids, end;
D-16 where the parent game Senet differs, as in its safe squares, Danube's own rules apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from table.games.danube.drawn import BARE, PRINTED, held, moved_on_board
from table.games.danube.fouls import not_back, not_forward
from table.games.danube.river import (
    NICKELS,
    PENNIES,
    RAPIDS,
    Position,
    Squares,
    grouped,
    too_long_to_block,
)
from table.games.danube.steps import (
    NONE,
    Step,
    best_steps,
    can_leave,
    endings,
    forward,
    has_moved,
    most_used,
    steps_back,
)
from table.games.danube.sticks import AGAIN, points_of
from table.odds import down_the_danube as odds
from table.rules import words
from table.rules.board import Board, Piece
from table.rules.entered_prompts import TWO_COLOURED, StickThrow
from table.rules.game import Game, Outcome, Table
from table.rules.pieces import Standing
from table.rules.prompts import Choose, Odds, Option
from table.rules.sheet import Tally

FIRST_ONE = "first_1"
"""Value of the setting `start`: the first player to throw a 1 begins."""

PIECES = 5

CHANCES = odds.throws(TWO_COLOURED, points_of)


async def play(table: Table) -> Outcome:
    table.board = BARE
    nickels = await throw_off(table)
    river = River(table, nickels)
    river.first_move()
    won = await turn(table, river, nickels, again=" again, after a 1")
    player, opening = table.after(nickels), True
    while not won:
        won = await turn(table, river, player, opening)
        player, opening = table.after(player), False
    return _ended(table, river, winner=table.after(player))


async def throw_off(table: Table) -> str:
    """The player of the nickels, who begins: the first to throw a 1, or the one in the setting `start`."""
    named = str(table.settings["start"])
    if named != FIRST_ONE:
        return named
    player = table.players[0]
    while True:  # D-1
        coach = partial(odds.of_a_throw, CHANCES, (("a 1, which begins", lambda points: points == 1),))
        faces = await table.throw_sticks(
            player, TWO_COLOURED, " to see who begins: a 1 does", purpose="start", coach=coach
        )
        if points_of(faces) == 1:
            return player
        table.so_far = f"{player} threw {points_of(faces)}"
        player = table.after(player)


async def turn(table: Table, river: River, player: str, opening: bool = False, again: str = "") -> bool:
    """Whether the turn, of one or more throws, wins the game.

    opening: this is the first turn of the pennies. again: the reason for another throw, in words.
    """
    table.sheet.begin_turn(player)
    while True:
        table.so_far = ""
        faces = await table.throw_sticks(
            player, TWO_COLOURED, again, coach=partial(_outlook, river.seen_by(player))
        )
        points = points_of(faces)
        moved = await play_throw(table, river, player, points, opening)
        if not river.pieces[player]:
            return True
        if not moved or points not in AGAIN:  # D-10
            return False
        again, opening = f" again, after a {points}", False


async def play_throw(table: Table, river: River, player: str, points: int, opening: bool) -> bool:
    """Whether anything could move, forward or back; plays as many points of the throw as possible."""
    left, moved = points, NONE
    if opening and (step := _opening_step(table, river, player)):
        river.make(player, step, points)
        left, moved = left - step.used, has_moved(moved, step)
    if left == points and not most_used(river.seen_by(player), left):
        return await _not_forward(table, river, player, points)
    while most_used(river.seen_by(player), left, moved):
        table.so_far = f"{player} ({river.coins(player)}) threw {points}: {words.points(left)} to move"
        step = await _next_step(table, river, player, left, moved)
        river.make(player, step, points)
        left, moved = left - step.used, has_moved(moved, step)
    if left and river.pieces[player]:  # D-7, D-13
        table.rule(f"{player} can use no more: {words.points(left)} lost.")
    return True


def _opening_step(table: Table, river: River, player: str) -> Step | None:
    """The pennies' first step, from 9 to 10; None if it is not possible."""
    first = PENNIES[0]
    step = forward(river.seen_by(player), first, 1) if first in river.pieces[player] else None  # D-2
    table.rule(
        f"{player}'s first point goes from 9 to 10."
        if step
        else f"{player} cannot go from 9 to 10, so this throw is free."
    )
    return step


async def _next_step(table: Table, river: River, player: str, left: int, moved: Squares) -> Step:
    """The player's next step. If all choices lead to the same position, the table plays it."""
    position = river.seen_by(player)
    steps = best_steps(position, left, moved)
    if len(endings(position, left, moved)) > 1:
        text = f"{player}: {words.points(left)} to move. Which piece goes how far?"
        return await _chosen(table, river, player, steps, text, partial(not_forward, position, left, moved))
    step = max(steps, key=lambda step: (step.used, step.points))
    used = words.points(most_used(position, left, moved))
    table.rule(f"{player} can play {used} in one way only: {river.describe(player, step)}.")
    return step


async def _not_forward(table: Table, river: River, player: str, points: int) -> bool:
    """Whether the turn is kept when no piece can move forward: one goes back, or the turn is lost."""
    position = river.seen_by(player)
    steps = steps_back(position, points)
    if not steps:
        table.rule(f"{player} cannot move forward or back: the {points} is lost, and the turn is over.")
        return False
    if len(steps) == 1:
        table.rule(
            f"{player} cannot move forward, "
            f"and can move back in one way only: {river.describe(player, steps[0])}."
        )
        step = steps[0]
    else:
        table.rule(f"{player} cannot move forward, so one piece goes back {points}.")
        text = f"{player}: nothing can move forward. Which piece goes back {points}?"
        step = await _chosen(table, river, player, steps, text, partial(not_back, position, points))
    river.make(player, step, points)
    return True


async def _chosen(
    table: Table,
    river: River,
    player: str,
    steps: Sequence[Step],
    text: str,
    foul: Callable[[str], str | None],
) -> Step:
    by_id = {step.id: step for step in steps}
    options = (
        Option(id_, river.describe(player, step), move=moved_on_board(step)) for id_, step in by_id.items()
    )
    return by_id[await table.choose(player, *options, text=text, foul=foul)]


def _ended(table: Table, river: River, winner: str) -> Outcome:
    loser = table.after(winner)
    table.so_far = ""
    table.sheet.score(loser, 0, f"still on the river: {words.listed(sorted(river.pieces[loser]))}")
    answer = "yes" if winner == river.nickels else "no"
    return Outcome(
        (winner,),
        f"{winner} brings the fifth piece off and wins. If you asked a question, the answer is {answer}.",
    )


# -- the pieces on the river ---------------------------------------------------------------------------------


class River:
    """The pieces of both players; makes the steps, writes their rulings, and scores the pieces that leave."""

    def __init__(self, table: Table, nickels: str) -> None:
        self.nickels = nickels
        self._table = table
        table.pieces = self._standing
        self._starts = {nickels: NICKELS, table.after(nickels): PENNIES}
        self.pieces: dict[str, Squares] = {
            player: frozenset(starts) for player, starts in self._starts.items()
        }

    def _standing(self) -> Iterator[Standing]:
        for player, squares in self.pieces.items():
            a, many = ("a nickel", "nickels") if player == self.nickels else ("a penny", "pennies")
            places = [*map(str, sorted(squares)), *["beside the board"] * (PIECES - len(squares))]
            yield from (Standing(a, place, many) for place in places)

    def coins(self, player: str) -> str:
        return "nickels" if player == self.nickels else "pennies"

    def seen_by(self, player: str) -> Position:
        return Position(self.pieces[player], self.pieces[self._table.after(player)], self._starts[player])

    def first_move(self) -> None:
        """Plays the 1 of the throw-off, from 10 to 11."""
        step = forward(self.seen_by(self.nickels), NICKELS[0], 1)
        assert step is not None
        self._table.rule(f"{self.nickels} begins with the nickels, and plays a 1 from 10 to 11.")
        self.make(self.nickels, step, 1)

    def make(self, player: str, step: Step, thrown: int) -> None:
        """Makes the step. thrown: the points of the whole throw."""
        before = self.pieces[self._table.after(player)]
        self.pieces[player], self.pieces[self._table.after(player)] = step.after.mine, step.after.theirs
        for ruling in self._rulings(player, step, before):
            self._table.rule(ruling)
        if step.why == "off":
            self._table.sheet.score(
                player, 1, f"off the board from {step.piece} with {step.used} of a {thrown}"
            )
        self._table.board = self.board

    def _rulings(self, player: str, step: Step, before: Squares) -> Iterator[str]:
        """The rulings on a step. before: the opponent's pieces before the step."""
        other = self._table.after(player)
        for run in too_long_to_block(before, step.piece, step.piece + step.points):
            yield (
                f"{words.listed(run)} do not stop {player}: "
                "in the third row only two side by side are a block."
            )  # D-4
        if step.why == "falls back":
            yield (
                f"{step.piece + step.points} is safe and {other}'s, "
                f"so {player} falls back to {step.to}, with a point to spare."
            )
        if step.switched:
            yield f"{player} and {other} switch: {other}'s piece goes from {step.switched} to {step.piece}."
        if step.why == "falls back" and step.switched and grouped(before, step.switched):
            yield (
                "A piece that falls back switches even with a piece of a group, but not with one of a block."
            )  # D-5
        if step.why == "rapids":
            yield f"{player}'s boat is lost in the rapids on {RAPIDS}: it begins again on {step.to}."

    def describe(self, player: str, step: Step) -> str:
        """The step in words, for options and rulings."""
        target = step.piece + step.points
        if step.why == "off":
            return f"{step.piece} off the board"
        if step.why == "rapids":
            return f"{step.piece} to {RAPIDS}, the rapids, and so to {step.to}"
        switching = f", switching with {self._table.after(player)}'s piece" if step.switched else ""
        if step.why == "falls back":
            return f"{step.piece} to {target}, which is held, and so back to {step.to}{switching}"
        return f"{step.piece} {'back ' if step.points < 0 else ''}to {step.to}{switching}"

    def board(self) -> Board:
        spaces = list(BARE.spaces)
        for player, pieces in self.pieces.items():
            for square in pieces:
                spaces[square - 1] = held(square, player)
        off = {player: PIECES - len(pieces) for player, pieces in self.pieces.items()}
        gone = tuple(Piece(player, f"×{n}") for player, n in off.items() if n)
        notes = tuple(f"{player}: {self.coins(player)}, {n} off" for player, n in off.items())
        return replace(BARE, spaces=(*spaces[:-1], replace(BARE.spaces[-1], pieces=gone)), notes=notes)


# -- odds for the coach --------------------------------------------------------------------------------------


def _outlook(position: Position) -> Iterator[Odds]:
    """The odds of the next throw, from its points."""
    outlook: tuple[tuple[str, Callable[[int], bool]], ...] = (
        ("a 1, 4 or 6, and another throw", AGAIN.__contains__),
        ("a piece can leave the board", partial(can_leave, position)),
        ("nothing can move forward", lambda points: not most_used(position, points)),
    )
    return odds.of_a_throw(CHANCES, outlook)


DOWN_THE_DANUBE = Game(
    name="down_the_danube",
    doc=__doc__,
    players=range(2, 3),
    minutes=(55, 55),
    play=play,
    scores_count=("off", "off"),
    board_notes="""
A spot is a square: its id is its number. Its kind is "safe", "danger" for the rapids on 30, "home" for 36, or
"plain". A piece stands on its square. The pieces that left are on 36, as "×2" for two of them.
The notes say who has the nickels and the pennies, and how many pieces each has off. There are none, and no
pieces, until somebody begins.
""",
    answer_notes="""
A throw is the sides up on the four sticks: {"sticks": ["white", "black", "black", "white"]}.
The id of a step is the square of the piece and the points that it moves: "8+4" moves the piece on 8 forward
by 4, "8-3" moves it back by 3.
A throw is played step by step. After each step, the prompt lists the steps that are allowed next. They are
steps of pieces that have not moved in this throw, and the throw still uses as many points as possible with
them. If all allowed ways end the same, the table plays the throw, and a ruling says so.
A piece leaves the board with exactly the points to 36 ("34+2"). The other points are left for other pieces.
A step onto a safe square that an opponent holds ("27+2") uses one point less, because the piece falls back
by one.
""",
    tally=Tally(
        "A box is a piece. Cross it out when it has left the board. If the nickels win, the answer is yes.",
        boxes=PIECES,
        sides=("Nickels", "Pennies"),
        before="Question",
    ),
    start="first player to throw a 1",
    start_value=FIRST_ONE,
    prompt_types=(StickThrow, Choose),
    printed_board=PRINTED,
    sticks=TWO_COLOURED,
)

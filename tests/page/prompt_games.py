"""Small games with one kind of prompt each, for tests of how the page shows it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

from table.rules.answers import Bet, Bid, Chosen
from table.rules.board import Board, Move, Piece, Space, SpaceKind
from table.rules.entered_prompts import OGHAM, AskBets, AskBid, AskNumber, Hidden, Pick, StickThrow
from table.rules.game import Game, Outcome, Table
from table.rules.prompts import DiceGroup, Odds, Option, Prompt, Roll
from table.rules.sheet import Row

Ask = Callable[[Table, str], Coroutine[object, object, str]]
"""Asks the player and returns the answer in words."""


async def sticks(table: Table, player: str) -> str:
    return " ".join(await table.throw_sticks(player, OGHAM))


async def hidden(table: Table, player: str) -> str:
    await table.hide(player, 2)
    return "hid"


async def few(table: Table, player: str) -> str:
    return str((await AskNumber(player, f"{player}: how many pips do you spend?", 0, 5)).value)


async def one(table: Table, player: str) -> str:
    return str((await AskNumber(player, f"{player}: do you spend your pip?", 0, 1)).value)


async def much(table: Table, player: str) -> str:
    return str((await AskNumber(player, f"{player}: what do you stake?", 0, 1_000_000, "stake")).value)


async def bid(table: Table, player: str) -> str:
    def rule(bid: Bid) -> str | None:
        return (
            None if bid.count > above.count or bid.face > above.face else "Bid more dice, or a higher face."
        )

    above = Bid(4, 6)
    text = f"{player}: four 6s are bid. Bid higher, or call."
    answer = await AskBid.raising(
        player, text, rule, above, Option("call", "Call: liar!"), Option("exact", "Exactly so")
    )
    return answer.option if isinstance(answer, Chosen) else f"{answer.count} of {answer.face}"


async def bets(table: Table, player: str) -> str:
    """Takes bets of both players until the betting is closed. `so_far` lists them."""

    def rule(bet: Bet) -> str | None:
        return None if bet.stake <= 50 else "The bank takes 50 at the most."

    on = (
        Option("even", "Even"),
        Option("odd", "Odd"),
        Option("high", "High, 11 to 17"),
        Option("low", "Low, 4 to 10"),
    )
    text = f"{player}: place your bets, then close the betting."
    close = Option("close", "Close the betting")
    placed: list[str] = []
    while isinstance(bet := await AskBets(player, text, table.players, on, (close,), rule=rule), Bet):
        placed.append(f"{bet.player} {bet.stake} on {bet.on}")
        table.so_far = "; ".join(placed)
    return table.so_far


async def pick(table: Table, player: str) -> str:
    items = [
        Option(f"item {n}", text)
        for n, text in enumerate(("Oats", "Two sheep", "A cow", "The old harp", "A song"))
    ]
    return ", ".join(await table.pick(player, items, f"{player}: pick two or three.", least=2, most=3))


async def pile(table: Table, player: str) -> str:
    """Dice of three colours, of which the player takes two."""
    colours = ("red", "red", "green", "blue", "blue", "blue")
    dice = [Option(f"{colour} {n}", colour) for n, colour in enumerate(colours)]
    return ", ".join(await table.pick(player, dice, f"{player}: take two dice.", least=2, most=2))


async def people(table: Table, player: str) -> str:
    """The players who join in, which may be none."""
    players = [Option(name.lower(), name) for name in table.players]
    return ", ".join(await table.pick(player, players, f"{player}: who joins in?", least=0, most=2)) or "none"


async def forty(table: Table, player: str) -> str:
    """A choice with more options than any screen shows at once."""
    options = [
        Option(f"way {n}", f"Chariot {n % 5 + 1} by {n + 1} to the ford of the {n}th king") for n in range(40)
    ]
    return await table.choose(player, *options, text=f"{player}: which chariot goes where?")


async def throw(table: Table, player: str) -> str:
    groups = (DiceGroup(2, "green"), DiceGroup(1, "red"))
    return " ".join(f"{die.colour} {die.face}" for die in (await table.throw(player, groups)).dice)


async def odds(table: Table, player: str) -> str:
    def coach() -> tuple[Odds, ...]:
        return (
            Odds("A pair or better", 0.8),
            Odds("The next throw wins", 1 / 36),
            Odds("Hold now", 8.142, points=True),
        )

    return await table.choose(player, Option("roll", "Throw again"), Option("hold", "Hold"), coach=coach)


RING: tuple[tuple[SpaceKind, int, int, str], ...] = (
    ("gate", 50, 6, "The gate"), ("plain", 72, 12, "1"), ("holiday", 86, 28, "Beltane"),
    ("solar", 90, 46, "Solstice"), ("green", 82, 64, "Green"), ("safe", 64, 70, "Safe"),
    ("danger", 36, 70, "Danger"), ("home", 18, 64, "Home"),
    ("white", 10, 46, "White"), ("red", 14, 28, "Red"), ("tower", 28, 12, "2"), ("centre", 50, 40, "Tara"),
)  # fmt: skip


def ring(standing: dict[str, tuple[Piece, ...]]) -> Board:
    """A ring of spots of every kind around a centre, with the pieces on them."""
    spots = [
        Space(
            f"spot {n}",
            x,
            y,
            kind,
            "3 red on 2 white" if kind == "tower" else text,
            n % 4,
            standing.get(f"spot {n}", ()),
        )
        for n, (kind, x, y, text) in enumerate(RING)
    ]
    lines = [(spots[n].id, spots[(n + 1) % 11].id) for n in range(11)] + [("spot 0", "spot 11")]
    return Board(100, 76, tuple(spots), tuple(lines), ("The pot holds 12 coins.", "Ann: 1 of 4 home"))


async def board(table: Table, player: str) -> str:
    table.board = table.board or ring(
        {"spot 1": (Piece("Ann", "×2"), Piece("Ben")), "spot 11": (Piece("Ben", "1+2 ×2, 3 coins", 3),)}
    )
    options = [Option(f"spot {n}", f"To {text}") for n, (_, _, _, text) in enumerate(RING)]
    moved = await table.choose(player, *options, text=f"{player}: where does your chariot go?")
    table.board = ring({"spot 1": (Piece("Ben"),), moved: (Piece("Ann", "×2"),)})
    return moved


MOVES = {
    "1 to 2": Move("spot 1", "spot 2"),
    "1 to 5": Move("spot 1", "spot 5"),
    "3 to 5": Move("spot 3", "spot 5"),
    "3 to 7": Move("spot 3", "spot 7"),
    "3 to 7 and back": Move("spot 3", "spot 7", ends="spot 6"),
    "4 comes in": Move(to="spot 0", off=Piece("Ann", "4")),
    "11 stays": Move("spot 11"),
    "none": None,
}
"""What people can tap in the game "moves": two pieces that share a place, two moves that share a piece and a
place, a piece from beside the board, a piece that is chosen itself, and an option with no place."""


async def moves(table: Table, player: str) -> str:
    pieces = {"spot 1": "1", "spot 3": "3", "spot 11": "2"}
    table.board = ring({spot: (Piece("Ann", text),) for spot, text in pieces.items()})
    options = [Option(id_, f"Chariot {id_}", move=move) for id_, move in MOVES.items()]
    return await table.choose(player, *options, text=f"{player}: which chariot goes where?")


FORM = (
    Row("First round"), Row("Ones", "ones"), Row("Twos", "twos"),
    Row("Best of three sprints, in seconds", "sprint"),
    Row("Second round"), Row("Chance", "chance"), Row("Rank", "rank"),
)  # fmt: skip


async def form(table: Table, player: str) -> str:
    """Fills a paper sheet: two attempts, points with a reason, a rank, and a line beside the form."""
    table.sheet.note(player, "9.8 s", "first attempt", "sprint")
    table.sheet.score(player, 3, "three 1s", "ones")
    table.sheet.note(player, "9.2 s", "second attempt", "sprint")
    table.sheet.score(player, 1250, "a long and honourable chance", "chance")
    table.sheet.score(player, 5, "for good manners")
    for other in table.players:
        table.sheet.note(other, "1st" if other == player else "2nd", "", "rank")
    return str((await AskNumber(player, f"{player}: how many pips do you spend?", 0, 5)).value)


async def alone(table: Table, player: str) -> str:
    return await table.choose(player, Option("on", "Go on"), Option("off", "Leave off"))


DAY = tuple(Row(f"{n}. event") if n % 4 == 0 else Row(f"Attempt {n % 4}", f"attempt {n}") for n in range(44))


async def day(table: Table, player: str) -> str:
    """Fills every box of a long paper sheet, each with a reason."""
    for row in DAY:
        for name in table.players if row.box else ():
            table.sheet.score(
                name, 7, f"{row.text}: 6, 5, 2 and 1, of which the burst point takes the 2s", row.box
            )
    return str((await AskNumber(player, f"{player}: how many pips do you spend?", 0, 5)).value)


RULEBOOK = """Prompt {}: Answer it.

Answer the prompt.

On the tray: nothing.

Source: the tests.
Rulings: T-1 an answer counts; T-2 a missing answer does not.
"""


def asking(
    ask: Ask,
    *asks: type[Prompt],
    form: tuple[Row, ...] = (),
    two_colours: bool = False,
    players: range = range(1, 5),
) -> Game:
    """A game that asks the first player twice and rules on each answer."""

    async def play(table: Table) -> Outcome:
        player = table.players[0]
        for _ in range(2):
            table.rule(f"{player} answered {await ask(table, player)}.")
        return Outcome((player,), f"{player} wins.")

    name, rulebook = ask.__name__, RULEBOOK.format(ask.__name__)
    return Game(
        name, rulebook, players, play, form=form, two_colours=two_colours, start="", prompt_types=asks
    )


PROMPT_GAMES = (
    asking(sticks, StickThrow), asking(hidden, Hidden), asking(few, AskNumber),
    asking(one, AskNumber), asking(much, AskNumber),
    asking(bid, AskBid), asking(bets, AskBets), asking(pick, Pick), asking(pile, Pick),
    asking(people, Pick), asking(forty), asking(throw, Roll),
    asking(odds), asking(board), asking(moves), asking(form, AskNumber, form=FORM, two_colours=True),
    asking(day, AskNumber, form=DAY), asking(alone, players=range(1, 2)),
)  # fmt: skip

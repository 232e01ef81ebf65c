"""Bricriu's Bluff & Bluster: Raise the bid on the dice under all cups, or challenge it. A red die marks it
on the shields. The last player with dice wins.

Each player has five dice and a cup. A red die is the marker. Each player throws five dice in the open. The
highest total begins; players who tie throw all five again.
All throw under their cups and look at their own dice as often as they like. The first player bids a face and
a number: at least so many dice in play, hidden or shown, show it.
Number Bid: name a face from 2 to 6. 1s, the Magic Ones, count towards it. The red die goes on the white
shield of that number, with that face up.
Magic Ones Bid: only 1s count. The red die goes on the red shield of that number, with the 1 up.
Clockwise, each player then raises or challenges; nobody passes.
Raise: move the red die sun-wise (clockwise) to any later shield, or turn it to a higher face on the same
white one. The order is 1, R1, 2, 3, R2, 4, 5, R3, 6 and so on up to R10, 20 (with track=perudo 1, 2, R1, 3,
4, R2 and so on). Then it goes round again, with 20 added to the white shields and 10 to the red ones.
Challenge: all the cups are lifted. If the bid was too high, the bidder loses as many dice as were missing. If
there were more, the challenger loses the difference. If it was exactly right, everybody but the bidder loses
one. Nobody loses more than they have. The winner of the challenge opens the next round. The last player with
dice wins.
The printed rules break off before the challenge. This is how the game of the same dice and track is played,
and the settings give other ways.
With push=on, a raiser may slide dice out into view, and then throws the others under the cup again. Dice in
view stay as they are.

On the tray: throw the five dice for the start there. Later, slide the dice onto the tray as they lie when you
push them out or the cups are lifted, one player after the other, and take them off again. Keep the cups and
the red die beside the tray.
On the page: tap when your dice lie under the cup, and tap your bid or challenge. The page moves the red die
on its own track.
Fouls: a bid that is not higher, a pass, a challenge out of turn, and more or fewer dice than you have when
the cups are lifted are refused. If dice move under a cup, only you can see it: put them back as they lay.

Source: Druid Games (S2), whose pages break off before they explain how a challenge is resolved.
Rulings: B-1 the rule for a challenge is lost, so it comes from the game of the same 30 dice, red die and 20 +
10 circles: who is wrong loses the difference, an exact bid costs all but the bidder one die, and the winner
of the challenge opens; settings give other ways, such as loss=one_die, that of Perudo;
B-2 the order of the shields is not given: red r is between white 2r - 1 and 2r, or with track=perudo right
after white 2r;
B-3 the printed example of six fives means face 5 on white shield 6;
B-4 a bid has no upper limit: each lap adds 20 to the white shields and 10 to the red ones;
B-5 the marker never moves back, and a bid cannot be raised on the same red shield;
B-6 dice shown outside the cup come from the parent game, where a raiser may push some out and throw the
others again once: only with push=on;
B-7 the winner of a challenge loses no die by it, and so can open;
B-8 only the next player in turn may challenge;
B-9 a bid on 1s is a Magic Ones Bid and goes on a red shield;
B-10 where the loser opens and is out, the next player clockwise who has dice opens;
B-11 the highest total of five dice begins, and players who tie throw all five again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from table.games import cups
from table.games.cups import ONE, Called, Dice, dice_in_play, many, players_with_dice
from table.games.start import best_throw, first_player
from table.odds.bids import Claim, of_bid, of_claims
from table.rules import words
from table.rules.answers import FACES, Bid, Chosen
from table.rules.board import Board, Label, Move, OpenDie, PaperBoard, Piece, Space
from table.rules.entered_prompts import AskBid, Hidden, Track
from table.rules.game import Game, Implied, Outcome, Setting, SettingValue, Table
from table.rules.pieces import Standing
from table.rules.prompts import Choose, Coach, DiceGroup, Option, Roll

ONES = "Magic One"


async def play(table: Table) -> Outcome:
    cups.begin(table)
    _show_track(table)
    opener = await first_bidder(table)
    while len(players := players_with_dice(table, table.players, opener)) > 1:  # B-10
        opener = await play_round(table, players)
    table.so_far = ""
    winner = players[0]
    return Outcome(
        (winner,), f"{winner} is the last with dice ({words.dice(table.sheet.total(winner))}) and wins."
    )


async def first_bidder(table: Table) -> str:
    """The player named by the setting `start`; without a name, the highest total of five dice."""

    async def five_dice(player: str) -> int:
        return sum(await table.roll(player, cups.DICE, why=", and the highest total begins", purpose="start"))

    async def thrown_for(table: Table) -> str:
        return await best_throw(table, table.players, five_dice, again="throw all five again")  # B-11

    return await first_player(table, thrown_for)


async def play_round(table: Table, players: Sequence[str]) -> str:
    """The player who opens the next round, who may be out. The first of `players` opens this one."""
    table.sheet.begin_round()
    await cups.hide_all(table, players)
    shown: dict[str, Dice] = {}
    called = await bidding(table, players, shown)
    table.rule(f"{_challenge(called)}.")
    dice = await cups.lift_all(table, players, shown, partial(_show_count, table, called))
    resolve(table, called, dice)
    _show_track(table, called.bid, called.bidder, shown)
    table.so_far = _challenge(called)
    return opens_next(called, _count(called.bid, dice), table.settings)


async def bidding(table: Table, players: Sequence[str], shown: dict[str, Dice]) -> Called:
    """The bid that is challenged at the end of the bidding. Dice that raisers push out go into `shown`."""
    bidder = players[0]
    _show_track(table)
    table.so_far = ""
    bid = await _opening(table, bidder)
    cups.note_opening(table, bidder, many(bid, ONES))
    while True:
        _show_track(table, bid, bidder)
        table.so_far = _so_far(table, bidder, bid, shown)
        player = players[(players.index(bidder) + 1) % len(players)]
        said = await _raise_or_challenge(table, player, bidder, bid, shown)
        if not isinstance(said, Bid):
            return Called(bid, bidder, player)
        bid, bidder = said, player
        cups.note_raise(table, bidder, many(bid, ONES))
        if table.settings["push"] == "on":
            _show_track(table, bid, bidder)
            table.so_far = _so_far(table, bidder, bid, shown)
            await push_out(table, player, shown)


async def _opening(table: Table, player: str) -> Bid:
    coach = partial(of_claims, dice_in_play(table), cups.openings(dice_in_play(table), wild=True))
    text = f"{player}: how many dice of which face do you bid?"
    return await AskBid.opening(
        player,
        text,
        coach=coach,
        track=_bids(table),
        in_play=dice_in_play(table),
        chance_of=_chance_of(table, {}),
    )


async def _raise_or_challenge(
    table: Table, player: str, bidder: str, bid: Bid, shown: Mapping[str, Dice]
) -> Bid | Chosen:
    """The next player's raise or challenge; only this player may challenge (B-8)."""
    track = str(table.settings["track"])
    challenge = Option("challenge", "Challenge it")
    text = f"{player}: raise {bidder}'s {many(bid, ONES)}, or challenge?"
    coach = _coach(table, bid, shown)
    return await AskBid.raising(
        player,
        text,
        lambda b: why_not_raise(b, bid, track),
        bid,
        challenge,
        coach=coach,
        track=_bids(table, bid),
        in_play=dice_in_play(table),
        chance_of=_chance_of(table, shown),
    )


async def push_out(table: Table, player: str, shown: dict[str, Dice]) -> None:
    """Lets the raiser push dice out of the cup and throw the others under it again (B-6)."""
    seen = shown.get(player, ())
    hidden = table.sheet.total(player) - len(seen)
    if not hidden:
        return
    none = Option("0", "Push out none")
    some = (Option(str(n), f"Push out {words.dice(n)}", throws=n) for n in range(1, hidden + 1))
    out = int(
        await table.choose(player, none, *some, text=f"{player}: how many dice do you push out of your cup?")
    )
    if not out:
        return
    group = DiceGroup(out, table.colour(player))
    dice = words.dice(out, group.colour)
    text = f"{player}: slide {dice} out of your cup onto the tray {words.as_they_lie(out)}."
    pushed = (await table.throw(player, (group,), purpose="push", text=text)).faces
    shown[player] = seen + pushed
    table.so_far = f"{player} pushes out {words.listed(pushed)}"
    if out < hidden:
        await table.hide(player, hidden - out)


def resolve(table: Table, called: Called, dice: Dice) -> None:
    """Writes the result of the challenge, and takes the lost dice."""
    bid, there = called.bid, _count(called.bid, dice)
    lost = losses(called, there, table.sheet.totals, table.settings)
    held = "too high" if there < bid.count else "exactly right" if there == bid.count else "right"
    counted = cups.what_counts_text(bid.face, dice, bid.face != ONE, ONES)
    cups.note_end(table, f"{called.caller} challenged", counted)
    table.rule(f"{counted}: {called.bidder}'s bid of {many(bid, ONES)} was {held}. {_who_loses(lost)}.")
    for player, count in lost.items():
        table.sheet.score(player, -count, f"lost {_dice(count)}: {_why(player, called, there)}", told=True)
    for player in lost:
        if not table.sheet.total(player):
            table.rule(f"{player} has no dice left and is out.")


def _challenge(called: Called) -> str:
    return f"{called.caller} challenges {called.bidder}'s {many(called.bid, ONES)}"


def _who_loses(lost: Mapping[str, int]) -> str:
    """'Ben loses two dice' or 'Ben, Cal and Dee lose a die each'."""
    dice = _dice(max(lost.values()))
    if len(lost) == 1:
        return f"{words.listed(lost)} loses {dice}"
    return f"{words.listed(lost)} lose {dice} each"


def _why(player: str, called: Called, there: int) -> str:
    bid = many(called.bid, ONES)
    if player == called.bidder:
        return f"bid {bid}, and {cups.there_are_text(there)}"
    if player == called.caller:
        return f"challenged {called.bidder}'s {bid}, and {cups.there_are_text(there)}"
    return f"{called.bidder}'s bid of {bid} was exactly right"


def _dice(count: int) -> str:
    return "a die" if count == 1 else words.dice(count)


def _so_far(table: Table, bidder: str, bid: Bid, shown: Mapping[str, Dice]) -> str:
    in_view = f"; shown: {_shown_dice_text(shown)}" if shown else ""
    return f"{bidder} bids {many(bid, ONES)}; {words.dice(dice_in_play(table))} are in play{in_view}"


def _shown_dice_text(shown: Mapping[str, Dice]) -> str:
    """'Ann: 1, 3 and 3; Ben: 2 and 4', with the lowest face first."""
    return "; ".join(f"{player}: {words.listed(sorted(dice))}" for player, dice in shown.items())


# -- bids and challenges: pure functions ---------------------------------------------------------------------

RED_SHIFT = {"published": -1, "perudo": +1}
"""The distance of red shield r from white 2r, in half steps between white shields (B-2)."""


def position(bid: Bid, track: str) -> int:
    """The place of the marker, in half steps from the start: white q is at 2q, red r is next to white 2r."""
    return 4 * bid.count + RED_SHIFT[track] if bid.face == ONE else 2 * bid.count  # B-9


def fewest(face: int, above: Bid, track: str) -> int:
    """The lowest number of dice of a face that raises this bid.

    A raise goes to a later shield, or to a higher face on the same one.
    """
    at = position(above, track)  # B-5
    if face == ONE:
        return (at - RED_SHIFT[track]) // 4 + 1
    same_shield = above.face != ONE and face > above.face
    return at // 2 if same_shield else at // 2 + 1


def why_not_raise(bid: Bid, above: Bid, track: str) -> str | None:
    """The reason why the bid does not raise the one before; None if it does."""
    return cups.why_no_raise(bid, above, lambda face, over: fewest(face, over, track), ONES, "challenge")


def _count(bid: Bid, dice: Dice) -> int:
    """The number of dice that count for the bid. Magic Ones count for every face."""
    return cups.counting(bid.face, dice, wild=bid.face != ONE)


def losses(
    called: Called, there: int, dice: Mapping[str, int], settings: Mapping[str, SettingValue]
) -> dict[str, int]:
    """The number of lost dice, for each player who loses any. dice: how many each player has."""
    off = there - called.bid.count
    if off:
        each = 1 if settings["loss"] == "one_die" else abs(off)
        owed = {called.bidder if off < 0 else called.caller: each}
    elif settings["exact"] == "challenger":
        owed = {called.caller: 1}
    else:
        owed = {player: 1 for player in dice if player != called.bidder}
    return {player: min(count, dice[player]) for player, count in owed.items() if dice[player]}


def opens_next(called: Called, there: int, settings: Mapping[str, SettingValue]) -> str:
    """The player who opens the next round: the winner of the challenge, or its loser if a setting says so."""
    winner, loser = (
        (called.caller, called.bidder) if there < called.bid.count else (called.bidder, called.caller)
    )
    return loser if settings["opener"] == "loser" else winner  # B-7


def implied(players: Sequence[str], settings: Mapping[str, SettingValue]) -> Implied:
    """What loss=one_die says of the other settings (B-1)."""
    if settings["loss"] != "one_die":
        return {}
    return {"exact": ("challenger", "loss=one_die"), "opener": ("loser", "loss=one_die")}


def _coach(table: Table, bid: Bid, shown: Mapping[str, Dice]) -> Coach:
    """The odds of the bid and of the lowest raises, given the dice in view."""
    track = str(table.settings["track"])
    seen = [die for dice in shown.values() for die in dice]
    following = cups.raises(bid, lambda face, over: fewest(face, over, track))
    bids = {f"{many(bid, ONES)}, as bid": bid} | {f"{many(b, ONES)}, as a raise": b for b in following}
    claims = [Claim(text, b.count - _count(b, tuple(seen)), b.face != ONE) for text, b in bids.items()]
    return partial(of_claims, dice_in_play(table) - len(seen), claims)


def _chance_of(table: Table, shown: Mapping[str, Dice]) -> Callable[[Bid], Fraction]:
    """The chance of each bid, given the dice in view."""
    seen = tuple(die for dice in shown.values() for die in dice)
    hidden = dice_in_play(table) - len(seen)
    return lambda bid: of_bid(bid.count - _count(bid, seen), hidden, bid.face != ONE)


# -- the track on the page -----------------------------------------------------------------------------------

WHITE, RED = 20, 10
COLUMNS, ROWS = 11, 6
"""The number of shields along the sides of the rectangle that the 30 shields form."""
STEP, EDGE = 9, 5
"""The distance between shields, and from the first to the edge, in hundredths of the longer side."""


def shield(bid: Bid) -> str:
    """The id of the marker's shield: w1 to w20 are white, r1 to r10 are red."""
    return f"r{(bid.count - 1) % RED + 1}" if bid.face == ONE else f"w{(bid.count - 1) % WHITE + 1}"


def laps(bid: Bid) -> int:
    """The number of full laps that the marker has made."""
    return (bid.count - 1) // (RED if bid.face == ONE else WHITE)  # B-4


def _bids(table: Table, above: Bid | None = None) -> Track:
    return partial(bids_on_track, dice_in_play(table), str(table.settings["track"]), above)


def bids_on_track(dice: int, track: str, above: Bid | None) -> Iterator[tuple[int, tuple[int, ...], Move]]:
    """The bids for each shield that the red die can go to: (count, faces, its move).

    dice: in play. Bids on more are allowed, but not offered on the track, and neither is a full lap back to
    the same shield: that one shows the number of the bid.
    """
    start = shield(above) if above else None
    reached: set[str] = set()
    for count in range(1, dice + 1):
        for faces in ((ONE,), tuple(f for f in FACES if f != ONE)):
            fitting = tuple(f for f in faces if above is None or count >= fewest(f, above, track))
            to = shield(Bid(count, faces[0]))
            full_lap = to == start and above is not None and count > above.count
            if fitting and to not in reached and not full_lap:
                reached.add(to)
                yield count, fitting, Move(start, None if to == start else to)


def _show_track(
    table: Table, bid: Bid | None = None, bidder: str = "", shown: Mapping[str, Dice] | None = None
) -> None:
    """Draws the shields in order, clockwise from the top left, with the red die on the shield of the bid.

    shown: by player, the dice that came to light after a challenge of this bid.
    """
    order = str(table.settings["track"])
    marker = {shield(bid): (Piece(bidder, str(bid.face)),)} if bid else {}
    track = _track(order, marker, numbers_on_shields(dice_in_play(table), order, bid))
    table.pieces = partial(_standing, table, bid)
    table.board = replace(track, notes=_beside_track(table, bid))
    table.lifted = _open_dice(bid, shown or {})


def _standing(table: Table, bid: Bid | None) -> Iterator[Standing]:
    """Where the red die and the lost dice are, in words for who moves them."""
    yield Standing("the red die", _shield_text(bid) if bid else "beside the track")
    for player, left in table.sheet.totals.items():
        yield from [_die_of(player, "the cup")] * left
        yield from [_die_of(player, "the squares for lost dice")] * (cups.DICE - left)


def _shield_text(bid: Bid) -> str:
    """'the white shield 5 (showing 3)', 'the red shield 2'."""
    number = shield(bid)[1:]
    if bid.face == ONE:
        return f"the red shield {number}"
    return f"the white shield {number} (showing {bid.face})"


def _die_of(player: str, where: str) -> Standing:
    return Standing(f"a die of {player}'s", where, f"dice of {player}'s")


def numbers_on_shields(dice: int, track: str, bid: Bid | None) -> dict[str, int]:
    """The numbers of the shields where the red die is or can go; after a lap they are not the printed ones.

    dice: in play. bid: the one that stands, None before the first.
    """
    numbers = {move.to: count for count, _, move in bids_on_track(dice, track, bid) if move.to}
    return numbers | ({shield(bid): bid.count} if bid else {})


def _open_dice(bid: Bid | None, shown: Mapping[str, Dice]) -> tuple[OpenDie, ...]:
    return tuple(cups.open_dice(bid.face, shown, wild=bid.face != ONE)) if bid else ()


def _show_count(table: Table, called: Called, shown: Mapping[str, Dice]) -> None:
    """Says who challenges which bid, and shows the dice that came to light and how many of them count."""
    _show_track(table, called.bid, called.bidder, shown)
    table.so_far = cups.count_so_far_text(_challenge(called), table.lifted)


def _track(order: str, marker: Mapping[str, tuple[Piece, ...]], numbers: Mapping[str, int]) -> Board:
    """The shields in this order, a value of the setting `track`.

    marker: the red die, by its shield. numbers: those that differ from the printed ones, by shield.
    """
    shields = [Bid(n, 2) for n in range(1, WHITE + 1)] + [Bid(n, ONE) for n in range(1, RED + 1)]
    shields.sort(key=lambda s: position(s, order))
    spaces = tuple(
        _space(s, at, numbers.get(shield(s), s.count), marker.get(shield(s), ()))
        for s, at in zip(shields, _ring(), strict=True)
    )
    width, height = 2 * EDGE + (COLUMNS - 1) * STEP, 2 * EDGE + (ROWS - 1) * STEP
    return Board(width, height, spaces, look="track")


def _space(on: Bid, at: tuple[int, int], number: int, pieces: tuple[Piece, ...]) -> Space:
    return Space(shield(on), *at, kind="red" if on.face == ONE else "white", text=str(number), pieces=pieces)


def _ring() -> list[tuple[int, int]]:
    """The places of the shields: along the top, down the right, back along the bottom, up the left."""
    right, bottom = COLUMNS - 1, ROWS - 1
    cells = [(x, 0) for x in range(right)] + [(right, y) for y in range(bottom)]
    cells += [(x, bottom) for x in range(right, 0, -1)] + [(0, y) for y in range(bottom, 0, -1)]
    return [(EDGE + STEP * x, EDGE + STEP * y) for x, y in cells]


def _beside_track(table: Table, bid: Bid | None) -> tuple[str, ...]:
    lost = {p: cups.DICE - left for p, left in table.sheet.totals.items() if left < cups.DICE}
    notes = [f"In play: {words.dice(dice_in_play(table))}"]
    notes += [f"Lost dice: {', '.join(f'{p} {n}' for p, n in lost.items())}"] if lost else []
    if bid and (lap := laps(bid)):
        notes += [
            "The red die has gone all round: "
            f"{lap * WHITE:,} more than is printed on a white shield, {lap * RED:,} more than on a red one"
        ]
    return tuple(notes)


# -- the track on paper --------------------------------------------------------------------------------------

LOST_STEP, GROUP_GAP = 7.2, 2.0
"""Distance of the squares for lost dice, and the additional one between two players, in hundredths."""


def _lost_dice() -> Iterator[Space]:
    """Five squares for each of six players, inside the track: two players in each of three rows."""
    of_a_player, middle = cups.DICE * LOST_STEP, EDGE + STEP * (ROWS - 1) / 2
    for player in range(6):
        row, half = divmod(player, 2)
        left = 50 + GROUP_GAP / 2 if half else 50 - GROUP_GAP / 2 - of_a_player
        y = middle + (row - 0.85) * (LOST_STEP + GROUP_GAP)
        yield from (
            Space(f"lost {player} {n}", left + (n + 0.5) * LOST_STEP, y, "home") for n in range(cups.DICE)
        )


def _printed() -> PaperBoard:
    lost, *others = _lost_dice()
    title = Label(50, lost.y - 6.2, "middle", ("Lost dice",))
    return PaperBoard(
        _track("published", {}, {}),
        unit_mm=2.6,
        space_mm=21.5,
        scale="a shield is 21.5 mm wide, for a red die of up to 16 mm.",
        notes=(
            "White shields are bids on a face from 2 to 6. Those with two rings are red: bids on ones alone.",
            "The die shows the face of the bid and moves clockwise only, also beyond the last shield.",
        ),
        spare=(replace(lost, label=title), *others),
        spare_mm=17,
    )


BRICRIUS_BLUFF = Game(
    name="bricrius_bluff",
    doc=__doc__,
    players=range(2, 7),
    minutes=(30, 40),
    settings=(
        Setting(
            "loss",
            ("difference", "one_die"),
            "dice that a challenge costs",
            "Loss",
            ("as many as the bid was off", "one, an exact bid is right, and the loser opens"),
        ),
        Setting(
            "exact",
            ("all_others", "challenger"),
            "who loses a die if the bid is exactly right",
            "Exact bid",
            ("everybody but the bidder", "the challenger"),
        ),
        Setting(
            "opener",
            ("winner", "loser"),
            "who opens the next round: the winner or the loser of the challenge",
            "Opener",
        ),
        Setting(
            "track",
            ("published", "perudo"),
            "order of the shields",
            "Track",
            ("red 1 comes before white 2, red 2 before white 4", "after them"),
        ),
        Setting(
            "push",
            ("off", "on"),
            "on: after a raise you may push dice out into view, and then throw the others again",
            "Push dice out",
        ),
    ),
    implied=implied,
    play=play,
    tally=cups.TALLY,
    scores_count=("die", "dice"),
    prompt_types=(Roll, Hidden, AskBid, Choose),
    printed_board=_printed(),
    board_notes="""
A spot is a shield: w1 to w20 are white, r1 to r10 are red, in the order of the track. The piece is the red
die: its player made the bid, and its text is the face. Where the red die is or can go, the text of a spot is
the number of the bid, 20 or 10 more after each lap; elsewhere it is the printed one. Dice under cups are not
shown. After a challenge, the dice that came to light are under "lifted", and the red die stays on the bid,
until the next bid is asked for.
The notes say how many dice are in play and who has lost any, and how often the red die has gone all round.
""",
    start="highest total of five dice",
    answer_notes="""
A bid on a face from 2 to 6 is a Number Bid, and its count is the number of the white shield. A bid on face
1 is a Magic Ones Bid, and its count is the number of the red shield. The count has no upper limit. The ID
to challenge is "challenge".
With push=on, a player who raises then chooses how many dice to push out, from "0". The pushed dice are a
throw with "for": "push". If dice are left under the cup, a hidden throw of them follows.
The throw with "for": "reveal" is the dice under the lifted cup of one player, without the dice pushed out
before. Until the next bid, the lines have the dice that came to light, {"player": "Ann", "face": 4, "counts":
true} if it counts for the bid, under "lifted".
The score is the number of dice left.
""",
)

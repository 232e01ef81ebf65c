"""The registry of all games, by name."""

from __future__ import annotations

from table.common.errors import UnreadableAnswer
from table.games.bricrius_bluff import BRICRIUS_BLUFF
from table.games.cee_lo import CEE_LO
from table.games.chuck_a_luck import CHUCK_A_LUCK
from table.games.down_the_danube import DOWN_THE_DANUBE
from table.games.drop_dead import DROP_DEAD
from table.games.five_dice import FIVE_DICE
from table.games.high_rollin import HIGH_ROLLIN
from table.games.highland import HIGHLAND
from table.games.ho_han import HO_HAN
from table.games.hot_score import HOT_SCORE
from table.games.liars_dice import LIARS_DICE
from table.games.mia import MIA
from table.games.midnight import MIDNIGHT
from table.games.pig import PIG
from table.games.ship_captain_crew import SHIP_CAPTAIN_CREW
from table.games.sigily import SIGILY
from table.games.zambales_pair_o_dice import ZAMBALES_PAIR_O_DICE
from table.rules import words
from table.rules.game import Game

ALL = (
    BRICRIUS_BLUFF,
    CEE_LO,
    CHUCK_A_LUCK,
    DROP_DEAD,
    DOWN_THE_DANUBE,
    FIVE_DICE,
    LIARS_DICE,
    MIA,
    HO_HAN,
    HIGH_ROLLIN,
    HOT_SCORE,
    HIGHLAND,
    MIDNIGHT,
    PIG,
    SHIP_CAPTAIN_CREW,
    ZAMBALES_PAIR_O_DICE,
    SIGILY,
)

GAMES: dict[str, Game] = {g.name: g for g in sorted(ALL, key=lambda g: g.name)}


def game(name: str) -> Game:
    """The game with this name.

    UnreadableAnswer: there is no such game; the message lists the games.
    """
    if name not in GAMES:
        raise UnreadableAnswer(f"there is no game “{words.short(name)}”; there are {words.listed(GAMES)}")
    return GAMES[name]

"""Sigily: Race your chariots round the sigils, or through the fairy land, and gather coins. There is one
prize for speed and one for wealth.

Throw the four sticks. One, two, three or four flat sides up move that many sigils (aon, dha, tri, ceither);
none up is a coig and moves five. Introduce one of your chariots, counting from the start, or advance one on
the board, clockwise. You cannot pass or divide a throw.
Free throw: a ceither or a coig gives one after the move, which you may decline. A turn has three extra throws
at most.
Landing: where your move ends, loose coins go under your chariot. If a chariot of your own (or a partner's)
stands there, the two go on as one unit, yours on top.
Home: a chariot is home when it stops on the start or passes it, after a whole circuit or a short cut. In a
stack this holds for each chariot by itself: one that is home leaves the stack, and the others go on. The
first player to bring all chariots home wins the race. Play goes on until only one player has chariots left.
Wealth: the winner of the race gets two thirds of the coins left on the board. Then the player with the most
coins wins the prize of wealth.
Start: each player throws the four sticks. The highest throw begins; players who tie throw again. The others
throw again for the next places. The first player drives for Connaught, the second for Ulster, then Leinster,
then Munster. Turns go in that order. The race starts at the holiday that falls on the day of play, or at the
next one (date=02-01 is Oimelc).

Ring: it has 24 sigils, 0 to 23, clockwise: 0 Samhain, 3 the Winter Solstice, 6 Oimelc, 9 the Spring Equinox,
12 Beltane, 15 the Summer Solstice, 18 Lughnasadh, 21 the Fall Equinox. Samhain, Oimelc, Beltane and
Lughnasadh are gates.
Arms: from each gate an arm of two green sigils leads to the centre: S1 and S2 from Samhain, then O1, O2, B1,
B2, L1, L2.
Pennies at the start: four in the centre, two on each holiday and each sigil of an arm, one on each other
sigil.
Fights: if your move ends on an enemy, you fight. Both throw, the attacker counts one more, and the highest
animal wins a tie (horse, cow, deer, dog). The loser leaves the board and may be introduced again. The winner
takes the coins. On the four gates and the nine green sigils both first lose their coins to the jackpot. There
the winner goes back to the gate by which it entered, and may not enter there again.
Solar sigils: the solstices and equinoxes give an extra throw. Without question cards, the first one after the
start gives none.
Fairy land: a chariot that begins your turn on a gate may try to enter through the veil. Throw: after an aon
or a dha the veil opens, and your next throw moves the chariot in. After any other throw it must go round the
ring, and you get no free throw this turn. Inside, go on to the centre, choose one of the other three arms,
and come out at its gate. A stack does not come out by a gate by which any of its chariots came in: on the arm
of such a gate it heads for the centre.
Fairy darts: at the start of each later turn, throw for each unit inside. An aon costs all its coins and sends
it back to its gate, where it may not enter again.
Jackpot: the centre holds up to seven coins. Later coins go to empty green sigils, the inner four first, then
to empty sigils of the ring, clockwise from the holiday of the start.

With teams=on, the first and third player are partners against the second and fourth.
With cards=12 or more, you draw a question card on a solar sigil and answer. A good answer gives the extra
throw; after any other there is no free throw of any kind. The card is torn up. When no cards are left, you
get the extra throw without one.
With shut_veil=ceither_and_coig, a veil that stays shut takes only the free throw of a ceither or a coig. The
extra throw of a solar sigil or a Free Turn stays.
With home=on, a forward move that starts in your quadrant is one longer. Before a throw you may pay a coin to
move a chariot backwards from there, and again for a free throw. Once out of your quadrant it moves only
sun-wise, which is clockwise. In your quadrant you count one more in every fight and the other side does not,
and a partner who lands on you goes below. Quadrants: Leinster 1 to 5, Munster 7 to 11, Connaught 13 to 17,
Ulster 19 to 23.
With stacks=on, stacked chariots throw once each in a fight. Against a single chariot, each of them that is
lower dies, and the single one dies if any is higher. Two stacks fight in pairs, from the top down, until one
side is gone; only then the other side takes its coins.
With territorial=on, Ulster starts at Lughnasadh, Leinster at Samhain, Munster at Oimelc, Connaught at
Beltane. A chariot below a partner's is home at its own start, not at the partner's.
With magic=on, you can cast one spell before the throw, and a Druid Curse or Stone Skin after the moves. Coins
spent go to the jackpot. The chariot that casts pays for the first four spells, and any of your chariots pay
for the others, those at home too.
Druid Curse, 2 coins: every unit that lands on its sigil later dies, and its coins go to the jackpot; not on
gates or green, one a quadrant.
Fireball, 2: an enemy one or two sigils away throws. After an aon or a dha it dies and its coins stay there, a
tri does nothing, any other throw sends the ball back.
Free Turn, 4: one more throw, which moves the unit that paid.
Stone Skin, 2: until it moves, attackers lose and fireballs do nothing.
Remove Curse, 2: one curse is gone.
Winds of Speed, 3: for three rounds you and your partner move one more, and nobody moves backwards.
Winds of Sloth, 3: for three rounds opponents move one less, and backward moves are one longer.
Freeze, 3: a player loses a turn or pays five coins; never a third turn running.
With gambling=on, each player puts money into the pot, two players 26 each, three 17, four 14. At the end each
coin is worth one.

On the tray: throw the four sticks together, and the camera reads them. Tap a stick that stands on its end, or
that the camera does not see. Move pieces and pennies by hand, as the board on the page shows.
On the page: tap your choices: which chariot moves, what you declare, the way out of the centre, spells,
answers and bets. Without a camera, tap what looks up on each stick.
Fouls, all void: sticks that touch the board (put the pieces back and throw again), moving before declaring,
passing, dividing a throw, a wrong count, taking coins that you jumped over, a fourth extra throw, entering by
a barred gate or in the turn of arrival, turning back in the fairy land.

Source: Druid Games (S2), by Pat Haneke and Mike Scharding.
Rulings: S-1 the ring has 24 sigils with a holiday every third, and each arm has two green ones, which fits
the 52 pennies and the printed example;
S-2 a home quadrant is the five sigils clockwise after the start that the province has with territorial=on,
and gates belong to nobody;
S-3 a turn has three extra throws at most, whatever gives them, so there are at most four throws for moves;
S-4 a ceither or coig that ends on a solar sigil gives one extra throw, not two, with cards or without;
S-5 the solar sigil that is turned off is the next one strictly after the start, for the whole game and for
everybody who starts there;
S-6 a chariot can try the veil in any later turn that begins on that gate, never by a free throw in the turn
of arrival;
S-7 a ceither or coig keeps its free throw if the veil opens. The source says only that it loses it if the
veil stays shut; the setting “A shut veil” says whether the turn also loses the throw of a solar sigil and a
Free Turn that is paid for. Nobody draws a card for an extra throw that cannot follow;
S-8 a chariot is home only when it stops on its start or passes it. One that comes out at a gate goes on from
there, as far from the start as that gate is;
S-9 a chariot that fights on a gate without having come in by one stays there, is barred from it and takes no
loose coins. One that is just coming out goes back to the gate by which it entered;
S-10 a unit sent to a gate is only placed: no fight, no fusing, no coins. Several may then share it, and a
later arrival fights them in the order they came, then fuses;
S-11 one side of a fight counts one more, so throws one apart can tie. A coig shows no animal and loses such a
tie;
S-12 if a stack has two owners, its coins are split at the finish, the odd one to the top, who controls it on
the way;
S-13 a winner keeps the free throw of a ceither or coig, and an attacker who dies ends the turn;
S-14 a landing goes in this order: finish, curse, fights, fusing, loose coins, solar sigil;
S-15 with gambling=on and three players the pot is one short, and the richest gets one less; of several
richest, the first in the order of play. With four it has four over, and each gets one back;
S-16 of the coins left on the board, the winner gets two thirds, rounded down. The losers get the rest one by
one in the order of play. Partners halve theirs, the odd one to the partner who finished first;
S-17 introducing counts as advancing for winds, not for home. A unit held back to 0 steps stays where it is,
and with 0 steps none can be introduced;
S-18 winds blow from the caster's present turn until before the fourth turn, not on moves that start or end on
green. All winds add up, and Speed forbids backward moves;
S-19 each backward move costs its own coin and lands like any move. Another may follow a ceither or a coig,
but a chariot out of its quadrant moves only sun-wise;
S-20 a fireball flies at enemies only, from the ring or a gate, never from or into green, and burns whole
units;
S-21 a stone skin wins a fight on gates and green sigils too, but its coins are lost, and the skin ends if it
is sent back to a gate. A curse kills it;
S-22 the extra throw of a Free Turn moves the unit that paid for it. It is lost if a partner has come to move
that unit, and moves any of yours if the unit is home or off the board. It is also lost with the turn;
S-23 five coins of any of the target's chariots stop a freeze, and the caster's three are spent all the same;
S-24 the others judge an answer, and the card's author decides if they disagree;
S-25 a sigil without loose coins is empty, whatever stands there. If none is empty, the coins stay in the
centre;
S-26 the chariot that casts pays for Druid Curse, Fireball, Free Turn and Stone Skin, and any chariots for the
other spells;
S-27 with sticks=coins, a tied fight is thrown again;
S-28 with teams=off everybody races alone;
S-29 darts strike in the centre too;
S-30 a player who is home takes no turns for a partner, and with magic=on may still cast the spells that any
chariots pay for;
S-31 if one fights many, only the two who tie throw again;
S-32 each unit throws once against darts, stacked or not;
S-33 no exact count is needed to finish, and a ceither or coig keeps its free throw;
S-34 winds add up, a second curse in a territory is refused, and freezes are counted for each target;
S-35 you may decline an extra throw, but once made it must be moved;
S-36 there are always 52 coins, counted after every move;
S-37 if the chariots of a stack came in by all four gates, only the gate of the top one is closed to it.
Fights and darts send a stack back to the gate of its top chariot;
S-38 each chariot of a stack must have circled from its own start. Where it reaches that start or passes it,
it leaves the stack, and the others finish the move. Its player's part of the coins goes home with it, or
stays with the stack while another chariot of that player does.
"""

from __future__ import annotations

from table.games.sigily.drawn import PRINTED
from table.games.sigily.holidays import DATE
from table.games.sigily.magic import SPELLS
from table.games.sigily.play import implied, play, settings_error
from table.games.sigily.race import PROVINCES
from table.rules.entered_prompts import OGHAM, AskBets, Pick, StickThrow
from table.rules.game import Game, Setting
from table.rules.prompts import Choose
from table.rules.sheet import Tally

OFF_ON = ("off", "on")

SIGILY = Game(
    name="sigily",
    doc=__doc__,
    players=range(2, 5),
    minutes=(20, 70),
    settings=(
        Setting(
            "teams",
            OFF_ON,
            "on: the first and third player are partners against the second and fourth; "
            "for four players only",
            "Teams",
            players=range(4, 5),
        ),
        Setting(
            "chariots",
            (3, 4),
            "chariots of each player if four play; two players always have four, three players three",
            players=range(4, 5),
        ),
        Setting(
            "cards",
            ("off", 12, 13, 14, 15, 16),
            "how many question cards you write; you answer them on solar sigils",
            "Question cards",
        ),
        Setting(
            "home",
            OFF_ON,
            "on: you have advantages in your home quadrant, and can move backwards from there",
            "Home quadrant",
        ),
        Setting("stacks", OFF_ON, "on: stacked chariots throw once each in a fight", "Fights of stacks"),
        Setting("territorial", OFF_ON, "on: each province has its own start", "Territorial start"),
        Setting(
            "shut_veil",
            ("all", "ceither_and_coig"),
            "the free throws of the turn that a veil takes if it stays shut",
            "A shut veil",
            ("all of them", "only that of a ceither or a coig"),
        ),
        Setting("magic", OFF_ON, "on: you can cast eight spells; turn off those that you do not want"),
        *(
            Setting(s.id, ("on", "off"), f"with magic=on: whether you can cast {s.name}", f"Magic: {s.name}")
            for s in SPELLS
        ),
        Setting(
            "gambling",
            OFF_ON,
            "on: everybody puts money into a pot, and each coin is paid out of it at the end",
        ),
        Setting(
            "side_bets",
            OFF_ON,
            "on: players can make private bets on throws and fights (random gambling)",
            "Private bets",
        ),
        Setting(
            "sticks",
            ("ogham", "coins"),
            "",
            "Sticks",
            ("the four sticks", "four coins, where heads are flat sides and there are no animals"),
        ),
        DATE,
    ),
    play=play,
    tally=Tally(
        "A box is a chariot. Write in it by which gates it may not enter again (S, O, B or L), and cross it "
        "out when it is home. At the end, count the coins.",
        boxes=4,
        sides=PROVINCES,
        numbered=True,
        amount="coins",
        before="Start",
        after=("Speed", "Wealth"),
    ),
    scores_count=("coin", "coins"),
    settings_error=settings_error,
    implied=implied,
    start="highest throw of the sticks",
    prompt_types=(StickThrow, Choose, AskBets, Pick),
    printed_board=PRINTED,
    sticks=OGHAM,
    board_notes="""
A spot is a sigil: its id is a number of the ring, an arm's S1 to L2, or C for the centre. Its kind is "gate",
"solar", "green", "centre", "plain", or "danger" if it is cursed. Its coins are the loose ones.
A piece is a unit: "2+Cal 1 ×2, 3 coins, stone skin" are the player's chariot 2 on top of chariot 1 of a
partner, Cal, with three coins and a stone skin. Its coins are also a number, "coins". Units stand in the
order in which they arrived.
The notes are one for each player (chariots at home and their coins, and those that wait off the board; with
home=on or territorial=on the province too), the start, each curse, wind and frozen player, the gate by which
a chariot came into the fairy land, the gates that are barred to chariots, and the question cards left.
""",
    answer_notes="""
Sticks: the side up of each stick is "round" or its animal: "dog", "deer", "cow" or "horse", as in
{"sticks": ["round", "dog", "round", "horse"]}. With sticks=coins it is "round" (tails) or "flat". A stick
that stands on its end counts as flat: send its animal.
The id of your own unit is the number of its top chariot, "1" to "4". "new" introduces a chariot ("new_3" if
waiting chariots are barred from different gates). The id of an enemy's unit is its province and number:
"ulster_2".
Before a throw: "throw", "enter" (the fairy land) or "back" (with home=on). After a throw that gives another
one: "again" or "stop".
To leave the centre: "samhain", "oimelc", "beltane" or "lughnasadh". For a question card: "good" or
"not_good".
Spells before the throw: "none", "curse", "fireball", "free_turn", "remove_curse", "winds_of_speed",
"winds_of_sloth" or "freeze". Spells after the moves: "over" (my turn is over), "curse" or "stone_skin".
To remove a curse, choose the number of its sigil. To freeze a player, choose the player's name. The frozen
player chooses "pay" or "freeze". To pay with coins, choose the number of a unit, or "home".
Bets are on "aon", "dha", "tri", "ceither" or "coig", or on "attacker" or "defender". After each bet, pick
the player who bets against it, or nobody. "close" ends the betting.
A choice with only one legal option has no prompt.
Every move is a ruling, such as "Ann, dha: chariot 1 goes on to sigil 5." One without a choice ends with
"(the only move)". A chariot that comes home by choice has only the ruling with its coins.
""",
)

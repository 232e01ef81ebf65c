"""Sigily: Race your chariots round the sigils, or through the fairy land, and gather coins: one prize for speed, one for wealth.

Throw the four sticks. One, two, three or four flat sides up move that many sigils (aon, dha, tri, ceither); none up is a coig and
moves five. Introduce one of your chariots, counting from the start, or advance one on the board, clockwise. You cannot pass, and a
throw is not divided. A ceither or a coig brings a free throw after the move, which you may decline: three extra throws a turn at most.
The first to bring all chariots home, to the start or past it after a whole circuit or a short cut, wins the race. Play goes on until
only one player has chariots left; then the richest has the prize of wealth. Of the coins left on the board the winner of the race gets
two thirds. The start is the holiday that falls on the day of play, or next.
Where your move ends, loose coins go under your chariot; on one of your own (or a partner's) the two go on as one unit, yours on top.
Whoever throws the highest with the four sticks begins; players who tie throw again.
The others throw again for the next places. The first drives for Connaught, the second for Ulster, then Leinster, then Munster; turns go
in that order.

The ring has 24 sigils, 0 to 23, clockwise: 0 Samhain, 3 the Winter Solstice, 6 Oimelc, 9 the Spring Equinox, 12 Beltane, 15 the Summer
Solstice, 18 Lughnasadh, 21 the Fall Equinox. Samhain, Oimelc, Beltane and Lughnasadh are gates. From each an arm of two green sigils
leads in to the centre: S1 and S2 from Samhain, then O1, O2, B1, B2, L1, L2. Pennies at the start: four in the centre, two on each
holiday and each sigil of an arm, one on each of the others.

Fights: on an enemy you fight. Both throw, the attacker counts one more, and a tie goes to the highest animal (horse, cow, deer, dog).
The loser is off the board, to be introduced again, and the winner takes the coins. On the four gates and the nine green sigils both
lose their coins to the jackpot first, and the winner goes back to the gate of entry, barred from entering there again.
Solar sigils (solstices and equinoxes) bring an extra throw; without question cards the first one after the start brings none.
Fairy land: a chariot that begins your turn on a gate may try to enter. Throw: on an aon or a dha your next throw leads it in; else it
must go round by the ring, and nothing brings a free throw. In there you go on to the centre, choose one of the three other ways, and
come out at its gate. Each of your turns that begins in there needs a throw against darts: an aon costs all coins and sends the chariot
back to its gate.
The centre is the jackpot. It holds seven coins; what is paid beyond that goes to empty green sigils, the inner four first, then to
empty sigils of the ring, clockwise from the holiday of the start.

Cards: on a solar sigil you draw a question card and answer. A good answer brings the extra throw; after one that is not good no free
throw of any kind follows. The card is torn up; with none left the extra throw is given.
Home: a forward move that starts in your quadrant is one longer. For a coin you may say before a throw that a chariot goes backwards
from there, and again after a free throw; once out of your quadrant it goes sun-wise only. In your quadrant you have the point more
in every fight, the other side none, and a partner who lands on you goes below. Quadrants: Leinster 1 to 5, Munster 7 to 11, Connaught
13 to 17, Ulster 19 to 23.
Stacks: stacked chariots throw once each in a fight, against one: each of them that is lower dies, the one if any is higher. Stack
against stack fights by pairs, from the top down, until one side is gone; only then its coins go to the other.
Territorial: Ulster starts at Lughnasadh, Leinster at Samhain, Munster at Oimelc, Connaught at Beltane.
Magic: one spell before the throw, and a Druid Curse or Stone Skin after the moves. Coins spent go to the jackpot. Paid by the chariot:
Druid Curse 2 (whoever lands on its sigil later dies, coins to the jackpot; not on gates or green, one a quadrant), Fireball 2 (an enemy
one or two sigils away throws: aon or dha dies, its coins stay there, tri nothing, else it flies back), Free Turn 4 (one more throw),
Stone Skin 2 (until it moves attackers lose and fireballs do nothing). Paid by any, those at home too: Remove Curse 2, Winds of Speed 3
(you and your partner one faster, nobody backwards, three rounds), Winds of Sloth 3 (opponents one slower, moves backwards one longer,
three rounds), Freeze 3 (a turn is lost, or five coins paid; never a third turn running).
Gambling: two players put 26 each into the pot, three 17, four 14; at the end each coin is worth one.

On the tray: throw the four sticks together and tap what looks up on each. Which chariot moves, what is declared, the way out of the
centre, spells, answers and bets are tapped. Pieces and pennies are moved by hand, as the board on the page shows.
Fouls, all void: sticks that touch the board (put the pieces back and throw again), moving before declaring, passing, splitting a throw,
a wrong count, collecting coins jumped over, a fourth extra throw, entering by a barred gate or in the turn of arrival, backtracking.

Source: Druid Games (S2), by Pat Haneke and Mike Scharding.
Rulings: S-1 the ring has 24 sigils with a holiday every third, and two green ones on each arm: so 52 pennies and the example of the
text come out; S-2 a home quadrant is the five sigils clockwise after the start that the province has where starts are territorial;
gates are nobody's; S-3 three extra throws a turn is the limit whatever brings them, so there are four throws for moves; S-4 a
ceither or coig that ends on a solar sigil brings one extra throw, not two, cards or no cards; S-5 the solar sigil turned off is the
next one strictly after the start, all game, for everybody who starts there; S-6 the veil can be tried in any later turn begun on
that gate, never by a free throw in the turn of arrival; S-7 where the veil opens, a ceither or coig keeps its free throw; only
where it stays shut is it lost; S-8 a chariot is home only once it stops on or passes its start; whoever comes out at a gate goes on
from there, as far from the start as that gate is; S-9 whoever fights on a gate without having come in by one stays there, barred
from it, and takes no loose coins; whoever is just coming out goes back to the gate of entry; S-10 a unit sent to a gate is placed:
no fight, fusing or coins; several may then share it, and a later arrival fights them in the order they came, then fuses; S-11 one
side of a fight has the point more, so throws one apart tie; a coig shows no animal and loses such a tie; S-12 the coins of two
owners' stack are split at the finish, the odd one to the top, who controls it on the way; S-13 a winner keeps the free throw of a
ceither or coig; whoever dies attacking ends the turn; S-14 a landing goes in this order: finish, curse, fights, fusing, loose
coins, solar sigil; S-15 the pot of three is a unit short, at the cost of the richest; that of four has four over, one back to each;
S-16 of the coins left on the board the winner has two thirds, rounded down, the losers the others one by one in the order of play;
partners halve theirs, the odd one to who finished first; S-17 introducing is advancing for winds, not for home; held back to
nothing a unit stays where it is, and none can be introduced; S-18 winds blow from the caster's present turn until before the
fourth, not on moves that start or end on green; all add up, and Speed forbids moves backwards; S-19 each move backwards costs its
own coin, and lands like any move; another may follow a ceither or a coig, but once out of its quadrant a chariot goes sun-wise
only; S-20 a fireball flies at enemies only, from the ring or a gate, never from or into green, and burns whole units; S-21 a stone
skin wins a fight where the fairies watch, but its coins are lost, and the skin ends where it is sent back to a gate; a curse kills
it; S-22 the extra throw of a Free Turn moves that chariot, if it is still on the board; S-23 five coins of any of the target's
chariots ward off a freeze, and the caster's three are spent all the same; S-24 the others judge an answer, the card's author where
they split; S-25 a sigil is empty that has no loose coins, whoever stands there; where none is, the coins stay in the centre; S-26
Druid Curse, Fireball, Free Turn and Stone Skin are paid by the chariot that casts them, the others by any; S-27 with coins for
sticks a tied fight is thrown again; S-28 without teams everybody races alone; S-29 darts strike in the centre as well; S-30 who is
home takes no turns for a partner, and with magic may still cast collective spells; S-31 where one fights many, only the two who tie
throw again; S-32 darts are thrown for once a unit, stacked or not; S-33 no exact count is needed to finish, and a ceither or coig
keeps its free throw; S-34 winds add up, a second curse in a territory is refused, and freezes count for each target; S-35 an extra
throw may be declined, but once made it is moved; S-36 there are always 52 coins, counted after every move.
"""

from __future__ import annotations

from table.games.sigily.holidays import DATE
from table.games.sigily.magic import SPELLS
from table.games.sigily.play import misfit, play
from table.rules.game import Game, Setting
from table.rules.prompts import Choose
from table.rules.telling import AskBets, Pick, StickThrow

OFF_ON = ("off", "on")

SIGILY = Game(
    name="sigily",
    doc=__doc__,
    players=range(2, 5),
    settings=(
        Setting("teams", OFF_ON, "on: the first and third in the order of play against the second and fourth; for four players only"),
        Setting("chariots", (3, 4), "chariots each where four play; two players have four, three have three"),
        Setting("cards", ("off", 12, 13, 14, 15, 16), "question cards to be answered on solar sigils, and how many are written"),
        Setting("home", OFF_ON, "on: advantages in the home quadrant, and moves backwards there"),
        Setting("stacks", OFF_ON, "on: stacked chariots have a throw each in fights"),
        Setting("territorial", OFF_ON, "on: each province has a start of its own"),
        Setting("magic", OFF_ON, "on: spells may be cast, those of the eight that are not turned off"),
        *(Setting(s.id, ("on", "off"), f"with magic: whether {s.name} may be cast") for s in SPELLS),
        Setting("gambling", OFF_ON, "on: everybody puts money into a pot, which is paid out by coins"),
        Setting("side_bets", OFF_ON, "on: random gambling, private bets on throws and fights"),
        Setting("sticks", ("ogham", "coins"), "coins: four coins, heads for flat sides, and no animals"),
        DATE,
    ),
    play=play,
    misfit=misfit,
    start="highest throw of the sticks",
    asks=(StickThrow, Choose, AskBets, Pick),
    answers="""
Sticks: what looks up on each, "round" or its animal: "dog", "deer", "cow", "horse"; with sticks=coins "round" (tails) or "flat".
A stick that stands on its end is told as flat, by its animal.
Your own units are named by the number of their top chariot, "1" to "4"; "new" introduces a chariot ("new_3" where several that wait
are barred from different gates). A unit of an enemy's is its province and number: "ulster_2".
Before a throw: "throw", "enter" (the fairy land) or "back" (home rule). After one that brings another: "again" or "stop".
Leaving the centre: "samhain", "oimelc", "beltane" or "lughnasadh". A question card: "good" or "not_good".
Spells before the throw: "none", "curse", "fireball", "free_turn", "remove_curse", "winds_of_speed", "winds_of_sloth", "freeze"; after
the moves: "over" (my turn is over), "curse", "stone_skin". A curse to take off is the number of its sigil, whom to freeze a player's
name; the frozen one says "pay" or "freeze". A pile of coins to pay from is a unit's number, or "home".
Bets are on "aon", "dha", "tri", "ceither", "coig", or on "attacker" or "defender"; after each, pick who bets against it, or nobody;
"close" ends them. A choice with one legal option is not asked.
""",
)

"""What the five boards of Fight for Olympus say."""

from typing import Final

from cli.text.wording import lazy

PAYING: Final = lazy("cards pay for cards")
PAYING_1: Final = lazy(
    "Your hand is your purse. Hoplites cost one red card: you discard another red card from your hand. Each side of "
    "the board has six spaces: Olympus (1 to 3), Delphi (4 and 5) and Troy (6). Yours are the lower row."
)
PAYING_1_TASK: Final = lazy("Play Hoplites on space 1.")
PAYING_2: Final = lazy(
    "You discarded Patroclus to pay for them. A marker of the colour pays as well as a card does, and some cards cost "
    "nothing."
)
SCORING: Final = lazy("an empty space opposite")
SCORING_1: Final = lazy(
    "When you end your turn, all your units attack, from space 1 to space 6. A unit that nobody opposes gets the bonus "
    "of its area: on Olympus a point. The first player to lead by seven points wins at once."
)
SCORING_1_TASK: Final = lazy("End your turn.")
SCORING_2: Final = lazy("One point for you, and two cards drawn. Then it is the enemy's turn.")
FIGHTING: Final = lazy("damage stays")
FIGHTING_1: Final = lazy(
    "2/3 means attack 2, defence 3. A unit hits the one opposite with its attack, and nobody hits back. The Shepherds "
    "opposite have 4 defence and 2 damage already; your Hoplites deal 2."
)
FIGHTING_1_TASK: Final = lazy("End your turn and attack.")
FIGHTING_2: Final = lazy(
    "4 damage defeats the Shepherds. Damage that does not defeat a unit stays on it from turn to turn."
)
MARKERS: Final = lazy("markers of Delphi")
MARKERS_1: Final = lazy("Your Hoplites stand in Delphi, and nobody opposes them.")
MARKERS_1_TASK: Final = lazy("End your turn.")
MARKERS_2: Final = lazy("The bonus of Delphi: you may take one marker. It pays like a card of its colour.")
MARKERS_2_TASK: Final = lazy("Take the red marker.")
MARKERS_3: Final = lazy(
    "It lies in front of you until you pay with it. When the board has none left, you may take the enemy's."
)
FULL: Final = lazy("a full side")
FULL_1: Final = lazy(
    "There is another way to win: all six of your spaces hold a unit at the start of your turn. Five are full. Rowers "
    "cost nothing."
)
FULL_1_TASK: Final = lazy("Play Rowers on space 6.")
FULL_2: Final = lazy(
    "If the enemy defeats none of the six in the turn that follows, you win. The enemy can win in the same way, so "
    "look at both rows. In a match, card 12 shows what a card does, and help lists everything you can type."
)

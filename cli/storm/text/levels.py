"""What each computer player is good for, in a sentence."""

from typing import Final

from cli.text.wording import lazy

LEVELS: Final = lazy({
    "random": "Takes any legal action and soon runs out of Honor.",
    "novice": "Sets up at random, plays sensibly and often slips.",
    "greedy": "Looks one move ahead, and bluffs in combat.",
    "seer": "Has learned from many matches what a position is worth.",
    "oracle": "Plays like seer, and also weighs what you may answer.",
})  # fmt: skip
"""A sentence for each name of :data:`storm_p2p.storm.bots.LEVELS`."""

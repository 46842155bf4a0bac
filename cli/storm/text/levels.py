"""What each computer player is good for, in a sentence."""

from typing import Final

from cli.text.wording import lazy

LEVELS: Final = lazy({
    "random": "Takes any legal action and soon runs out of Honor.",
    "novice": "Sets up at random, plays sensibly and often slips.",
    "greedy": "Looks one move ahead, and bluffs in combat.",
    "oracle": "Guesses what you may be hiding, and thinks two turns ahead.",
})  # fmt: skip
"""A sentence for each name of :data:`storm_p2p.storm.bots.LEVELS`."""

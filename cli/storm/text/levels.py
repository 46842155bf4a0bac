"""What each computer player is good for, in a sentence."""

from typing import Final

from cli.text.wording import lazy

LEVELS: Final = lazy({
    "random": "Takes any legal action and soon runs out of Honor.",
    "novice": "Sets up by chance, plays sensibly and often slips.",
    "greedy": "Takes what is best after one move, and bluffs in combat.",
    "oracle": "Imagines what you may hide, and plays on for two turns.",
})  # fmt: skip
"""A sentence for each name of :data:`storm_p2p.storm.bots.LEVELS`."""

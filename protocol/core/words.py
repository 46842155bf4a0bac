"""Four words that two people read to each other to know that nobody sits between them (SPEC.md, "Start").

The list is fixed: both programs must find the same words.
"""

from protocol.crypto.hashing import hash_parts

_LIST = """
    abbey acorn actor alarm album amber anchor angel ankle apple april apron arch arena arrow atlas
    attic autumn axis badge bagel baker bamboo banjo barn basil basket beach beard beaver bench
    berry bishop blanket blossom boat bonnet book bottle branch bread bridge bronze broom bucket
    buffalo butter cabin cactus camel candle canoe canyon carbon carpet castle cedar cello chair
    chalk cherry chess chimney cinema circle cliff clock cloud clover cobalt cobra coffee comet
    copper coral cotton cradle crane crater cricket crown crystal curtain cymbal daisy dancer delta
    denim desert diamond dinner doctor dolphin domino donkey dragon drum dune eagle earth echo elbow
    elephant ember engine envoy falcon farmer feather fennel fern fiddle finger flame flute forest
    fossil fountain fox galaxy garden garlic gazelle ginger glacier glove goblet granite grape
    guitar hammer harbor harvest hazel helmet hermit hockey honey horizon horse hotel hunter igloo
    indigo insect iris island ivory jacket jaguar jasmine jelly jewel jungle kayak kettle kitten
    koala ladder lagoon lantern lemon leopard lettuce lily lizard lobster lotus magnet mango maple
    marble meadow melon mirror monkey mosaic mountain museum mustard napkin nectar needle nickel
    nougat nutmeg oasis ocean olive onion opera orange orchid otter owl oyster paddle palm panda
    paper parrot pasta peach peanut pebble pelican pencil pepper piano pigeon pilot pirate planet
    plum pocket poem polar pony poppy potato prairie puzzle quartz queen rabbit radio raven ribbon
    river robin rocket saddle salmon sandal saturn scarf shadow silver spider spruce summer sunset
    tiger timber tomato trumpet tulip turtle umbrella valley velvet violin walnut whale winter zebra
"""

WORDS: tuple[str, ...] = tuple(_LIST.split())
"""256 short English words, one for each value of a byte."""


COUNT = 4
"""How many words are compared: 32 bits, of which nobody gets more than one try a call."""


def comparison_words(match_id: bytes) -> tuple[str, ...]:
    """Return the words of a match."""
    return spoken(hash_parts("words", match_id))


def spoken(digest: bytes, number: int = COUNT) -> tuple[str, ...]:
    """Return the words for the first bytes of a hash or a key, so many as are asked for."""
    return tuple(WORDS[byte] for byte in digest[:number])

"""What the fields of a file of cards mean."""

from typing import Final

from cli.text.wording import lazy

COMMENTS: Final = lazy(
    {
        "set": "the name of your set, at most 64 characters",
        "game": "always fight-for-olympus",
        "notice": "these comments; the program does not read them",
        "cards": "60 heroes (15 of each colour), 12 soldiers (3 of each colour, each twice in the game) and 12 equipment (3 "
        "of each colour)",
        "name": "at most 40 characters; heroes and soldiers each have their own",
        "type": "hero, soldier or equipment",
        "colour": "red, blue, green or yellow",
        "all_colours": "true for a hero that counts as every colour",
        "copies": "2 for a soldier, else 1",
        "cost": "a list of up to eight colours; an empty one costs nothing",
        "attack": "the damage it deals; for equipment, what its unit gains, which may be negative",
        "defence": "the damage that defeats it, at least 1; for equipment, what its unit gains, which may be negative",
        "text": "the text that people read on the card, at most 200 characters; the program goes by the abilities",
        "abilities": "a list of up to four, each made of the entries that follow (docs/fight-rules.md, Effects)",
        "when": "played, attack or always",
        "may": "true if the player may decline; not for always",
        "do": "for played and attack: damage, heal, move, swap, bounce, discard, draw, marker, steal, lose_card, free; for "
        "played also strike; for always: attack, defence, shield, revenge, survive, pierce, bonus, mute, ward, cheaper",
        "n": "how much, or how many",
        "whom": "which units it affects: kind (unit, hero or soldier), and optionally side (own or enemy), colour, area, max_cost, "
        "other, equipped, place (self, opposite, adjacent or area) and all",
        "if": "the condition of attack and defence: area, damaged, opposite, adjacent, with",
        "area": "olympus, delphi or troy",
    }
)
"""By the names of the fields."""

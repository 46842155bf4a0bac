"""How templates become sentences: the one place that a catalogue of another language has to be asked.

A template is a whole sentence, or a whole part of a list, with named gaps.  Nothing is put together from pieces of a
sentence, and what differs with a number has a template for one and a template for several.
"""

from __future__ import annotations


def fill(template: str, /, **values: object) -> str:
    """Return a template with its gaps filled."""
    return template.format(**values)


def count(one: str, several: str, number: int, /, **values: object) -> str:
    """Return the template for one or for several, with ``number`` and the other gaps filled."""
    return (one if number == 1 else several).format(number=number, **values)

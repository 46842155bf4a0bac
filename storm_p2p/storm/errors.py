"""What can be wrong with words and actions.

::

    RulesError
    ├── NotationError     not understood: the words are no action, unit, region or position
    └── IllegalAction     not allowed: the rules refuse the action in this position
"""

from collections.abc import Callable, Sequence
from enum import Enum

Fact = int | str | Sequence["int | str"]
"""What fills a gap: a number, a unit or another member of an enumeration, words, or several of these."""


class RulesError(ValueError):
    """A refusal; as text one sentence, "expected X, got Y", that reproduces the fault.

    Args:
        code: a stable word listed in docs/rules.md, "Refusals".
        template: the sentence, with a named gap for each fact; without facts it is the sentence itself.
        facts: what fills the gaps, as values, so that a program can say the same in words of its own.
    """

    def __init__(self, code: str, template: str, /, **facts: Fact) -> None:
        super().__init__(code, template)
        self.code = code
        self.template = template
        self.facts = facts

    def __str__(self) -> str:
        """Return the sentence in the words of the notation."""
        return self.fill(self.template, _noted)

    @property
    def sentence(self) -> str:
        """The same as the text."""
        return str(self)

    def fill(self, template: str, words: Callable[[Fact], str]) -> str:
        """Return a template, this one's or another one for the same facts, filled with words for each fact."""
        if not self.facts:
            return template
        return template.format(**{gap: words(fact) for gap, fact in self.facts.items()})


class NotationError(RulesError):
    """Words that are not understood."""


class IllegalAction(RulesError):
    """An action that the rules do not allow here; nothing has changed."""


def _noted(fact: Fact) -> str:
    several = (fact,) if isinstance(fact, (int, str)) else fact
    return ", ".join(one.name.lower() if isinstance(one, Enum) else str(one) for one in several) or "none"

"""What can be wrong with words, positions, cards and decisions of Fight for Olympus.

::

    FightError
    ├── CardFileError     a file of cards that cannot be used
    ├── PositionError     words or a position that are not understood
    └── IllegalDecision   the rules refuse the decision here; nothing has changed
"""

Fact = int | str


class FightError(ValueError):
    """A refusal; as text one sentence, "expected X, got Y", that reproduces the fault.

    Args:
        code: a stable word listed in docs/fight-rules.md, "Refusals".
        template: the sentence, with a named gap for each fact.
        facts: what fills the gaps, so that a program can say the same in words of its own.
    """

    def __init__(self, code: str, template: str, /, **facts: Fact) -> None:
        super().__init__(code, template)
        self.code = code
        self.template = template
        self.facts = facts

    def __str__(self) -> str:
        """Return the sentence."""
        return self.template.format(**self.facts)


class CardFileError(FightError):
    """A file of cards that cannot be used; ``file`` and ``line`` say where the fault is."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__("bad-cards", "{file}, line {line}: {reason}", file=file, line=line, reason=reason)


class PositionError(FightError):
    """Words or a position that are not understood."""


class IllegalDecision(FightError):
    """A decision that the rules do not allow here; nothing has changed."""

"""What can be wrong with words and actions.

::

    RulesError
    ├── NotationError     not understood: the words are no action, unit, region or position
    └── IllegalAction     not allowed: the rules refuse the action in this position
"""

from __future__ import annotations


class RulesError(ValueError):
    """A refusal; ``code`` is a stable word listed in docs/rules.md, ``sentence`` reproduces the fault."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class NotationError(RulesError):
    """Words that are not understood."""


class IllegalAction(RulesError):
    """An action that the rules do not allow here; nothing has changed."""

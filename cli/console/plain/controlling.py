"""What a person's words about the match itself do in plain lines: talk, draws, breaks, claims, resigning, leaving."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cli.console.input import pausing
from cli.console.plain.confirmation import Confirmation
from cli.console.plain.desk import Desk
from cli.storm import model as m
from cli.storm.preview import Severity
from cli.storm.text import matches, refusals
from cli.text import confirming, typed


class Controlling:
    """The words about one match.

    Attributes:
        left: the player has left.
        ending: a word that ends the match was sent, and the end is awaited.
    """

    def __init__(self, desk: Desk, confirmation: Confirmation) -> None:
        self._desk = desk
        self._confirmation = confirmation
        self.left = False
        self.ending = False

    def talk(self, text: str) -> None:
        """Send a line of chat."""
        if not text:
            self._desk.say(typed.NOTHING_SAID)
        elif self._desk.attempt(lambda: self._desk.controls.say(text)):
            self._desk.model = m.spoken(self._desk.model, text, mine=True)
            self._desk.say(matches.said(text))

    def obey(self, what: str) -> None:
        """Do what a word says, after its question if it has one."""
        controls, model = self._desk.controls, self._desk.model
        step = pausing.step(what, model, controls)
        if step is not None:
            self._pause(step)
            return
        if what in ("accept", "decline") and not model.draw_offered:
            self._desk.say(refusals.NO_OFFER)
            return
        match what:
            case "bye":
                self.leave()
            case "plain":
                self._desk.say(refusals.PLAIN_ALREADY)
            case "mute":
                self._desk.model = replace(model, muted=not model.muted)
                self._desk.say(refusals.NOT_MUTED if model.muted else refusals.MUTED)
                self._desk.keep_notes()
            case "resign":
                self._confirm(confirming.RESIGN, lambda: self._finish(controls.resign))
            case "draw":
                self._confirm(confirming.DRAW, self._offer_draw)
            case "accept":
                self._confirm(confirming.ACCEPT, lambda: self._finish(controls.accept_draw))
            case _:
                if self._desk.attempt(controls.decline_draw):
                    self._desk.model = m.answered_draw(model)
                    self._act(matches.draw_declined(model))

    def leave(self) -> None:
        """Leave the match; it is saved."""
        if not self.left and self._desk.attempt(self._desk.controls.leave):
            self.left = True
            self._desk.say(matches.left())

    def _confirm(self, line: str, go: Callable[[], object]) -> None:
        self._confirmation.ask([line], Severity.LAST, go)

    def _pause(self, step: pausing.Step) -> None:
        """Do what a word about breaks or claims does, after its question if it has one."""

        def go() -> None:
            if step.ends:
                self._finish(step.do)
                return
            told: list[bool | None] = []
            if self._desk.attempt(lambda: told.append(step.do())):
                if step.answers:
                    self._desk.model = m.answered_break(self._desk.model)
                self._act(step.said if told != [True] else "")

        if step.ask:
            self._confirm(step.ask, go)
        else:
            go()

    def _offer_draw(self) -> None:
        if self._desk.attempt(self._desk.controls.offer_draw):
            self._act(matches.draw_sent(self._desk.model))

    def _act(self, sentence: str) -> None:
        """Say what was done about the match, and keep it in the log; nothing where the rest is told anyway."""
        self._desk.model = m.acted(self._desk.model, sentence)
        self._desk.say(*([sentence] if sentence else []))

    def _finish(self, control: Callable[[], object]) -> None:
        """Use a control that ends the match; what a script says after it waits for the end."""
        self.ending = self._desk.attempt(control)
        if self.ending:
            self._desk.model = m.answered_draw(self._desk.model)

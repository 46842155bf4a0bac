"""A match from its log, step by step, as some seats knew it."""

from collections.abc import Iterator, Sequence

from cli.clean import clean
from cli.console.replay import Moment
from cli.fight.text import narrate, screens
from cli.text.wording import fill
from protocol.core.secret_replay import SecretReplay
from protocol.core.transcript import Transcript
from protocol.game import Mixed, Opened, Seat
from storm_p2p.fight.views import View


def moments(transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
    """Yield what each step of a match did, with what the given seats knew."""
    # The match may have been played with an own set of cards.
    agreement, fight = transcript.agreement, transcript.game
    seeds = {seat: seed for seat, seed in transcript.seeds.items() if seat in seats}
    secret_replay = SecretReplay(transcript.referee, seeds)
    state = fight.begin(agreement.terms)
    players = [clean(player.name) for player in agreement.players]
    shown: dict[Seat, frozenset[int]] = dict.fromkeys(seats, frozenset())
    for played in transcript.history:
        secret_replay.follow(played, check=False)
        if played.answer is None:
            continue
        state = fight.step(state, played.answer)
        view = View(state, dict(secret_replay.known))
        told = [narrate.line(event, state.cards, players) for event in state.events]
        hidden = []
        if not isinstance(played.answer, Mixed | Opened):
            for seat in seats:
                held = frozenset(view.known_hand(seat))
                # What was played or discarded has been told.
                if told and held - shown[seat]:
                    named = narrate.listed_cards(state.cards, tuple(sorted(held)))
                    hidden.append(f"{fill(screens.HAND_OF, name=players[seat], number=len(held))}: {named}")
            shown = {seat: frozenset(view.known_hand(seat)) for seat in seats}
        yield Moment(played.seq, (*told, *hidden), len(told), tuple(state.events), view)

"""The scheme ``proved``: commitments that can be proved about (SPEC.md, section "Proofs").

A token is M + r B, with the generator M of its value and the opening r.  Setups, divided groups and where a random
setup has put somebody are proved in the message that makes them, and nothing else is told.
"""

from collections.abc import Sequence
from functools import lru_cache

from protocol.crypto import group, piles, proofs
from protocol.crypto.commitments import interface, statements
from protocol.crypto.commitments.batches import in_parts, number_copies
from protocol.crypto.commitments.interface import Context, Maker, Regrouping, Secret, Tokens, Values, Within
from protocol.crypto.hashing import derive, equal_in_constant_time
from protocol.crypto.proofs import check
from protocol.crypto.scalars import ORDER, scalar_bytes, scalar_of
from protocol.errors import BadCommitment, LocalProtocolError
from protocol.game import Value


def commit(value: Value, opening: bytes) -> bytes:
    """Return the token that an opening gives a value.

    Raises:
        BadCommitment: the opening is no scalar from 1 on.
    """
    if len(opening) != 32 or int.from_bytes(opening, "little") >= ORDER:
        raise BadCommitment("wrong_opening", "a scalar below the order", opening.hex())
    try:
        return group.add(group.generator(value), group.times_base(opening))
    except group.Degenerate:
        raise BadCommitment("wrong_opening", "a scalar from 1 on", opening.hex()) from None


def check_hide(
    context: Context, tokens: Sequence[bytes], values: Values, within: Sequence[Within], proof: bytes
) -> None:
    """Check that tokens are points and hold a permutation of values, some of them in some of the tokens.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    for token in tokens:
        group.check_point(token)
    check(statements.hide(context, tokens, values, within), proof)


def check_mix(
    context: Context,
    old: Sequence[bytes],
    parts: Sequence[Sequence[bytes]],
    barred: Sequence[Sequence[int]],
    proof: bytes,
) -> None:
    """Check that new tokens are points and hold the values of old ones, which have been checked before.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    for part in parts:
        for token in part:
            group.check_point(token)
    check(statements.mix(context, old, parts, barred), proof)


def check_locate(context: Context, tokens: Sequence[bytes], value: Value, proof: bytes) -> None:
    """Check that one of some tokens, which have been checked before, holds a value.

    Raises:
        BadCommitment: ``bad_proof``.
    """
    check(statements.locate(context, tokens, value), proof)


def opening_of(maker: Maker, batch: int, value: Value, copy: int) -> bytes:
    """Return the opening of a value, derived from the seed."""
    where = (maker.match_id, maker.seat, batch, maker.nonce, value, copy)
    wide = derive(maker.seed, "blinding", *where, 0) + derive(maker.seed, "blinding", *where, 1)
    return scalar_bytes(scalar_of(wide))


class ProvedScheme:
    """Commitments in a group, and proofs about them."""

    name = "proved"
    piles: interface.Piles = piles

    def __init__(self) -> None:
        """Begin with nothing checked.

        Raises:
            LocalProtocolError: the library is too old or does not work.
        """
        group.require()
        # Our own program checks each proof when it makes it and when it keeps it.
        remember = lru_cache(maxsize=64)
        self._check_hide, self._check_mix = remember(check_hide), remember(check_mix)
        self._check_locate = remember(check_locate)

    def hide(
        self, maker: Maker, context: Context, batch: int, values: Values, within: Sequence[Within]
    ) -> tuple[tuple[Secret, ...], bytes]:
        """Commit to values, in their order, and prove that they are these and where some of them are.

        Raises:
            LocalProtocolError: a value is not where it must be.
        """
        made = self.commit(maker, batch, values)
        sources = sorted(values)
        witnesses = [(sources.index(one.value), _number(one)) for one in made]
        witnesses.append((0, sum(_number(one) for one in made) % ORDER))
        witnesses += [_witness_of(value, [made[number] for number in places]) for value, places in within]
        statement = statements.hide(context, [one.commitment for one in made], values, within)
        return made, proofs.prove(statement, witnesses, maker.seed, maker.aux_rand)

    def check_hide(
        self, context: Context, tokens: Tokens, values: Values, within: Sequence[Within], proof: bytes
    ) -> None:
        """Check a proof that the tokens hold a permutation of the public values, some of them within some places.

        Raises:
            BadCommitment: the proof does not hold.
        """
        self._check_hide(context, _points(tokens), tuple(values), tuple(within), proof)

    def mix(
        self, maker: Maker, context: Context, batch: int, move: Regrouping
    ) -> tuple[tuple[tuple[Secret, ...], ...], bytes]:
        """Commit afresh to the values of old tokens and prove that it is they; each part is sorted.

        Raises:
            LocalProtocolError: a value goes where it must not.
        """
        sources = [number for part in move.parts for number in part]
        made = self.commit(maker, batch, [move.held[number].value for number in sources])
        source = {one.commitment: number for one, number in zip(made, sources, strict=True)}
        parts = in_parts(made, move.parts)
        witnesses = []
        for part, out in zip(parts, move.barred or [()] * len(parts), strict=True):
            allowed = [number for number in range(len(move.old)) if number not in out]
            for one in part:
                old = source[one.commitment]
                if old not in allowed:
                    raise LocalProtocolError("bad_secret", "no value where it is barred", f"{one.value}")
                witnesses.append((allowed.index(old), (_number(one) - _number(move.held[old])) % ORDER))
        difference = sum(map(_number, made)) - sum(map(_number, move.held))
        witnesses.append((0, difference % ORDER))
        new = [[one.commitment for one in part] for part in parts]
        statement = statements.mix(context, _points(move.old), new, move.barred)
        return parts, proofs.prove(statement, witnesses, maker.seed, maker.aux_rand)

    def check_mix(
        self, context: Context, old: Tokens, parts: Sequence[Tokens], barred: Sequence[Sequence[int]], proof: bytes
    ) -> None:
        """Check a proof that new tokens hold the values of the old ones, and each part none that is barred from it.

        Raises:
            BadCommitment: the proof does not hold.
        """
        self._check_mix(context, _points(old), tuple(map(_points, parts)), tuple(map(tuple, barred)), proof)

    def locate(self, maker: Maker, context: Context, tokens: Tokens, held: Sequence[Secret], value: Value) -> bytes:
        """Prove that one of some tokens holds a value.

        Raises:
            LocalProtocolError: none does.
        """
        statement = statements.locate(context, _points(tokens), value)
        return proofs.prove(statement, [_witness_of(value, held)], maker.seed, maker.aux_rand)

    def check_locate(self, context: Context, tokens: Tokens, value: Value, proof: bytes) -> None:
        """Check a proof that one of some tokens holds a value.

        Raises:
            BadCommitment: the proof does not hold.
        """
        self._check_locate(context, _points(tokens), value, proof)

    def check_open(self, token: interface.SlotToken, value: Value, opening: bytes) -> None:
        """Check that a token holds the value.

        Raises:
            BadCommitment: it does not.
        """
        found = commit(value, opening)
        if not equal_in_constant_time(found, token.commitment):
            raise BadCommitment("wrong_opening", token.commitment.hex(), found.hex())

    def commit(self, maker: Maker, batch: int, values: Values) -> tuple[Secret, ...]:
        """Return commitments to values, in their order, derived from the maker's seed."""
        made = []
        for value, copy in number_copies(values):
            opening = opening_of(maker, batch, value, copy)
            made.append(Secret(value, opening, commit(value, opening)))
        return tuple(made)


def _points(tokens: Tokens) -> tuple[bytes, ...]:
    return tuple(token.commitment for token in tokens)


def _number(secret: Secret) -> int:
    return int.from_bytes(secret.opening, "little")


def _witness_of(value: Value, held: Sequence[Secret]) -> tuple[int, int]:
    """Return where a value is and its logarithm there.

    Raises:
        LocalProtocolError: it is not there.
    """
    for number, secret in enumerate(held):
        if secret.value == value:
            return number, _number(secret)
    raise LocalProtocolError("bad_secret", f"value {value} among these", "none")

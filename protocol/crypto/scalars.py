"""Numbers of the scheme ``proved``, without any point (SPEC.md, section "Points and scalars")."""

ORDER = 2**252 + 27742317777372353535851937790883648493
"""The number L of points in the group; scalars are numbers below it."""


def scalar_bytes(number: int) -> bytes:
    """Return the 32 bytes of a number below the order, little-endian as in RFC 8032."""
    return number.to_bytes(32, "little")


def scalar_of(data: bytes) -> int:
    """Return a scalar that is not zero from 64 random bytes.

    They are so many that nobody could see how the remainder favours some.
    """
    return 1 + int.from_bytes(data, "little") % (ORDER - 1)

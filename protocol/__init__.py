"""The promises: commitments, signatures, order and the log of a match between people who need not trust each other.

This package knows nothing of any particular game; a game is a guest that fulfils
:class:`protocol.game.Game`.  Only ``system``, ``record``, ``transport``, ``reach`` and ``archive`` touch the machine.
See SPEC.md, "Messages" and "Behaviour".
"""

VERSIONS: tuple[int, ...] = (3,)
"""The versions of the protocol that this program speaks; each has its table of frames."""

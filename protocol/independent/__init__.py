"""A second, independent verifier of match logs (SPEC.md, section "A second implementation").

Written from SPEC.md, RFC 8032 and RFC 9380 alone and without reading the first, so that a mistake in one of the two
shows as a difference.  It shares with the first the contract of a game and nothing else, and needs nothing but the
standard library.  It only checks: its running time depends on what it computes, so it is given no secret but those that
the players have opened.  :mod:`protocol.independent.judging` is its one entrance.
"""

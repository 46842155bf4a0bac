"""Tournaments without a server: documents, pairings, results, standings and ratings (SPEC.md, section "Tournaments").

Everything is a pure function of the bytes of documents and of what logs prove, so that a stranger who holds the
folder computes the same as everybody else.  Nothing here reads a file, a clock or a source of chance, and nothing
knows a game: its name, rules, terms and sides stand in the event.
"""

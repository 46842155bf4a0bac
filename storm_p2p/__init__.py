"""The rules of *Storm over Olympus*: pure, on partial knowledge, deterministic.

Standard library only, and of that nothing that knows a clock, chance, a file or a network.  Rule numbers
(``HON-2``) and decisions (``A-17``) are those of docs/rules.md.
"""

"""A match without input and output: bytes and a time go in, bytes and events come out.

SPEC.md, "Messages" and "Behaviour".
"""

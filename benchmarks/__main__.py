"""Print every benchmark's ratio, one after the other, and end non-zero if a goal was missed."""

from __future__ import annotations

from benchmarks import exchange, first_move, footprint, goals, piles, playouts, proofs, screens, verifying, wire_size


def main() -> None:
    """Run all of them."""
    for part in (playouts, verifying, proofs, piles, exchange, first_move, wire_size, footprint, screens):
        part.main()


if __name__ == "__main__":
    main()
    goals.end()

"""The program ``storm-p2p``."""
from __future__ import annotations
import sys
def main() -> int:
    if sys.argv[1] == "scenario":
        from cli.commands import scenario
        return scenario.main(sys.argv[2])
    return 2
if __name__ == "__main__":
    sys.exit(main())

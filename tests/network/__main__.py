"""The laboratory by one command, ``python -m tests.network``; ``--help`` says more."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # The modules of the tests know each other by their names below this folder.
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from network.matrix import main

    sys.exit(main())

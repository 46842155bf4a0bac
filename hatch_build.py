"""Makes what is not in git when the project is built or installed: compiled catalogues and the manual page.

The page comes from the command line's own parser, so that it cannot say anything else.  In the wheel it lies where
``pip``, ``pipx`` and packagers of systems look for it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MadeFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the catalogues to the sources, and the page to the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues, and write the page, but not for those who work in the sources."""
        sys.path.insert(0, str(Path(self.root, "tests")))
        import catalogue

        catalogue.compile_all()
        if self.target_name != "wheel" or version == "editable":
            return
        page = Path(self.directory, "storm-p2p.1")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(make_page(self.root), encoding="utf-8", newline="\n")
        build_data["shared_data"][str(page)] = "share/man/man1/storm-p2p.1"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the page away again: it is in the wheel."""
        Path(self.directory, "storm-p2p.1").unlink(missing_ok=True)


def make_page(root: str) -> str:
    """Return the manual page of the sources in a folder."""
    from argparse_manpage.manpage import Manpage

    sys.path.insert(0, root)
    # What reads the page breaks its lines.
    os.environ["COLUMNS"] = "9999"
    from cli import __version__
    from cli.app.arguments import make_parser

    page = Manpage(make_parser())
    page.source, page.manual = f"storm-p2p {__version__}", "Storm P2P"
    page.description = "a war game of hidden units and a card duel for two players, with no server and no trust"
    return str(page)

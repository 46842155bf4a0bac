"""``storm-p2p scenario``: positions and actions in, answers out."""

from __future__ import annotations

import errno
import json
import math
import os
import sys
from typing import TYPE_CHECKING

from cli.app import games
from protocol.system.files import LARGEST, read_file

if TYPE_CHECKING:
    from argparse import Namespace

    from cli.storage.home import Home


def main(home: Home, options: Namespace) -> int:
    """Run the command."""
    return answer(options.file)


def answer(source: str | None) -> int:
    """Read one scenario or a list of them from a file or standard input, and print the answers.

    Returns:
        0 when every scenario ran, 1 when one was refused, 2 when the input is no scenario.
    """
    if source is None:
        from cli.text import commands

        print(commands.SCENARIO, file=sys.stderr)
        return 2
    try:
        if source == "-":
            text = sys.stdin.buffer.read(LARGEST + 1)
            if len(text) > LARGEST:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        else:
            text = read_file(source)
        cases = json.loads(text, parse_float=_float, parse_constant=_refuse_constant)
    except OSError as error:
        from cli.text import commands

        return _refuse(commands.unusable(error, source))
    except (ValueError, RecursionError):
        return _refuse(f"{source}: expected a scenario in JSON, or a list of them.")
    single = isinstance(cases, dict)
    several = [cases] if single else cases
    if not isinstance(several, list) or not all(isinstance(case, dict) for case in several):
        return _refuse(f"{source}: expected an object or a list of objects.")
    answers = [_run(case) for case in several]
    json.dump(answers[0] if single else answers, sys.stdout, indent=1)
    # What is still held back must fail here, where it is known what it means that nobody reads on.
    print(flush=True)
    return 0 if all(answer["ok"] for answer in answers) else 1


def _run(case: dict[str, object]) -> dict[str, object]:
    name = case.get("game", games.STORM)
    if not isinstance(name, str) or name not in games.NAMES:
        wanted = " or ".join(games.NAMES)
        error = f"expected the game {wanted}, got {ascii(name)[:60]}"
        return {"id": case.get("id"), "ok": False, "index": -1, "code": "no-game", "error": error}
    return games.find(name).run_scenario({key: value for key, value in case.items() if key != "game"})


def _refuse_constant(word: str) -> None:
    """Refuse NaN and Infinity, which are not JSON, so that no answer repeats them."""
    raise ValueError(word)


def _float(text: str) -> float | str:
    """Return a number, or its text where it is too large: an answer that repeats it would be no JSON."""
    number = float(text)
    return text if number in (math.inf, -math.inf) else number


def _refuse(sentence: str) -> int:
    # The name of a file may hold whatever its author likes.
    from cli.clean import clean

    print(clean(sentence), file=sys.stderr)
    return 2

"""The HTML document of a match: composed from its log and its story, and read again (SPEC.md, "Web page")."""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib import resources
from itertools import starmap
from typing import Final

from cli.page import runtime
from cli.page.story import Story
from cli.text import analyses, pages

PROGRAM: Final = """
import json, sys
sys.path.insert(0, "/app.zip")
from protocol.independent.judging import judge
from storm_p2p import games
slots = {}
with open("/log.storm", "rb") as file:
    facts = judge([file.read()], games.find, slots)[0]
json.dumps({"facts": facts, "slots": slots})
"""
"""What the worker runs in Pyodide."""
LOG_BEGINS: Final = '<script type="text/plain" id="log">'
"""Where the log of a page begins."""
_LOG: Final = re.compile(rf"{LOG_BEGINS}([A-Za-z0-9+/=]*)</script>")
# `<` is an escape in its JSON; to stop at it takes no longer for a page that repeats its beginning.
_STORY: Final = re.compile(r'<script type="application/json" id="story">(\{[^<]*\})</script>')
_PART: Final = re.compile(r'<script type="text/plain" id="(asm|wasm|mjs|std|app)">([A-Za-z0-9+/=]*)</script>\n')
_BESIDE: Final = re.compile(r'<script src="storm-p2p-runtime-[0-9a-f]{64}\.js"></script>')


def compose(
    log: bytes, story: Story, script: str, board: str, *, parts: Mapping[str, bytes] = {}, beside: str = ""
) -> str:
    """Return the page of a match.

    Args:
        log: the bytes of the log, or of its beginning while the match goes on.
        story: what is told of it.
        script: what draws the board of its game.
        board: the last position as text, for readers who run no script.
        parts: the runtime, if the page has it inside.
        beside: the digest of the runtime that lies beside the page, if there is one.
    """
    style, code = _read("style.css"), _code(script, beside)
    stored = {
        'text/plain" id="log': base64.b64encode(log).decode(),
        'application/json" id="boards': _json(list(story.boards)),
        'application/json" id="story': _json(story.told),
        **{f'text/plain" id="{name}': runtime.packed(part) for name, part in parts.items()},
    }
    data = "\n".join(f'<script type="{kind}">{text}</script>' for kind, text in stored.items())
    near = f'<script src="{runtime_name(beside)}"></script>\n' if beside else ""
    notice = f"<p><small>{escape(str(pages.NOTICE))}</small></p>" if parts or beside else ""
    said = "\n".join(story.said)
    return f"""<!doctype html>
<html lang="{story.told["language"]}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(style, code, bool(parts), bool(beside))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(story.title)}</title>
<style>{style}</style>
<main>
<section>
<h1>{escape(story.title)}</h1>
<noscript><p>{escape(str(pages.NO_SCRIPT))}</p></noscript>
<p id="verdict" role="status"></p>
<p id="runtime" role="status"></p>
<p><small>{escape(str(pages.CAUTION))}</small></p>
<p id="controls" hidden></p>
<p id="head" class="soft"></p>
<div id="board"><pre>{escape(board)}</pre></div>
<p id="unproved" hidden><small>{escape(str(pages.UNPROVED))}</small></p>
<p id="said" aria-live="polite">{escape(said)}</p>
{_chances(story)}</section>
<section>
<h2 id="listed" hidden>{escape(str(pages.STEPS))}</h2>
<ol id="steps" aria-labelledby="listed" hidden></ol>
</section>
<section id="about">
<details><summary>{escape(str(pages.ABOUT))}</summary><ul>{_items(story.about)}</ul></details>
{_talk(story)}{notice}</section>
</main>
{data}
<script type="text/plain" id="facts-of-code"></script>
{near}<script type="module">{code}</script>
</html>
"""


@cache
def _read(name: str) -> str:
    return resources.files("cli.page").joinpath(name).read_text("utf-8")


@cache
def _code(script: str, beside: str) -> str:
    lock = f"const LOCK = {json.dumps(runtime.LOCK)}, PROGRAM = {json.dumps(PROGRAM)};\n"
    worker = json.dumps(lock + _read("worker.js")).replace("</", "<\\/")
    given = f"const RUNTIME = {json.dumps(beside)}, WORKER = {worker};\n"
    return f"{_read('check.js')}{given}{script}{_read('page.js')}"


@cache
def _policy(style: str, code: str, whole: bool, beside: bool) -> str:
    scripts = f"script-src 'sha256-{_hash(code)}'" + " 'self'" * beside
    if whole or beside:
        scripts += " 'wasm-unsafe-eval' blob:; worker-src blob:; connect-src blob:"
    return f"default-src 'none'; {scripts}; style-src 'sha256-{_hash(style)}'; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()


def _json(value: object) -> str:
    """Return JSON that ends no script, whatever stands in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _items(lines: Iterable[str]) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in lines)


def _talk(story: Story) -> str:
    if not story.chat:
        return ""
    lines = _items(f"{name}: {text}" for name, text in story.chat)
    return f"<details><summary>{escape(str(pages.CHAT))} ({len(story.chat)})</summary><ul>{lines}</ul></details>\n"


def _chances(story: Story) -> str:
    if not story.chart:
        return ""
    points = " ".join(f"{100 * along:.2f},{30 - 30 * chance:.2f}" for along, chance in story.chart)
    named = escape(f"{analyses.CHANCE}: {story.told['seats'][0]}")
    return (
        f'<h2>{named}</h2>\n<svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" '
        f'aria-label="{named}"><rect width="100" height="30" class="ground"/>'
        f'<line class="half" y1="15" y2="15" x2="100"/>'
        f'<polyline class="curve" points="{points}"/><line id="cursor" y1="0" y2="30" x1="0" x2="0"/></svg>\n'
        f'<ul class="numbered">{_items(story.costly)}</ul>\n'
    )


def read_log(page: str) -> bytes | None:
    """Return the log that a page holds; None if there is none."""
    found = _LOG.search(page)
    try:
        return None if found is None else base64.b64decode(found[1], validate=True)
    except binascii.Error:
        return None


def read_choices(page: str) -> Mapping[str, str | bool]:
    """Return the version, the language, the view and whether it is analysed: as a page says that it was written."""
    found = _STORY.search(page)
    try:
        told = json.loads(found[1]) if found is not None else {}
    except (ValueError, RecursionError):
        told = {}
    wanted = {"program": str, "language": str, "view": str, "analysed": bool}
    return {key: told[key] for key, kind in wanted.items() if isinstance(told.get(key), kind)}


def runtime_name(digest: str) -> str:
    """Return the name of the file of the runtime that lies beside pages."""
    return f"storm-p2p-runtime-{digest}.js"


def runtime_of(page: str) -> tuple[bool, bool]:
    """Return whether a page has the runtime inside, and whether it names one beside it."""
    return _PART.search(page) is not None, _BESIDE.search(page) is not None


def is_same(page: str, written: str) -> bool:
    """Return whether a page is the one that is written now of the same log, but for the runtime, which is compared."""
    # A second part of one name would be the one that runs, and each stands where it is written.
    parts = _PART.findall(page)
    if [name for name, _ in parts] != [name for name, _ in _PART.findall(written)]:
        return False
    return all(starmap(runtime.is_part, parts)) and _PART.sub(r"<\1>", page) == _PART.sub(r"<\1>", written)

"""What a scenario expects, beside what the program answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

SETS: Final = frozenset({"known", "eliminated", "gone", "to_act"})
"""Lists whose order means nothing."""


def canonical(action: str) -> str:
    """Return the action with units, payers and places in one order where their order means nothing."""
    words = action.split()
    if words[:1] == ["play"]:
        parts: list[list[str]] = [[]]
        for word in words:
            if word in ("pay", "marker", "save"):
                parts.append([])
            parts[-1].append(word)
        words = [*parts[0], *(word for part in sorted(parts[1:]) for word in (part[0], *sorted(part[1:])))]
    if words[:1] == ["swap"]:
        words[1:] = sorted(words[1:])
    if words[:1] == ["move"]:
        numbers = [word for word in words[1:] if word.isdigit()]
        claim = [word for word in words if word == "claim"]
        units = sorted(word for word in words[1:] if not word.isdigit() and word != "claim")
        words = ["move", *numbers, *units, *claim]
    return " ".join(words)


def differences(expected: object, got: object, path: str, *, whole: bool = False) -> Iterator[str]:
    """Yield a line for each named key of ``expected`` that ``got`` does not have so.

    Of a list only the first entries are compared, or with ``whole`` all of them.
    """
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            yield f"{path}: expected an object, got {got!r}"
            return
        for key, value in expected.items():
            if key not in got:
                yield f"{path}.{key}: missing"
            elif key in SETS:
                if sorted(value) != sorted(got[key]):
                    yield f"{path}.{key}: expected {sorted(value)}, got {got[key]}"
            else:
                yield from differences(value, got[key], f"{path}.{key}", whole=whole)
    elif isinstance(expected, list):
        if not isinstance(got, list) or len(got) < len(expected) or (whole and len(got) > len(expected)):
            yield f"{path}: expected {len(expected)} entries, got {got!r}"
            return
        for number, value in enumerate(expected):
            yield from differences(value, got[number], f"{path}[{number}]", whole=whole)
    elif expected != got:
        yield f"{path}: expected {expected!r}, got {got!r}"


def judge(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each difference between an answer and what is expected of it."""
    if answer["ok"] is not expect.get("ok", True):
        yield f"ok: expected {expect.get('ok', True)}, got {answer['ok']} {answer.get('error', '')}"
        return
    if "index" in expect and answer.get("index") != expect["index"]:
        yield f"index: expected {expect['index']}, got {answer.get('index')}"
    for key in ("state", "rounds"):
        if key in expect:
            yield from differences(expect[key], answer.get(key), key)
    for key in ("position", "phase", "to_act", "result"):
        if key in expect:
            yield from differences(expect[key], answer.get(key, "missing"), key, whole=True)
    # Actions have prices in Storm alone.
    listed = {canonical(_words(entry)): entry for entry in answer.get("legal", ())}
    for entry in expect.get("legal_has", ()):
        found = listed.get(canonical(_words(entry)))
        if found is None:
            yield f"legal: {_words(entry)} is missing"
        elif isinstance(entry, str):
            continue
        elif (found["honor"], found["energy"]) != (entry["honor"], entry["energy"]):
            yield f"legal: {entry['action']}: expected {entry}, got {found}"
    for action in expect.get("legal_not", ()):
        if canonical(action) in listed:
            yield f"legal: {action} should not be there"
    if "legal_only" in expect:
        wanted = {canonical(action) for action in expect["legal_only"]}
        if wanted != set(listed):
            yield f"legal: expected exactly {sorted(wanted)}, got {sorted(listed)}"


def _words(entry: str | Mapping[str, Any]) -> str:
    return entry if isinstance(entry, str) else str(entry["action"])

"""What a match as a web page says (SPEC.md, "Web page")."""

from collections.abc import Mapping
from typing import Final

from cli.text.wording import Lazy, Sentence, lazy

WORDS: Final[Mapping[str, Lazy]] = lazy(
    {
        "checking": "Checking …",
        "first": "first step",
        "back": "one step back",
        "next": "one step forward",
        "last": "last step",
        "view": "whose knowledge is shown",
        "used": "time used: {left} and {right}",
        "running": "the match was still going on",
        "unfinished": "the match has no result",
        "both": "both players signed",
        "one": "only {name} signed",
        "holds_signed": "{signatures} signatures and {boards} boards hold; {signed}: {result}",
        "holds": "{signatures} signatures and {boards} boards hold; {result}",
        "told": "The signatures and boards hold, but the maker of this page found: {problems}",
        "verified": "Verified by the code in this page: {result}, {confirmed}, {audited}",
        "confirmed": "confirmed",
        "unconfirmed": "unconfirmed",
        "audited": "audited",
        "unaudited": "not audited",
        "convicted": "The code in this page found cheating: {problems}",
        "damaged": "This log does not hold: {problems}",
        "other_units": "The log holds, but what this page shows as hidden differs from it.",
        "failed": "The whole check could not run: {why}",
        "no_runtime": "The whole check needs the runtime file beside this page, which is not there.",
        "other_runtime": "The runtime file beside this page is not the one that belongs to it, so it was not used.",
        "fault_form": "This log does not hold: it is damaged and cannot be read.",
        "fault_handshake": "This log does not hold: the beginning of the match is damaged or was made up.",
        "fault_order": "This log does not hold: message {number} or one next to it was moved, added or left out.",
        "fault_signature": "This log does not hold: message {number} or a later one is not signed by its author.",
        "fault_board": "This page does not hold: the board after message {number} is not the one that was signed.",
        "fault_result": "This log does not hold: the results that the players signed do not fit the match.",
        "fault_seed": "This log does not hold: a player opened a different secret from the one they had committed to.",
        "fault_trailer": "This log does not hold: the file is not the one that its player exported.",
        "fault_plain": "A browser cannot check a page that comes over http. Save the page and open the file, or use https.",
        "fault_old": "This browser is too old for the quick check (Chrome 137, Firefox 129 or Safari 17 can do it).",
    }
)
"""What the script of a page says, by the names that it uses."""

NO_SCRIPT: Final = lazy(
    "This page checks itself in a browser that runs its script. Here it shows the last position only."
)
CAUTION: Final = lazy(
    "The maker of this page could have made its code lie. storm-p2p verify PAGE.html checks the log and the page."
    " The sentences beside the steps are the maker's; the boards and the result are checked."
)
UNPROVED: Final = lazy(
    "What is hollow or has a question mark is only what the maker of this page says; it is not checked yet."
)
PUBLIC: Final = lazy("what everybody knew")
ALL: Final = lazy("everything")
STEPS: Final = lazy("Steps")
ABOUT: Final = lazy("About this match")
CHAT: Final = lazy("Chat")
KEY: Final = Sentence[str, str]("Key of {name}: {key}")
TERMS: Final = Sentence[str]("Terms: {terms}")
RULES: Final = Sentence[str]("Rules: {rules}")
EVENT: Final = Sentence[str, int, int, int]("Event {event}, round {round}, table {table}, game {game}")
NOTICE: Final = lazy("Pyodide (MPL-2.0) with Python (PSF-2.0) runs the whole check; both are unchanged.")

written = Sentence[str, int]("Wrote {file} ({kilobytes} kB).")
exists = Sentence[str]("{file} already exists; nothing was written. Name another file with --out.")
not_analysed = Sentence[int](
    "A page has no analysis of a match with more than {most} messages. Use storm-p2p analyse instead."
)
no_runtime = Sentence[str, str](
    "This page has only the quick check. For the whole check, fetch the npm package pyodide {version} (with npm pack"
    " pyodide@{version} or any browser) and give it to the program once: storm-p2p page --runtime {file}"
)
wrong_runtime = Sentence[str, str]("{file} is not the npm package pyodide {version}. Fetch that version and try again.")
kept_runtime = Sentence[str]("Kept {file}. Pages that you write from now on check everything.")

"""What runs the second implementation in a browser: Pyodide, cut to what judging needs, and the implementation itself.

Each part is compared by what it unpacks to, because two builds of zlib pack the same bytes differently.
"""

import base64
import binascii
import gzip
import hashlib
import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Final

VERSION: Final = "314.0.7"
_DIGEST: Final = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the npm package, as npm's ``dist.integrity`` names it."""
FILE: Final = f"pyodide-{VERSION}.tgz"
PARTS: Final = ("asm", "wasm", "mjs", "std", "app")
_FILES: Final = {"asm": "pyodide.asm.mjs", "wasm": "pyodide.asm.wasm", "mjs": "pyodide.mjs"}
_LARGEST: Final = 32 << 20
"""No part unpacks to more bytes."""
_FIXED: Final[Mapping[str, str]] = {
    "asm": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "std": "59d49d6708a176b9a62fe7a9a05fdfa961769bfd4d511f8059d7f1d7adcbc9de",
}
"""SHA-256 of each part that comes from the package."""
LOCK: Final = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
"""The part ``info`` of the package's own lock file."""
_ENCODINGS: Final = frozenset(f"encodings/{name}.py" for name in ("__init__", "aliases", "cp437", "utf_8"))
_OWN: Final = ("protocol/__init__.py", "protocol/errors.py", "protocol/game.py", "protocol/text.py")


class RuntimeProblem(ValueError):
    """A file that is not the package, or a part that is not what it must be."""


def read_package(data: bytes) -> dict[str, bytes]:
    """Return the parts that come from the npm package.

    Raises:
        RuntimeProblem: it is another file.
    """
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != _DIGEST:
        raise RuntimeProblem
    with tarfile.open(fileobj=io.BytesIO(data)) as package:

        def read(name: str) -> bytes:
            file = package.extractfile(f"package/{name}")
            assert file is not None
            return file.read()

        with zipfile.ZipFile(io.BytesIO(read("python_stdlib.zip"))) as library:
            names = [name for name in library.namelist() if _is_needed(name)]
            library_part = _zipped((name, library.read(name)) for name in names)
        return {**{part: read(name) for part, name in _FILES.items()}, "std": library_part}


@cache
def _modules() -> frozenset[str]:
    """Return the names at the top of the library that starting Pyodide and judging logs load; a test compares."""
    return frozenset(resources.files("cli.page").joinpath("modules.txt").read_text("ascii").split())


def _is_needed(name: str) -> bool:
    top = name.partition("/")[0].removesuffix(".py")
    return not name.endswith("/") and (top in _modules() or name in _ENCODINGS)


@cache
def own_part() -> bytes:
    """Return the second implementation and the rules of the games, without their computer players."""
    return _zipped(sorted(_own_files()))


def _own_files() -> Iterable[tuple[str, bytes]]:
    for package in ("protocol", "storm_p2p"):
        stack = [(resources.files(package), package)]
        while stack:
            folder, path = stack.pop()
            for entry in folder.iterdir():
                name = f"{path}/{entry.name}"
                if entry.is_dir() and entry.name not in ("__pycache__", "bots"):
                    stack.append((entry, name))
                elif name.endswith((".py", ".json")) and (
                    package == "storm_p2p" or name in _OWN or name.startswith("protocol/independent/")
                ):
                    # A checkout of Windows may end lines in another way.
                    yield name, entry.read_bytes().replace(b"\r\n", b"\n")


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a ZIP file that is the same wherever it is made; it is packed as a whole later."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # Windows would write its own number.
            archive.writestr(member, data)
    return written.getvalue()


def packed(part: bytes) -> str:
    """Return a part as it stands in a page."""
    return base64.b64encode(gzip.compress(part, 9, mtime=0)).decode()


def is_part(name: str, text: str) -> bool:
    """Return whether a page has a part unchanged, however it was packed."""
    unpacking = zlib.decompressobj(31)
    try:
        data = unpacking.decompress(base64.b64decode(text, validate=True), _LARGEST)
    except (binascii.Error, zlib.error, ValueError):
        return False
    if not unpacking.eof or unpacking.unused_data:
        return False  # A browser would unpack nothing of it.
    return data == own_part() if name == "app" else hashlib.sha256(data).hexdigest() == _FIXED[name]


def digest() -> str:
    """Return by what a page knows the runtime that lies beside it: the SHA-256 of those of all parts."""
    digests = {**_FIXED, "app": hashlib.sha256(own_part()).hexdigest()}
    return hashlib.sha256("".join(digests[name] for name in PARTS).encode()).hexdigest()


def script_of(parts: Mapping[str, bytes]) -> str:
    """Return the runtime as a script of its own, for many pages in one folder."""
    return _script({name: packed(parts[name]) for name in PARTS})


def _script(texts: Mapping[str, str]) -> str:
    return f"globalThis.stormRuntime={json.dumps(texts)};\n"


def is_script(text: str) -> bool:
    """Return whether a file beside a page is the runtime and nothing else: a browser runs whatever stands in it."""
    try:
        texts = dict(json.loads(text.partition("=")[2].removesuffix(";\n")))
        return text == _script(texts) and tuple(texts) == PARTS and all(map(is_part, texts, texts.values()))
    except (ValueError, TypeError, RecursionError):
        return False

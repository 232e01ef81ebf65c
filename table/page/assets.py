"""The page's own files: scripts, styles, fonts. Each is loaded once, and then never asked for again.

Their addresses contain the version, which is a hash of all files together. So a browser may keep a file for
ever, and the modules of one page are always of one version: they import each other by relative addresses. The
files are read once, when the table starts. An upgrade that replaces them on disk takes effect with the next
start, and then the addresses of the old version are gone.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, request
from flask.typing import ResponseReturnValue

from table.page.compression import COMPRESSED_TYPES, compressed

FOLDER = Path(__file__).parent / "static"

FOREVER = "public, max-age=31536000, immutable"
"""Cache-Control of a file whose address changes with its content. A year is the most that is asked for."""

VERSION_LETTERS = 12
"""Letters of the version: 48 bits of the hash, so two versions of one table are never called the same."""

IMPORT = re.compile(r'^(?:import\b.*|\}) from "\./([^"]+)";$', re.MULTILINE)
"""A static import of a module beside this one, as oxfmt writes it."""

blueprint = Blueprint("assets", __name__)


@dataclass(frozen=True)
class Asset:
    """One file. small: compressed; None if that is not worth it."""

    content: bytes
    small: bytes | None
    mimetype: str


class Assets:
    """All files of a folder and its subfolders, in memory."""

    def __init__(self, folder: Path) -> None:
        contents = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.endswith(".d.ts")
        }
        self._assets = {name: _asset(name, content) for name, content in contents.items()}
        digests = (name.encode() + hashlib.sha256(content).digest() for name, content in contents.items())
        self.version = hashlib.sha256(b"".join(digests)).hexdigest()[:VERSION_LETTERS]

    def get(self, name: str) -> Asset | None:
        """The file with this path in the folder; None if there is none."""
        return self._assets.get(name)

    def url(self, name: str) -> str:
        """The address of a file. Raises KeyError if there is no such file."""
        if name not in self._assets:
            raise KeyError(f"expected the path of a file of the page, got {name!r}")
        return f"/static/{self.version}/{name}"

    def modules(self, entry: str) -> list[str]:
        """The names of a module and of all that it imports when it starts, each once."""
        found, waiting = [entry], [entry]
        while waiting:
            for name in IMPORT.findall(self._assets[waiting.pop()].content.decode()):
                if name not in found:
                    found.append(name)
                    waiting.append(name)
        return found


@cache
def assets_in(folder: Path) -> Assets:
    """The files of a folder as they were at the first call."""
    return Assets(folder)


@blueprint.get("/static/<version>/<path:name>")
def asset(version: str, name: str) -> ResponseReturnValue:
    assets: Assets = current_app.extensions["assets"]
    found = assets.get(name)
    if found is None or version != assets.version:
        abort(404)
    response = Response(found.content, mimetype=found.mimetype, headers={"Cache-Control": FOREVER})
    response.set_etag(version)
    if found.small is not None:
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"]:
            response.set_data(found.small)
            response.headers["Content-Encoding"] = "gzip"
            response.set_etag(version, weak=True)  # it names the content, whatever its encoding
    response.make_conditional(request)
    return response


def _asset(name: str, content: bytes) -> Asset:
    mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Asset(content, compressed(content, best=True) if mimetype in COMPRESSED_TYPES else None, mimetype)

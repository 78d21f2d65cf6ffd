"""The kinds of figures and their fields, as the build has written them into kinds.json."""

from __future__ import annotations

import json
import pathlib

_DATA = json.loads((pathlib.Path(__file__).parent / "kinds.json").read_text(encoding="utf-8"))

VERSION: str = _DATA["version"]

KINDS: dict[str, dict[str, str]] = _DATA["kinds"]
"""The fields of each kind in camel case, and the type of each: array, encoding or value."""


def camel(name: str) -> str:
    """Returns 'keyTokens' for 'key_tokens'."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def snake(name: str) -> str:
    """Returns 'key_tokens' for 'keyTokens'."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)

"""The widget: one self-contained script, and the traits that it reads and writes."""

from __future__ import annotations

import pathlib

import anywidget
import traitlets


class Figure(anywidget.AnyWidget):
    """A figure. `cursor` has the cell under the pointer, such as {'query': 3, 'key': 0}, and {} without one.

    `spec` has the kind and its fields in camel case; `arrays` has those that are arrays, as shape and
    little-endian float32 bytes. Both may be set again, and the picture follows.
    """

    _esm = pathlib.Path(__file__).parent / "anywidget.js"
    spec = traitlets.Dict().tag(sync=True)
    arrays = traitlets.Dict().tag(sync=True)
    cursor = traitlets.Dict().tag(sync=True)

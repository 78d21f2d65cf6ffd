"""Attention of your own arrays in a notebook, drawn by phasor-anywidget. Needs anywidget and NumPy."""

import pathlib

import anywidget
import numpy as np
import traitlets


def _array(values):
    """Shape and bytes of anything that NumPy takes, such as a tensor of PyTorch on the CPU."""
    array = np.ascontiguousarray(values, dtype="<f4")
    return {"shape": list(array.shape), "data": array.tobytes()}


class Figure(anywidget.AnyWidget):
    """A figure: `spec` has its kind and fields, `arrays` those that are arrays, `cursor` what the reader points at."""

    _esm = pathlib.Path(__file__).parent / "phasor-anywidget" / "anywidget.js"
    spec = traitlets.Dict().tag(sync=True)
    arrays = traitlets.Dict().tag(sync=True)
    cursor = traitlets.Dict().tag(sync=True)


def attention(q=None, k=None, weights=None, **fields):
    """Attention of q [heads, queries, head_dim] and k [heads, keys, head_dim], or weights [heads, queries, keys].

    Fields: tokens (words of the queries, and of as many keys), keyTokens, head (from 0), and for q and k mask, window, encoding.
    """
    given = {"q": q, "k": k, "weights": weights}
    arrays = {name: _array(values) for name, values in given.items() if values is not None}
    return Figure(spec={"kind": "custom", **fields}, arrays=arrays)

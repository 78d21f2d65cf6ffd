"""Attention of a program's own arrays."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from ._arrays import layers_and_heads, shape_text, trait
from ._figure import traits_of, whole
from ._widget import Figure

MOST_CELLS = 512
"""The default of the field `size`."""


def _words(name: str, words: Any, count: int, axis: str) -> list[str] | None:
    if words is None:
        return None
    listed = words.split() if isinstance(words, str) else list(words)
    if not all(isinstance(word, str) for word in listed):
        raise ValueError(f"{name}: not all are text; expected one word for each token, as tokenizer.convert_ids_to_tokens returns")
    if len(listed) != count:
        raise ValueError(f"{name}: {len(listed)} words; expected {count}, the number of {axis}")
    return listed


def _sources(q: Any, k: Any, weights: Any, batch: int | None) -> tuple[dict[str, Any], int]:
    """Returns the arrays by name, and their number of layers."""
    if weights is not None:
        if q is not None or k is not None:
            raise ValueError("weights: cannot be combined with q and k; expected one or the other")
        array, layers = layers_and_heads("weights", weights, "heads, queries, keys", batch)
        return {"weights": array}, layers
    if q is None and k is None:
        raise ValueError("q: missing; expected the arrays q and k, or weights")
    if q is None or k is None:
        missing, there = ("q", "k") if q is None else ("k", "q")
        raise ValueError(f"{missing}: missing; expected with {there}")
    (queries, layers), (keys, others) = (
        layers_and_heads(name, values, f"heads, {axis}, head_dim", batch) for name, values, axis in (("q", q, "queries"), ("k", k, "keys"))
    )
    if layers != others:
        raise ValueError(f"k: {others} layers; expected {layers}, as q has")
    if queries.shape[2] != keys.shape[2]:
        raise ValueError(f"k: shape {shape_text(keys.shape)}; expected the head_dim of q, {queries.shape[2]}")
    if queries.shape[0] % keys.shape[0] != 0:
        raise ValueError(
            f"k: has {keys.shape[0] // layers} heads, which do not divide the {queries.shape[0] // layers} heads of q"
        )
    return {"q": queries, "k": keys}, layers


def attention(
    q: ArrayLike | Sequence[ArrayLike] | None = None,
    k: ArrayLike | Sequence[ArrayLike] | None = None,
    *,
    weights: ArrayLike | Sequence[ArrayLike] | None = None,
    tokens: str | Sequence[str] | None = None,
    key_tokens: str | Sequence[str] | None = None,
    batch: int | None = None,
    layer: int = 0,
    head: int = 0,
    encoding: str | dict[str, Any] | None = None,
    mask: str | None = None,
    window: int | None = None,
    **fields: Any,
) -> Figure:
    """Shows attention weights, of one head at a time; buttons show the other heads and layers.

    `q` [heads, queries, head_dim] and `k` [kv_heads, keys, head_dim]: the weights are computed from them, with
    `encoding` (of the queries and keys, or of the scores), `mask` ("none" or "causal") and `window`.
    `weights` [heads, queries, keys]: the weights themselves, also of cross-attention, where queries and keys differ.

    Each may be of NumPy, or of PyTorch on any device, and have a batch in front, of which `batch` chooses a text.
    A tuple of them has one for each layer: `attention(weights=model(**inputs, output_attentions=True).attentions)`.

    `tokens`: words of the queries, and of the keys if they are as many; `key_tokens`: words of the keys.
    `layer` and `head`: those that are shown first, from 0. `fields`: further fields of the kind "custom".
    Raises a ValueError of one sentence that names the argument. Above 64 MiB arrays are rejected; of weights of more
    than 512 tokens the first are shown, with a warning.
    """
    if "layers" in fields:
        raise ValueError("layers: has no effect beside the arrays; expected a tuple with an array for each layer")
    if batch is not None:
        batch = whole("batch", batch, 2**31 - 1)
    arrays, layers = _sources(q, k, weights, batch)
    first, last = next(iter(arrays.values())), list(arrays.values())[-1]
    queries, keys = first.shape[1], last.shape[2 if "weights" in arrays else 1]
    own = {"encoding": encoding, "mask": mask, "window": window}
    for name, value in own.items():
        if "weights" in arrays and value is not None:
            raise ValueError(f"{name}: has no effect on weights; applies only to q and k")
    words = {
        "tokens": _words("tokens", tokens, queries, "queries"),
        "key_tokens": _words("key_tokens", key_tokens, keys, "keys"),
    }
    place = {
        "layers": layers,
        "layer": whole("layer", layer, layers - 1),
        "head": whole("head", head, first.shape[0] // layers - 1),
    }
    size, shown = fields.get("size") or MOST_CELLS, fields.get("span") or max(queries, keys)
    if "weights" in arrays and shown > size:
        fields = {**fields, "span": size}
        warnings.warn(
            f"weights: {queries} x {keys} are more than the {size} x {size} cells of a picture;"
            " a part of them is shown, which the fields query, key and span choose",
            stacklevel=2,
        )
    spec, parameters = traits_of("custom", {**own, **words, **place, **fields})
    return Figure(spec=spec, arrays={**parameters, **{name: trait(array) for name, array in arrays.items()}})

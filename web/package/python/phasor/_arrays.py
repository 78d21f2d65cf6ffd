"""Arrays of NumPy, PyTorch and others as float32, and those of several layers and texts as one axis of heads."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

MOST_BYTES = 64 * 2**20
"""The most float32 bytes of a figure: a notebook sends them in one message, and the page holds them twice."""

_EAGER = "transformers returns weights of models that were loaded with attn_implementation='eager'"


def shape_text(shape: tuple[int, ...]) -> str:
    """Returns '2 x 3'."""
    return " x ".join(map(str, shape)) or "that of one number"


def check_size(name: str, shape: tuple[int, ...]) -> None:
    """Rejects an array that is empty, or larger than a figure may be."""
    if 0 in shape:
        raise ValueError(f"{name}: shape {shape_text(shape)} has no numbers; expected at least one along each axis")
    size = 4 * math.prod(shape)
    if size > MOST_BYTES:
        raise ValueError(
            f"{name}: {shape_text(shape)} numbers are {size / 2**20:.0f} MiB; expected at most {MOST_BYTES >> 20} MiB:"
            " pass fewer tokens, heads or layers, such as weights=attentions[:4]"
        )


def _numpy(values: Any) -> np.ndarray:
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(values, torch.Tensor):
        return np.asarray(values)
    if values.is_complex():
        return values.detach().cpu().resolve_conj().numpy()
    dense = values.detach().to_dense() if values.layout != torch.strided else values.detach()
    return dense.to("cpu", torch.float32).numpy()


def float32(name: str, values: Any) -> np.ndarray:
    """Returns the numbers as a contiguous float32 array of the same shape.

    `values`: an array of NumPy, a tensor of PyTorch (of any device and dtype, with or without gradient),
    nested lists, or anything else that NumPy converts. Rejects what is not finite, masked or not real.
    """
    if isinstance(getattr(values, "shape", None), tuple):
        check_size(name, tuple(values.shape))
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise ValueError(f"{name}: an array with masked entries; expected a number in each: fill them, as with filled(0)")
    try:
        array = _numpy(values)
    except Exception as error:
        kind = type(values).__name__
        raise ValueError(f"{name}: a {kind} cannot be read as numbers ({error}); expected a NumPy array or a tensor of PyTorch") from error
    # bfloat16 and the like of ml_dtypes are of kind V.
    if array.dtype.kind not in "fiub" and not (array.dtype.kind == "V" and "float" in array.dtype.name):
        raise ValueError(f"{name}: dtype {array.dtype}; expected real numbers")
    check_size(name, array.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = np.ascontiguousarray(array, dtype="<f4")
    if not np.isfinite(numbers).all():
        place = np.argwhere(~np.isfinite(numbers))[0].tolist()
        raise ValueError(f"{name}: {array[tuple(place)]} at {place}; expected finite numbers of float32")
    return numbers


def trait(array: np.ndarray) -> dict[str, Any]:
    """Returns the array as the widget reads it: {'shape', 'data'}."""
    return {"shape": list(array.shape), "data": array.tobytes()}


def _has_axes(value: Any) -> bool:
    return getattr(value, "shape", ()) != ()


def _is_list_of_arrays(value: Any) -> bool:
    """Whether a tuple or list has an array or None for each layer, rather than numbers."""
    return isinstance(value, (tuple, list)) and any(one is None or _has_axes(one) or _is_list_of_arrays(one) for one in value)


def _layer(name: str, values: Any, axes: str, batch: int | None) -> np.ndarray:
    """Returns [heads, rows, columns] of one layer."""
    expected = f"expected [{axes}] or [batch, {axes}]"
    if values is None:
        raise ValueError(f"{name}: None; {expected}: {_EAGER}")
    if _is_list_of_arrays(values):
        raise ValueError(f"{name}: a {type(values).__name__} of arrays; {expected}: of the results of generate(), pass one step")
    array = values if _has_axes(values) else float32(name, values)
    shape = tuple(array.shape)
    if len(shape) == 4:
        texts = shape[0]
        if batch is None and texts != 1:
            raise ValueError(
                f"{name}: shape {shape_text(shape)} has {texts} texts; expected one: choose it by batch=0 to batch={texts - 1}"
            )
        if batch is not None and not 0 <= batch < texts:
            raise ValueError(f"batch: {batch} is outside 0 to {texts - 1}")
        return float32(name, array[batch or 0])
    if batch is not None:
        raise ValueError(f"batch: {batch} has no effect on {name}, shape {shape_text(shape)}; expected [batch, {axes}]")
    if len(shape) == 3:
        return float32(name, array)
    raise ValueError(f"{name}: shape {shape_text(shape)}; {expected}")


def layers_and_heads(name: str, values: Any, axes: str, batch: int | None) -> tuple[np.ndarray, int]:
    """Returns [layers * heads, rows, columns], layer by layer, and the number of layers.

    `values`: one layer, [heads, rows, columns] or [batch, heads, rows, columns]; a matrix, which is one head;
    or several layers of equal shape, as a tuple, a list or an array with an axis in front of the batch.
    """
    is_list = _is_list_of_arrays(values)
    array = values if is_list or _has_axes(values) else float32(name, values)
    rank = 0 if is_list else len(array.shape)
    if not is_list and rank != 5:
        return _layer(name, array[None] if rank == 2 else array, axes, batch), 1
    layers: list[np.ndarray] = []
    for index, values_of_layer in enumerate(array):
        one = _layer(f"{name}[{index}]", values_of_layer, axes, batch)
        layers.append(one)
        check_size(name, (len(array), *one.shape))
        if one.shape != layers[0].shape:
            raise ValueError(
                f"{name}[{index}]: shape {shape_text(one.shape)} differs from {shape_text(layers[0].shape)} of {name}[0];"
                " expected layers of equal shape: pass the others in another figure"
            )
    return np.concatenate(layers), len(layers)

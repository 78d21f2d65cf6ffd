"""A figure of any kind from its fields."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._arrays import float32, trait
from ._kinds import KINDS, camel, snake
from ._widget import Figure


def _plain(name: str, value: Any) -> Any:
    """Returns text, a number, a boolean or a list of them, as JSON has them."""
    if isinstance(value, (str, bool, int, float)):
        if isinstance(value, float) and not np.isfinite(value):
            raise ValueError(f"{name}: {value}; expected a finite number")
        return value
    if hasattr(value, "tolist"):  # of NumPy or PyTorch
        return _plain(name, value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(f"{name}[{index}]", one) for index, one in enumerate(value)]
    raise ValueError(f"{name}: a {type(value).__name__}; expected text, a number, True or False, or a list of them")


def _is_array(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or getattr(value, "shape", ()) != ()


def _encoding(name: str, value: Any) -> tuple[Any, dict[str, Any]]:
    """Returns an encoding without its arrays, and these by parameter."""
    if isinstance(value, str):
        return value, {}
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise ValueError(f"{name}: {value!r:.80}; expected text such as 'rope base=500000', or a dict such as {{'id': 'rope'}}")
    arrays = {key: trait(float32(f"{name}.{key}", one)) for key, one in value.items() if _is_array(one)}
    return {key: _plain(f"{name}.{key}", one) for key, one in value.items() if key not in arrays}, arrays


def traits_of(kind: str, fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the traits `spec` and `arrays` of a widget. Fields that are None have their default."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"kind: {kind!r:.80} is unknown; expected {', '.join(KINDS)}")
    types = KINDS[kind]
    spec: dict[str, Any] = {"kind": kind}
    arrays: dict[str, Any] = {}
    for name, value in fields.items():
        field = camel(name)
        if field not in types:
            raise ValueError(f"{name}: is not a field of {kind}; expected {', '.join(map(snake, types))}")
        if field in spec or field in arrays:
            raise ValueError(f"{name}: is provided twice, as {name} and as {field}; expected one of them")
        if value is None:
            continue
        if types[field] == "array":
            arrays[field] = trait(float32(name, value))
        elif types[field] == "encoding":
            spec[field], own = _encoding(name, value)
            arrays.update({f"{field}.{parameter}": one for parameter, one in own.items()})
        else:
            spec[field] = _plain(name, value)
    return spec, arrays


def whole(name: str, value: Any, most: int) -> int:
    """Returns a whole number from 0 to `most`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, (bool, np.bool_)) or not 0 <= number <= most:
        raise ValueError(f"{name}: {value!r:.80}; expected a whole number from 0 to {most}")
    return number


def figure(kind: str, **fields: Any) -> Figure:
    """Shows a figure of a kind, such as `figure("rotation", encoding="rope base=500000")`.

    `kind`: one of the kinds of the gallery. `fields`: its fields in snake case or camel case; an encoding is
    text, or a dict of its id and parameters, whose arrays may be of NumPy or PyTorch: `encoding={"id": "t5",
    "num_buckets": 4, "table": table}`. Raises a ValueError that names an unknown kind or field and lists the
    known ones; values are checked by the figure, which shows one sentence.
    """
    spec, arrays = traits_of(kind, fields)
    return Figure(spec=spec, arrays=arrays)

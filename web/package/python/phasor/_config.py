"""The layers of a model, from its config."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

from ._figure import traits_of
from ._widget import Figure


def _read(path: pathlib.Path) -> Any:
    file = path / "config.json" if path.is_dir() else path
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(
            f"config: no file {file} ({error.strerror}); expected the path of a config.json, a dict or model.config"
        ) from error
    except ValueError as error:
        raise ValueError(f"config: {file} is not JSON ({error}); expected a config.json") from error


def config(config: Any, **fields: Any) -> Figure:
    """Shows where position enters each layer of a model: one sentence, and a strip for each layer.

    `config`: a dict, an object with `to_dict()`, such as `model.config` of transformers, or the path of a
    config.json or of its folder. `fields`: further fields of the kind "layers", such as `context=8192` (tokens).
    Raises a ValueError of one sentence for anything else; keys and values are checked by the figure.
    """
    if isinstance(config, (str, os.PathLike)):
        entries = _read(pathlib.Path(config))
    elif hasattr(config, "to_dict") and not isinstance(config, type):
        entries = config.to_dict()
    else:
        entries = config
    if not isinstance(entries, dict) or not entries:
        raise ValueError(f"config: {entries!r:.80}; expected a dict with entries, model.config, or the path of a config.json")
    try:
        # Types of PyTorch, such as torch.bfloat16, are written by their names.
        text = json.dumps(entries, default=str, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"config: cannot be written as JSON ({error}); expected text, numbers, lists and dicts") from error
    spec, _ = traits_of("layers", {"config": text, **fields})
    return Figure(spec=spec)

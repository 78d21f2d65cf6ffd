"""Sinusoidal position encoding (Vaswani et al. 2017, "Attention Is All You Need", section 3.5, arXiv 1706.03762)."""

import math
from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding


def timescale_frequencies(count, min_timescale, max_timescale):
    """The frequencies of tensor2tensor, which multiplies by `min_timescale` although its name is a timescale."""
    return min_timescale * (max_timescale / min_timescale) ** (-np.arange(count) / max(count - 1, 1))


@dataclass
class Sinusoidal(Encoding):
    base: float = 10000
    layout: str = 'interleaved'  # or 'concatenated'
    frequencies: str = 'paper'  # or 'tensor2tensor', 'fairseq'
    odd_width: str = 'formula'  # or 'rounded_up', 'zero_padded'
    min_timescale: float = 1
    max_timescale: float = 10000
    padding_idx: int = -1
    scaled: bool = False
    scale: Optional[np.ndarray] = None

    def position_table(self, positions, dim):
        # An odd dim has a last sine without its cosine, or a last channel of 0.
        cut = self.frequencies == 'paper' and self.odd_width != 'zero_padded'
        count = math.ceil(dim / 2) if cut else dim // 2
        if self.frequencies == 'paper':
            denominator = 2 * count if self.odd_width == 'rounded_up' else dim
            frequencies = self.base ** (-2.0 * np.arange(count) / denominator)
        elif self.frequencies == 'fairseq':
            frequencies = self.base ** (-np.arange(count) / (count - 1))
        else:
            frequencies = timescale_frequencies(count, self.min_timescale, self.max_timescale)
        angles = np.asarray(positions, float)[:, None] * frequencies
        if self.layout == 'interleaved':
            table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
        else:
            table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
        if self.padding_idx >= 0:
            table = table * (np.asarray(positions) != self.padding_idx)[:, None]
        if self.scaled:
            table = table * (dim**-0.5 if self.scale is None else self.scale)
        return table[:, :dim] if cut else np.pad(table, ((0, 0), (0, dim - table.shape[1])))

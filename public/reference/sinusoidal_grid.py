"""Sinusoids per coordinate, for patches of images: MAE (He et al. 2021, arXiv 2111.06377), tatp22, tensor2tensor."""

import math
from dataclasses import dataclass

import numpy as np

from encoding import Encoding
from sinusoidal import timescale_frequencies


@dataclass
class SinusoidalGrid(Encoding):
    convention: str = 'mae'  # or 'interleaved' (tatp22), 'tensor2tensor' (add_timing_signal_nd)
    base: float = 10000
    min_timescale: float = 1
    max_timescale: float = 10000

    def position_table(self, positions, dim):
        coordinates = np.asarray(positions, float).reshape(len(positions), -1)
        axes = coordinates.shape[1]
        count = math.ceil(dim / (2 * axes)) if self.convention == 'interleaved' else dim // (2 * axes)
        if self.convention == 'tensor2tensor':
            frequencies = timescale_frequencies(count, self.min_timescale, self.max_timescale)
        else:
            frequencies = self.base ** (-np.arange(count) / count)
        blocks = []
        for axis in reversed(range(axes)) if self.convention == 'mae' else range(axes):  # MAE: the column first
            angles = coordinates[:, axis, None] * frequencies
            pair = [np.sin(angles), np.cos(angles)]
            if self.convention == 'interleaved':
                pair = [np.stack(pair, axis=-1).reshape(len(angles), -1)]
            blocks += pair
        table = np.concatenate(blocks, axis=1)
        if self.convention == 'tensor2tensor':
            return np.pad(table, ((0, 0), (0, dim - table.shape[1])))
        return table[:, :dim]

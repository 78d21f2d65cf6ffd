"""Axial RoPE of patches, in the conventions of five codebases."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding
from rope import inverse_frequencies, rotate_pairs


def row_and_column(positions, columns):
    """Of each patch; where a position is one number, patches are counted row by row."""
    positions = np.asarray(positions, float)
    if positions.ndim == 2:
        return positions[:, 0], positions[:, 1]
    return positions // columns, positions % columns


def from_minus_one_to_one(index, count):
    return index - 1 if count == 1 else -1 + 2 * index / (count - 1)


@dataclass
class Rope2d(Encoding):
    convention: str = 'rope_vit'  # Heo et al. 2024; or 'llama4', 'pixtral', 'qwen2_vl', 'pixel' (lucidrains)
    base: float = 1  # 1: the one of the convention
    columns: int = 8
    rows: int = 8
    max_freq: float = 10
    rotary_dim: int = 0

    def rotary_angles(self, positions, dim):
        dim = self.rotary_dim or dim
        base = self.base if self.base > 1 else (100 if self.convention == 'rope_vit' else 10000)
        row, column = (axis[:, None] for axis in row_and_column(positions, self.columns))
        if self.convention == 'pixtral':  # every other frequency by row, the others by column
            frequencies = inverse_frequencies(base, dim)
            return np.concatenate([row * frequencies[0::2], column * frequencies[1::2]], axis=1)
        if self.convention == 'pixel':
            row, column = from_minus_one_to_one(row, self.rows), from_minus_one_to_one(column, self.columns)
            steps = np.arange(dim // 4) / max(dim // 4 - 1, 1)
            frequencies = np.pi * (1 + (self.max_freq / 2 - 1) * steps)
        else:
            frequencies = inverse_frequencies(base, dim // 2)
        if self.convention == 'llama4':
            row, column = row + 1, column + 1
        first, second = (column, row) if self.convention in ('rope_vit', 'llama4') else (row, column)
        return np.concatenate([first * frequencies, second * frequencies], axis=1)

    def apply_rotary(self, x, positions, role='query'):
        layout = 'half_split' if self.convention in ('pixtral', 'qwen2_vl') else 'interleaved'
        return rotate_pairs(x, self.rotary_angles(positions, x.shape[-1]), layout)

"""Axial RoPE of patches, in the conventions of six codebases."""

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
    convention: str = 'rope_vit'  # Heo et al. 2024; or 'llama4', 'pixtral', 'qwen2_vl', 'pixel' (lucidrains), 'dinov3'
    base: float = 1  # 1: the one of the convention
    columns: int = 8
    rows: int = 8
    max_freq: float = 10
    rotary_dim: int = 0
    prefix_tokens: int = 0  # first tokens that are not rotated, where a position is one number

    def rotary_angles(self, positions, dim):
        dim = self.rotary_dim or dim
        base = self.base if self.base > 1 else (100 if self.convention in ('rope_vit', 'dinov3') else 10000)
        positions = np.asarray(positions, float)
        counted = positions.ndim == 1
        patches = positions - self.prefix_tokens if counted else positions
        row, column = (axis[:, None] for axis in row_and_column(patches, self.columns))
        angles = self.patch_angles(row, column, base, dim)
        if counted and self.prefix_tokens > 0:
            angles[positions < self.prefix_tokens] = 0
        return angles

    def patch_angles(self, row, column, base, dim):
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
        if self.convention == 'dinov3':  # centres of patches, -1 .. 1 from edge to edge
            row, column = (2 * row + 1) / self.rows - 1, (2 * column + 1) / self.columns - 1
            frequencies = 2 * np.pi * frequencies
        first, second = (column, row) if self.convention in ('rope_vit', 'llama4') else (row, column)
        return np.concatenate([first * frequencies, second * frequencies], axis=1)

    def apply_rotary(self, x, positions, role='query'):
        layout = 'half_split' if self.convention in ('pixtral', 'qwen2_vl', 'dinov3') else 'interleaved'
        return rotate_pairs(x, self.rotary_angles(positions, x.shape[-1]), layout)

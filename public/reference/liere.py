"""LieRE (Ostmeier et al. 2024, arXiv 2406.10322): blocks of channels are rotated by the exponential of a skew matrix."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding
from rope_2d import row_and_column


def matrix_exponential(a):
    """e^a of matrices (..., n, n): a series for e^(a / 2^24) - 1, which is squared 24 times."""
    small = a / 2**24
    less_one = small + small @ small / 2 + small @ small @ small / 6
    for _ in range(24):
        less_one = 2 * less_one + less_one @ less_one
    return np.eye(a.shape[-1]) + less_one


@dataclass
class Liere(Encoding):
    generators: Optional[np.ndarray] = None  # (axes, heads, blocks, block, block), of which the upper triangle counts
    block: int = 4
    axes: int = 2
    columns: int = 8

    def apply_rotary(self, x, positions, role='query'):
        heads, tokens, dim = x.shape
        blocks = dim // self.block
        if self.axes == 2:
            coordinates = row_and_column(positions, self.columns)
        else:
            coordinates = np.asarray(positions, float).reshape(tokens, -1).T
        upper = np.triu(self.generators, 1)
        skew = upper - upper.swapaxes(-1, -2)
        rotation = matrix_exponential(np.einsum('at,ahbij->htbij', np.stack(coordinates), skew))
        content, rest = x[..., : self.block * blocks], x[..., self.block * blocks :]
        rotated = np.einsum('htbij,htbj->htbi', rotation, content.reshape(heads, tokens, blocks, self.block))
        return np.concatenate([rotated.reshape(heads, tokens, -1), rest], axis=-1)

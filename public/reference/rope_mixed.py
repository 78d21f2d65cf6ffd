"""RoPE-Mixed (Heo et al. 2024, section 3.2, arXiv 2403.13298): trained directions in the picture, per head and pair."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding
from rope import rotate_pairs
from rope_2d import row_and_column


@dataclass
class RopeMixed(Encoding):
    frequencies: Optional[np.ndarray] = None  # fx and fy (2, heads, pairs)
    columns: int = 8

    def rotary_angles(self, positions, dim):
        """Radians of the pairs of the first head: (tokens, pairs)."""
        return self.head_angles(positions)[0]

    def head_angles(self, positions):
        """x fx + y fy: (heads, tokens, pairs)."""
        row, column = row_and_column(positions, self.columns)
        fx, fy = self.frequencies
        return column[:, None] * fx[:, None] + row[:, None] * fy[:, None]

    def apply_rotary(self, x, positions, role='query'):
        return rotate_pairs(x, self.head_angles(positions), 'interleaved')

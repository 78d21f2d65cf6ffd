"""FoPE (Hua et al. 2024, arXiv 2412.17739): the cosines and sines of RoPE are mixtures of waves."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding
from rope import inverse_frequencies


@dataclass
class RopeFourier(Encoding):
    sin_weight: Optional[np.ndarray] = None  # (heads, kept frequencies, pairs)
    cos_weight: Optional[np.ndarray] = None
    base: float = 10000
    floor_length: float = 0  # waves longer than this are left out
    pairs: int = 0  # as in the weights
    rest: str = 'identity'  # or 'sine_one'

    def frequencies(self, dim):
        frequencies = inverse_frequencies(self.base, dim)
        return frequencies[frequencies >= 2 * np.pi / self.floor_length] if self.floor_length > 0 else frequencies

    def apply_rotary(self, x, positions, role='query'):
        half, pairs = x.shape[-1] // 2, self.sin_weight.shape[-1]
        angles = np.asarray(positions, float)[:, None] * self.frequencies(x.shape[-1])
        cos, sin = np.cos(angles) @ self.cos_weight, np.sin(angles) @ self.sin_weight
        a, rest_a, b, rest_b = np.split(x, [pairs, half, half + pairs], axis=-1)
        if self.rest == 'sine_one':  # channels beyond the pairs, as if their cosine and sine were 1
            rest_a, rest_b = rest_a - rest_b, rest_a + rest_b
        return np.concatenate([a * cos - b * sin, rest_a, a * sin + b * cos, rest_b], axis=-1)

"""Sandwich (Chi et al. 2022, arXiv 2212.10356): the inner product of two sinusoids, less that of a vector with itself."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding, relative_position


@dataclass
class Sandwich(Encoding):
    db: int = 128
    base: float = 10000
    index: str = 'from_zero'  # or 'from_one'

    def attention_bias(self, heads, query_positions, key_positions):
        t = np.arange(self.db // 2) + (1 if self.index == 'from_one' else 0)
        frequencies = self.base ** (-2.0 * t / self.db)
        angles = relative_position(query_positions, key_positions)[..., None] * frequencies
        products = (np.cos(angles) - 1).sum(axis=-1)
        return products / (8 * np.arange(1, heads + 1) / heads)[:, None, None]

"""XPos (Sun et al. 2022, arXiv 2212.10554): RoPE whose queries grow with the position as keys shrink."""

import math
from dataclasses import dataclass

import numpy as np

from encoding import Encoding
from rope import inverse_frequencies, rotate_pairs


@dataclass
class Xpos(Encoding):
    base: float = 10000
    layout: str = 'interleaved'  # or 'half_split'
    scale_base: float = 512
    gamma: float = 0.4
    length: float = 0
    center: str = 'torchscale'  # or 'lucidrains'

    def rotary_angles(self, positions, dim):
        return np.asarray(positions, float)[:, None] * inverse_frequencies(self.base, dim)

    def rotary_gain(self, positions, dim, role):
        """The factor on each pair of queries, and its inverse for keys: (tokens, pairs)."""
        zeta = (2 * np.arange(dim // 2) + self.gamma * dim) / ((1 + self.gamma) * dim)
        half = self.length / 2
        steps = np.asarray(positions, float)[:, None] - (math.ceil(half) if self.center == 'torchscale' else math.floor(half))
        return zeta ** ((steps if role == 'query' else -steps) / self.scale_base)

    def apply_rotary(self, x, positions, role='query'):
        dim = x.shape[-1]
        return rotate_pairs(x, self.rotary_angles(positions, dim), self.layout, self.rotary_gain(positions, dim, role))

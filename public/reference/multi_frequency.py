"""Sines and cosines of the harmonic frequencies 1, 1/2, 1/3 ..., interleaved."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding


@dataclass
class MultiFrequency(Encoding):
    start: float = 0

    def position_table(self, positions, dim):
        frequencies = 1 / np.arange(1, dim // 2 + 1)
        angles = (np.asarray(positions, float)[:, None] + self.start) * frequencies
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)

"""The position as a point on a circle: two channels, whatever `dim` is."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding


@dataclass
class SinCos(Encoding):
    start: float = 0

    def position_table(self, positions, dim):
        angles = np.asarray(positions, float) + self.start
        return np.stack([np.sin(angles), np.cos(angles)], axis=1)

"""One sine of the position, in every channel."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding


@dataclass
class Sine(Encoding):
    start: float = 0

    def position_table(self, positions, dim):
        angles = np.asarray(positions, float)[:, None] + self.start
        return np.tile(np.sin(angles), (1, dim))

"""The position as a fraction of the length of the text, in every channel."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding


@dataclass
class NormalisedIndex(Encoding):
    convention: str = 'over_n_from_one'  # or 'over_n', 'linspace'
    range: str = 'unit'  # or 'symmetric'

    def position_table(self, positions, dim):
        n, x = len(positions), np.asarray(positions, float)
        if self.convention == 'over_n_from_one':
            x = (x + 1) / n
        elif self.convention == 'over_n':
            x = x / n
        else:
            x = x / (n - 1) if n > 1 else np.zeros(n)
        if self.range == 'symmetric':
            x = 2 * x - 1
        return np.tile(x[:, None], (1, dim))

"""The position as a binary number, one bit per channel."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding


@dataclass
class Binary(Encoding):
    order: str = 'msb_first'  # or 'lsb_first'

    def position_table(self, positions, dim):
        bits = np.arange(dim)
        if self.order == 'msb_first':
            bits = bits[::-1]
        numbers = np.asarray(positions).astype(int)[:, None]
        return ((numbers >> np.minimum(bits, 63)) & 1).astype(float)

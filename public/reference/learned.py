"""A trained vector per position (Gehring et al. 2017, arXiv 1705.03122)."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding


@dataclass
class Learned(Encoding):
    table: Optional[np.ndarray] = None  # (max_length, dim)
    max_length: int = 512
    row_offset: int = 0
    scaled: bool = False

    def position_table(self, positions, dim):
        table = self.table * dim**-0.5 if self.scaled else self.table
        return table[np.asarray(positions).astype(int) + self.row_offset]

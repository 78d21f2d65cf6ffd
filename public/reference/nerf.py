"""The Fourier map of NeRF (Mildenhall et al. 2020, equation 4, arXiv 2003.08934): 2 * levels channels per coordinate."""

from dataclasses import dataclass

import numpy as np

from encoding import Encoding


@dataclass
class Nerf(Encoding):
    levels: int = 10
    include_input: bool = False
    sampling: str = 'log'  # or 'linear'
    factor_pi: bool = True
    extent: float = 1024

    def position_table(self, positions, dim):
        x = np.asarray(positions, float).reshape(len(positions), -1) / self.extent
        if self.sampling == 'log':
            frequencies = 2.0 ** np.arange(self.levels)
        else:
            frequencies = 1 + (2.0 ** (self.levels - 1) - 1) * np.arange(self.levels) / max(self.levels - 1, 1)
        angles = frequencies[:, None] * x[:, None, :]  # (tokens, levels, axes)
        if self.factor_pi:
            angles = np.pi * (angles % 2)  # whole turns are removed before pi rounds
        table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(x), -1)
        return np.concatenate([x, table], axis=1) if self.include_input else table

"""Random Fourier features (Tancik et al. 2020, section 2, arXiv 2006.10739): two channels per feature, whatever `dim` is."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding


@dataclass
class Fourier(Encoding):
    frequency_matrix: Optional[np.ndarray] = None  # (features, axes), N(0, 1) in the paper
    amplitudes: Optional[np.ndarray] = None  # (features,)
    sigma: float = 1
    features: int = 0  # the number of rows of the matrix
    order: str = 'cos_sin'  # or 'sin_cos'
    matrix: str = 'gaussian'  # or 'identity'
    two_pi: bool = True
    extent: float = 64
    normalise: bool = False

    def position_table(self, positions, dim):
        x = np.asarray(positions, float).reshape(len(positions), -1) / self.extent
        matrix = self.frequency_matrix
        if matrix is None and self.matrix == 'identity':
            matrix = np.eye(x.shape[1])
        angles = x @ (self.sigma * matrix).T
        if self.two_pi:
            angles = 2 * np.pi * angles
        parts = [np.cos(angles), np.sin(angles)] if self.order == 'cos_sin' else [np.sin(angles), np.cos(angles)]
        amplitudes = np.ones(len(matrix)) if self.amplitudes is None else self.amplitudes
        if self.normalise:
            amplitudes = amplitudes / np.linalg.norm(amplitudes)
        return np.concatenate(parts, axis=1) * np.tile(amplitudes, 2)

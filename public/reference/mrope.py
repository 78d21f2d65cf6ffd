"""Multimodal RoPE (Wang et al. 2024, "Qwen2-VL", section 2.1, arXiv 2409.12191): each pair reads time, row or column."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from rope import RopeFrequencies, rotate_pairs


@dataclass
class Mrope(RopeFrequencies):
    base: float = 1000000
    layout: str = 'half_split'  # or 'interleaved'
    arrangement: str = 'contiguous'  # Qwen2-VL; or 'interleaved' (Qwen3-VL), 'video' (VideoRoPE)
    sections: Optional[np.ndarray] = None  # pairs of time, row and column
    temporal_pairs: int = 0

    def axis_of_pair(self, pairs):
        """0 time, 1 row, 2 column, for each pair."""
        if self.arrangement == 'video':
            temporal = self.temporal_pairs or pairs // 4
            return [1 + t % 2 if t < pairs - temporal else 0 for t in range(pairs)]
        if self.sections is None:
            rows = columns = 3 * pairs // 8
            time = pairs - rows - columns
        else:
            time, rows, columns = (int(section) for section in self.sections)
        if self.arrangement == 'contiguous':
            return [0] * time + [1] * rows + [2] * columns
        return [t % 3 if t < 3 * (0, rows, columns)[t % 3] else 0 for t in range(pairs)]

    def rotary_angles(self, positions, dim):
        """Radians at positions (tokens, 3), or (tokens,) in a text: (tokens, pairs)."""
        frequencies = self.frequencies(self.rotary_channels(dim))
        coordinates = np.asarray(positions, float).reshape(len(positions), -1)
        if coordinates.shape[1] == 3:
            coordinates = coordinates[:, self.axis_of_pair(len(frequencies))]
        return coordinates * frequencies

    def apply_rotary(self, x, positions, role='query'):
        return rotate_pairs(x, self.rotary_angles(positions, x.shape[-1]), self.layout, self.rotary_gain())

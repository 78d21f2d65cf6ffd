"""The proximal bias of tensor2tensor: minus the logarithm of the distance, the same for every head."""

import numpy as np

from encoding import Encoding, relative_position


class Proximal(Encoding):
    def attention_bias(self, heads, query_positions, key_positions):
        penalty = -np.log1p(np.abs(relative_position(query_positions, key_positions)))
        return np.tile(penalty, (heads, 1, 1))

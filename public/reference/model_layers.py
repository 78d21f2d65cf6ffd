"""What the layers of a published model do with positions, as a table. The layers are those that Phasor's layersFromConfig reads from a config.json."""

import numpy as np


def layer_row(layer, context):
    """Encoding, base, factor, window, chunk, visible keys, soft cap, sinks, norm of queries and keys, and temperature of one layer."""
    encoding = layer.get('encoding')
    window, chunk = layer.get('window', 0), layer.get('chunk', 0)
    # A layer without queries and keys sees one token, its own.
    sees = min(window + layer.get('windowAhead', 0) if window else chunk or context, context) if encoding else 1
    encoding = encoding or {'id': 'none'}
    factor = encoding.get('factor', 1) if encoding.get('scaling', 'none') != 'none' else 1
    flags = [name in layer for name in ('sinks', 'qkNorm', 'temperature')]
    return [encoding['id'] != 'none', encoding.get('base', 0), factor, window, chunk, sees, layer.get('softcap', 0), *flags]


def model_layers(layers, context):
    """A row for each layer of a model that reads `context` tokens, see layer_row: (layers, 10)."""
    return np.array([layer_row(layer, context) for layer in layers], dtype=float)

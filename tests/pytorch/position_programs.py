"""Runs the programs of the page of all models in PyTorch, and compares them with the NumPy references: position_programs.py CASES.json.

A case is a program and its layer, as returned by layersFromConfig. Prints the number of cases and the largest relative difference.
"""

import json
import sys
from importlib import import_module

import numpy as np
import torch

MOST = 1e-9
HEADS, TOKENS = 3, 40


def head_dim_of(encoding):
    sections, offset = encoding.get('sections'), encoding.get('rotary_offset', 0)
    if sections:
        return 2 * sum(sections)
    return offset + encoding['rotary_dim'] if offset else 128


TRAINED = {'learned': ['table'], 't5': ['table'], 'transformer_xl': ['u', 'v', 'w_r']}


def reference_of(encoding, arrays):
    names = TRAINED.get(encoding['id'], [])
    class_name = ''.join(word.capitalize() for word in encoding['id'].split('_'))
    return getattr(import_module(encoding['id']), class_name)(
        **{name: value for name, value in encoding.items() if name != 'id'}, **{name: arrays[name] for name in names}
    )


def positions_of(random, encoding):
    if encoding['id'] in ('mrope', 'rope_2d'):
        return random.integers(0, 5000, (TOKENS, 3 if encoding['id'] == 'mrope' else 2))
    most = encoding.get('max_length', 100_000) - encoding.get('row_offset', 0)
    # Consecutive positions and distant ones.
    return np.unique(np.concatenate([np.arange(min(TOKENS // 2, most)), random.integers(0, most, TOKENS // 2)]))


def arrays_of(random, encoding, positions):
    head_dim, tokens, dim = head_dim_of(encoding), len(positions), 64
    arrays = {name: random.normal(size=(HEADS, tokens, head_dim)) for name in ('q', 'k', 'v')}
    arrays['x'] = random.normal(size=(tokens, dim))
    if encoding['id'] == 'learned':
        arrays['table'] = random.normal(size=(encoding.get('max_length', 512), dim))
    if encoding['id'] == 't5':
        arrays['table'] = random.normal(size=(encoding.get('num_buckets', 32), HEADS))
    if encoding['id'] == 'transformer_xl':
        arrays |= {name: random.normal(size=(HEADS, head_dim)) for name in ('u', 'v')}
        arrays['w_r'] = random.normal(size=(HEADS * head_dim, dim))
    return arrays


def tokens_of(layer):
    """More tokens than any query sees."""
    return max(layer.get('window', 0), layer.get('chunk', 0), 50) + 50


def visible(layer, i):
    """Whether query i sees each key."""
    window, chunk = layer.get('window'), layer.get('chunk')

    def sees(j):
        if layer.get('causal', True) and j > i:
            return False
        if window and (i - j >= window or j - i > layer.get('windowAhead', window - 1)):
            return False
        return not chunk or i // chunk == j // chunk

    return np.array([sees(j) for j in range(tokens_of(layer))])


def check_mask(layer, mask):
    """Checks some rows of a mask; None is a mask where every key is visible."""
    tokens = tokens_of(layer)
    for i in (0, 1, tokens // 2, tokens - 52, tokens - 51, tokens - 50, tokens - 49, tokens - 1):
        found = np.ones(tokens, dtype=bool) if mask is None else mask[i].numpy()
        assert (found == visible(layer, i)).all(), f'mask differs in row {i}'


def expected_of(layer, arrays, positions, scale):
    """The expected values of the variables that the program assigns."""
    encoding = layer['encoding']
    q, k = arrays['q'], arrays['k']
    expected = {}
    if encoding['id'] != 'none':
        reference = reference_of(encoding, arrays)
        if encoding['id'] in ('rope', 'mrope', 'rope_2d'):
            for name in ('q', 'k', 'v') if layer.get('rotatesValues') else ('q', 'k'):
                expected[name] = reference.apply_rotary(arrays[name], positions)
        elif encoding['id'] == 'transformer_xl':
            expected['scores'] = scale * q @ k.swapaxes(1, 2) + reference.content_bias(q, k, positions, positions, scale)
        elif encoding['id'] in ('alibi', 't5'):
            expected['bias'] = reference.attention_bias(HEADS, positions, positions)
        else:
            expected['x'] = arrays['x'] + reference.position_table(positions, arrays['x'].shape[1])
    if 'temperature' in layer:
        growth = layer['temperature']
        steps = (positions + growth['first']) // growth['floorScale']
        expected['q'] = expected.get('q', q) * (1 + growth['attnScale'] * np.log(1 + steps))[:, None]
    return expected


def difference(program, layer, random):
    encoding = layer['encoding']
    positions = positions_of(random, encoding)
    arrays, scale = arrays_of(random, encoding, positions), 0.125
    variables = {name: torch.from_numpy(array) for name, array in arrays.items()}
    variables |= {'positions': torch.from_numpy(positions), 'tokens': tokens_of(layer), 'heads': HEADS, 'dim': arrays['x'].shape[1], 'scale': scale}
    exec(program, variables)
    check_mask(layer, variables.get('mask'))
    worst = 0.0
    for name, array in expected_of(layer, arrays, positions, scale).items():
        found = np.broadcast_to(variables[name].numpy(), array.shape)
        error = np.abs(found - array).max() / max(np.abs(array).max(), 1)
        assert error <= MOST, f'{name} differs by {error}'  # Also fails for NaN.
        worst = max(worst, error)
    return worst


def main(path):
    with open(path) as file:
        cases = json.load(file)
    random, worst = np.random.default_rng(1), 0.0
    for case in cases:
        try:
            worst = max(worst, difference(case['program'], case['layer'], random))
        except Exception as error:
            raise SystemExit(f'{case["program"]}\n{type(error).__name__}: {error}')
    print(json.dumps({'cases': len(cases), 'worst': worst}))


if __name__ == '__main__':
    main(sys.argv[1])

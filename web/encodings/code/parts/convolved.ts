// What layers make tensors of tokens with: a projection of low rank and a causal convolution of each channel.
import { streamOf } from './drawn.ts';
import { lines } from './program.ts';

/** Values of an encoding's parameters, and the arrays that are given. */
type Param = (name: string) => string | number | boolean;
type Given = (name: string) => string | undefined;

export const CONVOLVED = lines(
  'def convolved(x, down, up, taps):',
  '    """Embeddings x (tokens, width) through a projection of low rank and a convolution that ends at each token: (tokens, channels)."""',
  '    channels, tokens, sums = x @ down.T @ up.T, np.arange(len(x), dtype=int), 0.0',
  '    for back in range(taps.shape[1]):',
  '        sums = sums + taps[:, -1 - back] * channels[np.clip(tokens - back, 0, None)] * (tokens >= back)[:, None]',
  '    return sums',
);

/** A matrix of trained weights, (rows, columns): the one that is given, or what the core draws, independently from N(0, 1 / columns). */
export function trained(given: Given, seed: unknown, name: string, stream: number, rows: string, columns: string): string {
  return given(name) ?? `(${columns}) ** -0.5 * gaussian(${streamOf(seed, stream)}, (${rows}, ${columns}))`;
}

/** `convolved` of the arrays called `prefix`_down, _up and _conv. */
export function convolvedBy(param: Param, given: Given, prefix: string, x: string, channels: string, taps: number): string {
  const seed = param('seed');
  const rank = String(param('rank'));
  const arrays = [
    trained(given, seed, `${prefix}_down`, 0, rank, 'width'),
    trained(given, seed, `${prefix}_up`, 1, channels, rank),
    trained(given, seed, `${prefix}_conv`, 2, channels, String(taps)),
  ];
  return `convolved(${[x, ...arrays].join(', ')})`;
}

import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const floor = Number(param('floor_length'));
  const pairs = Number(param('pairs'));
  const weight = (name: string, stream: number): string => given(name) ?? `begin(${streamOf(param('seed'), stream)}, heads, len(w), pairs)`;
  const isDrawn = given('sin_weight') === undefined || given('cos_weight') === undefined;
  return program([
    lines(
      'def frequencies(width):',
      `    """Radians per token, fastest first${floor > 0 ? `, of the waves that make a turn in ${floor} tokens` : ''}."""`,
      `    w = ${param('base')} ** (-2.0 * np.arange(width // 2) / width)`,
      floor > 0 ? `    return w[w >= 2 * math.pi / ${floor}]` : '    return w',
    ),
    isDrawn
      ? lines(
          'def begin(seed, heads, kept, pairs):',
          '    """Weights before training: a stepped identity and Xavier noise, as torch scales it for three axes."""',
          `    noise = ${param('noise')} * math.sqrt(2 / (kept * pairs + heads * pairs))`,
          '    step = math.ceil(kept / pairs)',
          '    identity = 1.0 * (np.abs(np.arange(kept)[:, None] - step * np.arange(pairs)) < 0.5)',
          '    return noise * gaussian(seed, (heads, kept, pairs)) + identity',
        )
      : undefined,
    lines(
      "def rotate(x, positions, role='query'):",
      '    """FoPE (Hua et al. 2024) of queries or keys x (heads, positions, width): cosines and sines are mixtures of waves."""',
      '    heads, _, width = x.shape',
      '    w = frequencies(width)',
      `    pairs = ${pairs > 0 ? pairs : 'min(len(w), max(width // 4, 1))'}`,
      '    angles = np.asarray(positions, dtype=np.float64)[:, None] * w',
      `    cosine, sine = np.cos(angles) @ (${weight('cos_weight', 1)}), np.sin(angles) @ (${weight('sin_weight', 0)})`,
      '    content = np.asarray(x, dtype=np.float64)',
      '    a, b = content[..., : width // 2], content[..., width // 2 :]',
      '    first, second = a[..., :pairs], b[..., :pairs]',
      '    rest_a, rest_b = a[..., pairs:], b[..., pairs:]  # these stand still',
      param('rest') === 'sine_one' && '    rest_a, rest_b = rest_a - rest_b, rest_a + rest_b  # as if their sine were 1 too',
      '    mixed_a, mixed_b = first * cosine - second * sine, first * sine + second * cosine',
      '    return np.concatenate([mixed_a, rest_a, mixed_b, rest_b], axis=-1).astype(x.dtype)',
    ),
  ]);
};

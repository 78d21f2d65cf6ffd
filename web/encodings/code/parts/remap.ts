// RoPE at other distances than i - j: the distances, and the products of queries and keys as if they stood so far apart.
import type { Values } from '../source.ts';
import { lines } from './program.ts';

const formulas: { readonly [remap: string]: (param: Values) => readonly string[] } = {
  self_extend: (param) => {
    const [w, group] = [Number(param('window')), Number(param('group'))];
    return [
      `    grouped = np.floor(i / ${group}) - np.floor(j / ${group}) + ${w - Math.floor(w / group)}`,
      `    return np.where(i - j < ${w}, i - j, grouped)`,
    ];
  },
  rerope: (param) => [`    return np.clip(i - j, None, ${param('window')})`],
  leaky_rerope: (param) => [
    `    return np.where(i - j < ${param('window')}, i - j, ${param('window')} + (i - j - ${param('window')}) / ${param('leak')})`,
  ],
  lm_infinite: (param) => [`    return np.where(i - j < ${param('window')}, i - j, ${param('max_distance')} + 0 * (i - j))`],
  dual_chunk: (param) => {
    const [chunk, top] = [Number(param('chunk')), Number(param('max_position'))];
    return [
      `    older = np.floor(i / ${chunk}) - np.floor(j / ${chunk})  # by how many chunks`,
      `    place, key = i - ${chunk} * np.floor(i / ${chunk}), j - ${chunk} * np.floor(j / ${chunk})`,
      `    farther = np.where(older < 2, np.clip(place + ${chunk}, None, ${top}), ${Math.min(2 * chunk - 1, top)} + 0 * place)`,
      '    return np.where(older < 1, i - j, farther - key)',
    ];
  },
};

export function remapFunctions(param: Values, rotaryWidth: string | undefined, factor: string | undefined): string[] {
  const remap = String(param('remap'));
  const formula = formulas[remap];
  if (!formula) return [];
  const [cut, rest] = rotaryWidth === undefined ? ['', ''] : [', :rotary_width', ', rotary_width:'];
  const halves = param('layout') === 'half_split';
  const pairs = (x: string): string => (halves ? `${x}[..., : pairs], ${x}[..., pairs :]` : `${x}[..., 0::2], ${x}[..., 1::2]`);
  const length = Number(param('training_length'));
  const scales = length > 1 && (remap === 'rerope' || remap === 'leaky_rerope');
  return [
    lines(
      'def distances(queries, keys):',
      `    """At which distance the scores are taken: ${remap}."""`,
      '    i, j = np.asarray(queries, dtype=np.float64)[:, None], np.asarray(keys, dtype=np.float64)[None, :]',
      ...formula(param),
    ),
    remap === 'lm_infinite'
      ? lines(
          'def hidden(queries, keys):',
          '    """All but the window and the first tokens."""',
          `    return (queries[:, None] - keys >= ${param('window')}) & (keys >= ${param('sink_tokens')})`,
        )
      : undefined,
    lines(
      'def products(q, k, queries, keys):',
      '    """q.k as RoPE has it at these distances, for q, k (heads, positions, width)."""',
      '    x, y, width = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64), q.shape[-1]',
      rotaryWidth !== undefined && `    rotary_width = ${rotaryWidth}`,
      `    phases = distances(queries, keys)[..., None] * frequencies(${rotaryWidth ?? 'width'})`,
      '    pairs = phases.shape[-1]',

      `    a, b = ${pairs(`x[:, :, None${cut}]`)}`,
      `    c, d = ${pairs(`y[:, None, :${cut}]`)}`,
      '    turned = ((a * c + b * d) * np.cos(phases) + (a * d - b * c) * np.sin(phases)).sum(axis=-1)',
      factor !== undefined && `    turned = ${factor} ** 2 * turned`,
      rest !== '' && '    turned = turned + x[..., rotary_width:] @ y[..., rotary_width:].swapaxes(-1, -2)',
      scales && `    turned = turned * np.clip(np.log(queries + 1.0) / ${Math.log(length)}, 1, None)[:, None]  # ln ${length}`,
      '    return turned.astype(q.dtype)',
    ),
  ].filter((text) => text !== undefined);
}

import { lines, program } from './parts/program.ts';
import { remapFunctions } from './parts/remap.ts';
import { ropeFrequencies } from './parts/rope-frequencies.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const start = Number(param('start_tokens'));
  // Without context extension the first tokens are rotated like the others.
  const isOther = start > 0 && param('scaling') !== 'none';
  const { functions, rotaryWidth, factor } = ropeFrequencies(param, given, isOther);
  const widths = rotaryWidth ?? 'width';
  const offset = Number(param('rotary_offset'));
  return program([
    ...functions,
    lines(
      'def angles(positions, width):',
      `    """By how much each pair is rotated at each position${isOther ? `; the first ${start} as in training` : ''}."""`,
      '    places = np.asarray(positions, dtype=np.float64)[:, None]',
      isOther
        ? `    return places * np.where(places < ${start}, original_frequencies(${widths}), frequencies(${widths}))`
        : `    return places * frequencies(${widths})`,
    ),
    rotation({
      layout: param('layout') as 'interleaved' | 'half_split',
      doc: 'Rotary position embedding (Su et al. 2021, equation 15) of queries or keys x (heads, positions, width).',
      rotaryWidth,
      offset,
      gain:
        factor === undefined
          ? undefined
          : start > 0
            ? { lines: [`    gain = np.where(positions < ${start}, 1.0, ${factor})[:, None]`], name: 'gain' }
            : { lines: [`    gain = ${factor}`], name: 'gain' },
    }),
    ...remapFunctions(param, rotaryWidth, factor),
  ]);
};

import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

const docs: { readonly [form: string]: string } = {
  symmetric: 'on both sides of the query',
  causal: 'for keys on the left',
  row_shifted: "growing with the key's position, the same after a causal softmax (BLOOM)",
  mpt: "growing with the key's position, the same after a causal softmax (MPT)",
  half_heads: 'to the left for one half of the heads, to the right for the other',
};

export const source: EncodingSource = (param, given) => {
  const form = String(param('form'));
  const trained = given('slopes');
  const right = Number(param('right_factor'));
  const isByKey = form === 'row_shifted' || form === 'mpt';
  const halves = form === 'half_heads';
  const m = trained ?? (halves ? 'np.tile(slopes((heads + 1) // 2), (2,))[:heads]' : 'slopes(heads)');
  const origin = form === 'mpt' ? Number(param('max_seq_len')) - 1 : 0;
  return program([
    trained === undefined
      ? `def slopes(heads):
    """2^(-${param('bias_max')}h/H); beyond a power of two every other slope of the next one (the authors' get_slopes)."""
    lower = 2 ** int(math.log2(heads))
    exponents = [h / lower for h in range(1, lower + 1)] + [h / (2 * lower) for h in range(1, 2 * (heads - lower), 2)]
    return 2.0 ** (-${param('bias_max')} * np.array(exponents))`
      : undefined,
    lines(
      'def bias(heads, queries, keys):',
      `    """ALiBi (Press et al. 2021): a penalty linear in the distance, ${docs[form]}."""`,
      `    m = ${m}`,
      ...(isByKey
        ? [
            `    penalties = m[:, None] * ${origin === 0 ? 'keys' : `(keys - ${origin})`}`,
            '    return np.tile(penalties[:, None], (1, len(queries), 1))',
          ]
        : [
            '    distance = keys - queries[:, None]',
            form === 'symmetric' && right === 1 && '    return -m[:, None, None] * np.abs(distance)',
            form === 'symmetric' && right !== 1 && `    return m[:, None, None] * np.where(distance < 0, distance, -${right} * distance)`,
            form === 'causal' && '    return m[:, None, None] * np.clip(distance, None, 0)',
            halves && '    is_left = 2 * np.arange(heads) < heads',
            halves &&
              '    return m[:, None, None] * np.where(is_left[:, None, None], np.clip(distance, None, 0), -np.clip(distance, 0, None))',
          ]),
    ),
  ]);
};

import { source as alibi } from './alibi.ts';
import { source as fire } from './fire.ts';
import { source as kerple } from './kerple.ts';
import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { Arrays, EncodingSource, Values } from './source.ts';
import { source as t5 } from './t5.ts';

interface Bias {
  readonly source: EncodingSource;
  /** What its parameters are here where those of DAPE do not say. */
  readonly fixed: (zero: boolean) => { readonly [name: string]: string | number | boolean };
}

const biases: { readonly [id: string]: Bias } = {
  kerple: { source: kerple, fixed: (zero) => ({ form: 'log', right: zero ? 'zero' : 'distance' }) },
  alibi: { source: alibi, fixed: (zero) => ({ form: zero ? 'causal' : 'symmetric', bias_max: 8, right_factor: 1, max_seq_len: 64 }) },
  fire: { source: fire, fixed: () => ({ init_c: 0.1, init_l: 512, eps: 1e-6, mlp_width: 32 }) },
  t5: { source: t5, fixed: (zero) => ({ bidirectional: !zero, num_buckets: 32, max_distance: 128, multiplier: 1, init_std: 1 }) },
};

/** The program of the bias, whose function has another name here, because it is not added by itself. */
function biasProgram(param: Values, given: Arrays): string {
  const { source: ofBias, fixed } = biases[String(param('bias'))] as Bias;
  const own = fixed(param('right') === 'zero');
  return ofBias(
    (name) => own[name] ?? param(name),
    (name) => given(`bias_${name}`),
  ).numpy.replace('def bias(', 'def pair_bias(');
}

export const source: EncodingSource = (param, given) => {
  const units = Number(param('mlp_width'));
  const [ofInputs, ofUnits] = ['(2 * heads) ** -0.5', `${units} ** -0.5`];
  const drawn = (name: string, shape: string, spread: string, stream: number): string =>
    given(name) ?? `uniform(${streamOf(param('seed'), stream)}, ${shape}, -(${spread}), ${spread})`;
  return program([
    biasProgram(param, given),
    lines(
      'def content_bias(q, k, queries, keys, scale):',
      '    """DAPE (Zheng et al. 2024): a bias, and what a small network makes of the scores and biases of all heads."""',
      '    q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)',
      '    heads = q.shape[0]',
      `    w1 = ${drawn('w1', `(${units}, 2 * heads)`, ofInputs, 8)}`,
      `    b1 = ${drawn('b1', `(${units},)`, ofInputs, 9)}`,
      `    w2 = ${drawn('w2', `(heads, ${units})`, ofUnits, 10)}`,
      `    b2 = ${drawn('b2', '(heads,)', ofUnits, 11)}`,
      '    scores = scale * q @ k.swapaxes(-1, -2)',
      '    biases = pair_bias(heads, queries, keys)',
      '    seen = np.moveaxis(np.concatenate([scores, biases]), 0, -1)  # (queries, keys, 2 heads)',
      '    hidden = seen @ w1.T + b1',
      `    hidden = np.where(hidden < 0, ${param('negative_slope')} * hidden, hidden)`,
      '    return biases + np.moveaxis(hidden @ w2.T + b2, -1, 0)',
    ),
  ]);
};

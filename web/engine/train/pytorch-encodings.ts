// The encodings of exported programs: what each adds to the text of the model. tests/pytorch compares them with the core.

import { PhasorError, refusal } from '../errors.ts';
import type { NamedParams, ParamValue } from '../types/encodings.ts';
import type { FullTrainSpec } from '../types/train-spec.ts';
import { contentEncodings } from './pytorch-content.ts';
import { rotations } from './pytorch-rotations.ts';
import { scoreEncodings } from './pytorch-scores.ts';
import { tableEncodings } from './pytorch-tables.ts';
import { tokenEncodings } from './pytorch-tokens.ts';

export interface EncodingText {
  /** The class `Encoding`, whose parameters have the names of the weights; '' where there is none. */
  readonly code: string;
  /** Where it enters, as lines of the model. */
  readonly atInput?: string;
  readonly atQueriesAndKeys?: string;
  readonly atScores?: string;
  /** The scores as a line of the attention, after q.k was scaled, where they depend on queries and keys. */
  readonly atContent?: string;
  /** What it adds to the sum of the values, as an expression of `weights`. */
  readonly atValues?: string;
  /** What each layer has of it, as lines of the constructor of its attention, and what stands for q.k. */
  readonly ofLayer?: string;
  readonly atProducts?: string;
  /** Its own factor on q.k. */
  readonly scale?: string;
  /** Weights that are learnt at TABLE_LR times the rate. */
  readonly biasTable?: string;
}

export interface Known {
  /** Parameters that the program is written for, with their default values. Others may only be given as they are by default. */
  readonly params: { readonly [name: string]: ParamValue };
  /** Of a parameter that is a choice: the values that the program is written for. */
  readonly choices?: { readonly [name: string]: readonly string[] };
  /** What follows from the model and is not asked for in a program: weights and how they begin. */
  readonly ignored?: readonly string[];
  text(param: (name: string) => string, spec: FullTrainSpec): EncodingText;
}

const known: { readonly [id: string]: Known } = {
  ...tableEncodings,
  ...rotations,
  ...scoreEncodings,
  ...contentEncodings,
  ...tokenEncodings,

  none: { params: {}, text: () => ({ code: '' }) },

  sinusoidal: {
    params: { base: 10000, layout: 'interleaved' },
    choices: { layout: ['interleaved', 'concatenated'] },
    text: (param) => ({
      code: `class Encoding(nn.Module):
    """Vaswani et al. 2017, section 3.5: sines and cosines, added to the embeddings."""

    def forward(self, positions):  # (tokens) -> (tokens, WIDTH)
        waves = (WIDTH + 1) // 2
        frequencies = ${param('base')} ** (-2 * torch.arange(waves, dtype=torch.float64) / WIDTH)
        angles = positions[:, None] * frequencies
        ${
          param('layout') === '"interleaved"'
            ? 'table = torch.stack((angles.sin(), angles.cos()), -1).flatten(1)'
            : 'table = torch.cat((angles.sin(), angles.cos()), 1)'
        }
        return table[:, :WIDTH].float()


`,
      atInput: 'x = x + self.encoding(positions).to(x.device)',
    }),
  },

  learned: {
    params: { max_length: 512, row_offset: 0 },
    ignored: ['seed', 'table'],
    text: (param) => ({
      code: `class Encoding(nn.Module):
    """One trained row per position, added to the embeddings (Gehring et al. 2017)."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(INPUT_STD * torch.randn(${param('max_length')}, WIDTH))

    def forward(self, positions):  # (tokens) -> (tokens, WIDTH)
        return self.table[positions.long().to(self.table.device) + ${param('row_offset')}]


`,
      atInput: 'x = x + self.encoding(positions)',
    }),
  },

  alibi: {
    params: { form: 'symmetric', bias_max: 8 },
    choices: { form: ['symmetric', 'causal'] },
    text: (param) => ({
      code: `def alibi(positions):  # (tokens) -> (HEADS, tokens, tokens)
    """Press et al. 2021: minus the distance, times a slope of each head."""
    power = 1 << (HEADS.bit_length() - 1)
    exponents = [h / power for h in range(1, power + 1)] + [h / (2 * power) for h in range(1, 2 * power, 2)]
    slopes = torch.tensor([2.0 ** (-${param('bias_max')} * e) for e in exponents[:HEADS]], dtype=torch.float64)
    distance = positions[None, :] - positions[:, None]  # key - query
    return (-slopes[:, None, None] * ${param('form') === '"symmetric"' ? 'distance.abs()' : '(-distance).clamp(min=0)'}).float()


`,
      atScores: ' + alibi(positions).to(x.device)',
    }),
  },

  t5: {
    params: { num_buckets: 32, max_distance: 128, bidirectional: true, multiplier: 1 },
    ignored: ['seed', 'init_std', 'table'],
    text: (param) => ({
      code: `class Encoding(nn.Module):
    """Raffel et al. 2019: one trained bias a head and bucket of distances, which grow logarithmically."""

    BUCKETS, MAX_DISTANCE, BIDIRECTIONAL = ${param('num_buckets')}, ${param('max_distance')}, ${param('bidirectional')}

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(self.BUCKETS, HEADS))

    def bucket(self, distance):  # key - query
        side = self.BUCKETS // 2 if self.BIDIRECTIONAL else self.BUCKETS
        first = side if self.BIDIRECTIONAL and distance > 0 else 0
        size = abs(distance) if self.BIDIRECTIONAL else max(-distance, 0)
        exact = side // 2
        if size < exact:
            return first + size
        # The largest k with (size / exact) ** steps >= (MAX_DISTANCE / exact) ** k, in whole numbers: a rounded logarithm errs at edges.
        steps = side - exact
        ks = [k for k in range(steps) if size**steps * exact**k >= self.MAX_DISTANCE**k * exact**steps]
        return first + exact + ks[-1]

    def forward(self, positions):  # (tokens) -> (HEADS, tokens, tokens)
        where = positions.long().tolist()
        distances = {key - query for query in where for key in where}
        of = {distance: self.bucket(distance) for distance in distances}
        buckets = torch.tensor([[of[key - query] for key in where] for query in where], device=self.table.device)
        return ${param('multiplier')} * self.table[buckets].permute(2, 0, 1)


`,
      atScores: ' + encoding(positions)',
      scale: '1.0',
      biasTable: 'encoding.table',
    }),
  },
};

const inPython = (value: ParamValue): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : typeof value === 'string' ? JSON.stringify(value) : String(value);

/** What an exported program has of the encoding of a spec. Refused by name is what cannot be exported. */
export function encodingText(spec: FullTrainSpec): EncodingText {
  const { id, ...given } = spec.encoding as NamedParams & { readonly id: string };
  const found = known[id];
  if (!found) {
    const allowed = Object.keys(known);
    throw new PhasorError('unsupported', `encoding: ${id} cannot be exported to PyTorch; ${allowed.join(', ')} can`, {
      path: 'encoding',
      value: id,
      allowed,
    });
  }
  for (const name of Object.keys(given)) {
    if (name in found.params || found.ignored?.includes(name)) continue;
    throw refusal(name, `this parameter of ${id} cannot be exported to PyTorch`, { code: 'unsupported' });
  }
  const param = (name: string) => inPython((given[name] ?? found.params[name]) as ParamValue);
  for (const [name, allowed] of Object.entries(found.choices ?? {})) {
    if (!allowed.includes(param(name).slice(1, -1)))
      throw refusal(name, `${param(name)} cannot be exported to PyTorch`, { code: 'unsupported', allowed });
  }
  return found.text(param, spec);
}

// The reference results for a checkpoint (expected.json), and their comparison. Unknown fields are an error, so that everything
// in the reference is checked.

import type { Text } from './family.ts';
import type { Matrix } from './matrix.ts';

/**
 * Errors allowed in |got - expected| / (1 + |expected|). The loops around the package are in double, and its inputs and outputs are float32.
 * Measured: 2.6e-6 in the output of llama3 and llama-tied, where the reference itself in float32 has 3.1e-6 and 5.0e-6, and at most 1.2e-6 in all
 * others; 3.3e-7 in the weights; the rounding to nine digits, 5e-9, in position values.
 */
export const OUTPUT = 4e-6;
export const WEIGHT = 8e-7;
export const POSITION = 1e-7;

export interface Results {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** A batch of sequences of equal length, and its results. */
export interface Batch {
  readonly input_ids: readonly (readonly number[])[];
  readonly attention_mask?: readonly (readonly (0 | 1)[])[];
  readonly token_type_ids?: readonly (readonly number[])[];
  readonly logits?: Results;
  readonly last_hidden_state?: Results;
  /** Of each layer: [batch, heads, queries, keys]. */
  readonly attentions: readonly Results[];
  /** The input of the first block, then the output of each: [batch, tokens, width]. */
  readonly hidden_states?: readonly Results[];
  /** Mean of -ln p(next token), and its exponential. */
  readonly next_token_ce?: number;
  readonly ppl?: number;
}

export interface Reference {
  readonly schema: string;
  readonly case: string;
  readonly family: string;
  readonly position?: {
    readonly inv_freq?: Results;
    readonly slopes?: Results;
    readonly relative_position?: readonly number[];
    readonly bias?: Results;
  };
  readonly inputs: readonly Batch[];
}

const fields = ['input_ids', 'attention_mask', 'token_type_ids', 'logits', 'last_hidden_state', 'attentions', 'hidden_states'];
const knownFields = new Set([...fields, 'next_token_ce', 'ppl']);

export function checkFields(batch: Batch): void {
  for (const name of Object.keys(batch)) if (!knownFields.has(name)) throw new Error(`inputs: the field ${name} is not known`);
}

export const texts = ({ input_ids, attention_mask, token_type_ids }: Batch): Text[] =>
  input_ids.map((ids, i) => ({
    ids,
    first: 0,
    attentionMask: attention_mask?.[i] ?? ids.map(() => 1 as const),
    types: token_type_ids?.[i] ?? ids.map(() => 0),
  }));

/** The values of one sequence of a batch. */
export function part({ shape: [batch = 0, ...shape], data }: Results, text: number): Results {
  const size = data.length / batch;
  return { shape, data: data.slice(text * size, (text + 1) * size) };
}

/**
 * Throws if |got - expected| / (1 + |expected|) exceeds the tolerance. Masked weights, which are exactly 0 in the reference, must be exactly 0.
 */
export function compare(
  label: string,
  actual: { readonly shape: readonly number[]; readonly data: ArrayLike<number> },
  expected: Results,
  tolerance: number,
  measure: 'mixed' | 'weights' = 'mixed',
): void {
  if (actual.shape.join() !== expected.shape.join()) throw new Error(`${label}: the shape is ${actual.shape}, not ${expected.shape}`);
  if (actual.data.length !== expected.data.length) throw new Error(`${label}: there are ${actual.data.length} numbers`);
  if (expected.data.length === 0) throw new Error(`${label}: there is nothing to compare with`);
  expected.data.forEach((expectedValue, i) => {
    const value = actual.data[i] as number;
    const allowed = measure === 'weights' && expectedValue === 0 ? 0 : tolerance;
    const error = Math.abs(value - expectedValue) / (1 + Math.abs(expectedValue));
    // Negated, so that NaN fails too.
    if (!(error <= allowed)) throw new Error(`${label}[${i}]: got ${value}, expected ${expectedValue}, error ${error}, allowed ${allowed}`);
  });
}

export const shaped = ({ rows, columns, data }: Matrix) => ({ shape: [rows, columns], data });

/** Mean of -ln p(next token | those before), in nats. */
export function crossEntropy({ columns, data }: Matrix, ids: readonly number[]): number {
  const losses = ids.slice(1).map((next, row) => {
    const logits = data.subarray(row * columns, (row + 1) * columns);
    const largest = Math.max(...logits);
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
    return largest + Math.log(total) - (logits[next] as number);
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

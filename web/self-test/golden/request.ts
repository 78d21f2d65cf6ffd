// Reads the attention request of a case: mask, scale, queries, keys and values.

import type { AttentionRequest, Tensor } from '../../engine/types/api.ts';
import type { Case } from './case.ts';
import { readFirstParam, readOrDrawInput } from './drawn.ts';

/** Reads the mask, which is "bidir" or "causal". With the suffix "+pad", keys are also masked by key_keep. */
export function readMask(c: Case): Pick<AttentionRequest, 'mask' | 'keyMask'> {
  const [mask, pad] = c.choice('mask', {
    bidir: ['none', false],
    causal: ['causal', false],
    'bidir+pad': ['none', true],
    'causal+pad': ['causal', true],
  } as const);
  if (c.has('key_keep') !== pad) c.fail('params mask and key_keep disagree');
  return { mask, ...(pad ? { keyMask: c.numbers('key_keep') as (0 | 1)[] } : {}) };
}

/** Reads the scale. 1/sqrt(d) is also passed explicitly, because the default differs for some encodings, such as T5. */
export function readScale(c: Case, width: number): { scale?: number } {
  if (!c.has('scale')) return {};
  if (typeof c.param('scale') === 'number') return { scale: c.number('scale') };
  return { scale: c.choice('scale', { '1/sqrt(d)': 1 / Math.sqrt(width) }) };
}

export function expectSizes(c: Case, q: Tensor, k: Tensor): void {
  for (const name of ['heads', 'q_heads']) c.expectParam(name, q.shape[0]);
  for (const name of ['q_len', 'n']) c.expectParam(name, q.shape[1]);
  for (const name of ['k_len', 'n']) c.expectParam(name, k.shape[1]);
  c.expectParam('kv_heads', k.shape[0]);
  c.expectParam('d', q.shape[2]);
}

export function readInputs(c: Case): { q: Tensor; k: Tensor; v: Tensor } {
  const createShapeReader = (names: readonly string[], tokens: string) => () => [
    readFirstParam(c, ...names),
    readFirstParam(c, tokens, 'n'),
    c.integer('d'),
  ];
  const [queries, keys] = [createShapeReader(['q_heads', 'heads'], 'q_len'), createShapeReader(['kv_heads', 'q_heads', 'heads'], 'k_len')];
  const [q, k] = [readOrDrawInput(c, 'q', queries, 'q_k_multiplier'), readOrDrawInput(c, 'k', keys, 'q_k_multiplier')];
  const v = readOrDrawInput(c, 'v', keys);
  if ([q, k, v].some(({ shape }) => shape.length !== 3)) c.fail('inputs q, k and v are not [heads, tokens, channels]');
  expectSizes(c, q, k);
  return { q, k, v };
}

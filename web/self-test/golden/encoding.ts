import type { Params, Tensor } from '../../engine/types/api.ts';
import type { Case } from './case.ts';
import { readFirstParam, readOrDrawInput } from './drawn.ts';

export const halfSplitParams = (): Params => ({ layout: 'half_split' });
export const interleavedParams = (): Params => ({ layout: 'interleaved' });
export const alibiParams = (c: Case): Params => ({ form: 'symmetric', ...(c.hasInput('slopes') ? { slopes: c.tensor('slopes') } : {}) });
export const t5Params = (c: Case): Params => ({
  num_buckets: c.number('num_buckets'),
  max_distance: c.number('max_distance'),
  bidirectional: c.boolean('bidirectional'),
  table: readOrDrawInput(c, 'table', () => [c.integer('num_buckets'), readFirstParam(c, 'q_heads', 'heads')], 'table_multiplier'),
});
export const relativeBiasParams = (c: Case): Params => {
  c.expectParam('index', c.has('k_len') ? 'b[i-j+k_len-1]' : 'b[i-j+n-1]');
  const keyCount = readFirstParam(c, 'k_len', 'n');
  return { max_length: keyCount, placement: 'inside', b: readOrDrawInput(c, 'b', () => [2 * keyCount - 1], 'table_multiplier') };
};
export const shawParams = (c: Case): Params => {
  const readShape = () => [2 * c.integer('clip') + 1, c.integer('d')];
  const [tableK, tableV] = ['table_k', 'table_v'].map((name) => readOrDrawInput(c, name, readShape, 'table_multiplier'));
  return { clip: c.number('clip'), table_k: tableK as Tensor, table_v: tableV as Tensor };
};

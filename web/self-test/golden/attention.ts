// Attention with each encoding (the golden family `attention`).

import type { AttentionRequest, AttentionResult, Params, Tensor } from '../../engine/types/api.ts';
import type { AnyEncoding, DynamicRequest } from '../any-phasor.ts';
import { ATTENTION_TOLERANCE, type Case, consecutiveIntegers, type Methods, type Runner } from './case.ts';
import { hasDrawnInputs } from './drawn.ts';
import { alibiParams, halfSplitParams, interleavedParams, relativeBiasParams, shawParams, t5Params } from './encoding.ts';
import { expectSizes, readInputs, readMask, readScale } from './request.ts';
import { expectSamples } from './samples.ts';

type Engine = Parameters<Runner>[1];
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Applies a rotary encoding to q and k at positions that start at `first`. Other encodings depend only on distances. */
async function applyShiftedPositions(phasor: Engine, request: Mutable<DynamicRequest<AttentionRequest>>, first: number): Promise<void> {
  const encoding = request.encoding as { id: string } & Params;
  if (phasor.encodings.find(({ id }) => id === encoding.id)?.injection !== 'query_key') return;
  const [queries = 0, keys = 0] = [request.q.shape[1], request.k.shape[1]];
  const firstQuery = first + (request.positionOffset ?? keys - queries);
  request.q = await phasor.applyRotary(request.q, { encoding, positions: consecutiveIntegers(queries, firstQuery), role: 'query' });
  request.k = await phasor.applyRotary(request.k, { encoding, positions: consecutiveIntegers(keys, first), role: 'key' });
  request.encoding = 'none';
}

const attentionRunner =
  (id: string, params: (c: Case) => Params = () => ({})): Runner =>
  async (c, phasor) => {
    const { q, k, v } = readInputs(c);
    const request: Mutable<DynamicRequest<AttentionRequest>> = {
      q,
      k,
      v,
      ...readMask(c),
      ...readScale(c, q.shape[2] ?? 0),
      ...(c.has('q_offset') ? { positionOffset: c.number('q_offset') } : {}),
      encoding: { id, ...params(c), ...(id === 'rope' && c.has('base') ? { base: c.number('base') } : {}) } as AnyEncoding,
      outputs: ['weights'],
    };
    const firstPosition = c.numberOr('position_offset', 0);
    if (firstPosition !== 0) await applyShiftedPositions(phasor, request, firstPosition);
    const expectResult = ({ output, weights }: AttentionResult) => {
      if (hasDrawnInputs(c)) return expectSamples(c, { output, weights: weights as Tensor });
      c.expect('weights', weights as Tensor, ATTENTION_TOLERANCE, 'weights');
      c.expect('out', output, ATTENTION_TOLERANCE);
    };
    const actual = await phasor.attention(request);
    expectResult(actual);
    // Without `weights` in `outputs`, attention is computed in tiles instead of whole rows.
    const { output } = await phasor.attention({ ...request, outputs: [] });
    expectResult({ ...actual, output });
  };

function sliceRows({ shape, data }: Tensor, first: number): Tensor {
  const [heads = 0, rows = 0, width = 0] = shape;
  const rowData = consecutiveIntegers(heads).flatMap((h) => [...data.subarray((h * rows + first) * width, (h + 1) * rows * width)]);
  return { shape: [heads, rows - first, width], data: Float32Array.from(rowData) };
}

/**
 * Padding rows are not compared. The first position does not affect the weights, because softmax is invariant to a constant added to all
 * scores of a row.
 */
const bloom: Runner = async (c, phasor) => {
  const [q, k, v] = [c.tensor('q', 3), c.tensor('k', 3), c.tensor('v', 3)];
  expectSizes(c, q, k);
  if (!c.text('mask').startsWith('causal+left pad')) c.fail(`param mask: unknown value "${c.text('mask')}"`);
  const keyMask = c.numbers('key_keep') as (0 | 1)[];
  const encoding = { id: 'alibi', form: 'row_shifted' };
  const actual = await phasor.attention({
    q,
    k,
    v,
    encoding,
    mask: 'causal',
    keyMask,
    ...readScale(c, q.shape[2] ?? 0),
    outputs: ['weights'],
  });
  const firstVisible = keyMask.indexOf(1);
  c.expect('weights', sliceRows(actual.weights as Tensor, firstVisible), ATTENTION_TOLERANCE, 'weights');
  c.expect('out', sliceRows(actual.output, firstVisible), ATTENTION_TOLERANCE);
};

export const attentions: Methods = {
  attention_none: attentionRunner('none'),
  attention_gqa: attentionRunner('none'),
  attention_rope_half: attentionRunner('rope', halfSplitParams),
  attention_rope_interleaved: attentionRunner('rope', interleavedParams),
  attention_alibi: attentionRunner('alibi', alibiParams),
  attention_alibi_bloom: bloom,
  attention_kerple_log: attentionRunner('kerple', (c) => ({ r1: c.tensor('r1'), r2: c.tensor('r2') })),
  attention_t5: attentionRunner('t5', t5Params),
  attention_plain_b: attentionRunner('relative_bias', relativeBiasParams),
  attention_shaw: attentionRunner('shaw', shawParams),
  attention_xpos: attentionRunner('xpos', (c) => ({ scale_base: c.number('scale_base'), base: c.number('base') })),
};

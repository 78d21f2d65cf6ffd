// Multi-head latent attention (DeepSeek-V2), computed from full keys and values and from latents, each with and without a cache.

import type { AttentionRequest, Tensor } from '../../engine/types/api.ts';
import type { DynamicRequest } from '../any-phasor.ts';
import { ATTENTION_TOLERANCE, type Case, COMPOSITE_TOLERANCE, consecutiveIntegers, type Methods, type Runner } from './case.ts';
import { expectAttention } from './frontier-encodings.ts';
import { readMask } from './request.ts';

/** Concatenates the channels of a and b. If b has a single head, it is repeated for all heads of a. */
function concatenateChannels(a: Tensor, b: Tensor): Tensor {
  const [heads = 0, tokens = 0, aDim = 0] = a.shape;
  const bDim = b.shape[2] ?? 0;
  const rows = consecutiveIntegers(heads).flatMap((head) =>
    consecutiveIntegers(tokens).flatMap((token) => {
      const [aRow, bRow] = [head * tokens + token, (b.shape[0] === 1 ? 0 : head) * tokens + token];
      return [...a.data.subarray(aRow * aDim, (aRow + 1) * aDim), ...b.data.subarray(bRow * bDim, (bRow + 1) * bDim)];
    }),
  );
  return { shape: [heads, tokens, aDim + bDim], data: Float32Array.from(rows) };
}

/** Multiplies x [heads or 1, tokens, n] by m [heads, n, columns], or by the transpose of m [heads, columns, n]. */
function matmul(x: Tensor, m: Tensor, isTransposed: boolean): Tensor {
  const [inputHeads = 0, tokens = 0, innerDim = 0] = x.shape;
  const [heads = 0, rows = 0, mColumns = 0] = m.shape;
  const columns = isTransposed ? rows : mColumns;
  const getEntry = (head: number, n: number, column: number): number =>
    m.data[head * rows * mColumns + (isTransposed ? column * mColumns + n : n * mColumns + column)] ?? Number.NaN;
  const data = consecutiveIntegers(heads).flatMap((head) =>
    consecutiveIntegers(tokens).flatMap((token) => {
      const row = ((inputHeads === 1 ? 0 : head) * tokens + token) * innerDim;
      return consecutiveIntegers(columns).map((column) =>
        consecutiveIntegers(innerDim).reduce((sum, n) => sum + (x.data[row + n] ?? Number.NaN) * getEntry(head, n, column), 0),
      );
    }),
  );
  return { shape: [heads, tokens, columns], data: Float32Array.from(data) };
}

const addHeadAxis = ({ shape, data }: Tensor): Tensor => ({ shape: [1, ...shape], data });

/** Returns the tokens from `begin` to `end` - 1 of every head. */
function sliceTokens({ shape, data }: Tensor, begin: number, end: number): Tensor {
  const [heads = 0, tokens = 0, width = 0] = shape;
  const rows = consecutiveIntegers(heads).flatMap((head) => [
    ...data.subarray((head * tokens + begin) * width, (head * tokens + end) * width),
  ]);
  return { shape: [heads, end - begin, width], data: Float32Array.from(rows) };
}

/**
 * Adds the earlier tokens to a cache in one call, and decodes the queries in another. Returns undefined if the mask is not causal, or if
 * the queries are not the last tokens.
 */
async function decodeAll(
  phasor: Parameters<Runner>[1],
  request: DynamicRequest<AttentionRequest> & Record<'q' | 'k' | 'v', Tensor>,
): Promise<Tensor | undefined> {
  const { q, k, v, encoding, scale, keyMask, mask, positionOffset } = request;
  const [heads = 0, queries = 0, width = 0] = q.shape;
  const [kvHeads = 0, maxLength = 0] = k.shape;
  const cachedCount = maxLength - queries;
  if (mask !== 'causal' || positionOffset !== cachedCount) return undefined;
  const cache = await phasor.createCache({ heads, kvHeads, headDim: width, vHeadDim: v.shape[2], maxLength, encoding, scale });
  const decodeStep = async (stepQueries: Tensor, first: number, last: number) => {
    const keyMaskOption = keyMask ? { keyMask: Array.from(keyMask as ArrayLike<0 | 1>).slice(first, last) } : {};
    return (await cache.decode({ q: stepQueries, k: sliceTokens(k, first, last), v: sliceTokens(v, first, last), ...keyMaskOption }))
      .output;
  };
  if (cachedCount > 0)
    await decodeStep({ shape: [heads, cachedCount, width], data: new Float32Array(heads * cachedCount * width) }, 0, cachedCount);
  const output = await decodeStep(q, cachedCount, maxLength);
  await cache.dispose();
  return output;
}

function expectSizes(c: Case, content: Tensor, rotary: Tensor, latent: Tensor, valueUp: Tensor): void {
  c.expectParam('heads', content.shape[0]);
  c.expectParam('q_len', content.shape[1]);
  c.expectParam('k_len', latent.shape[1]);
  c.expectParam('content_width', content.shape[2]);
  c.expectParam('rotary_width', rotary.shape[2]);
  c.expectParam('latent_width', latent.shape[2]);
  c.expectParam('value_width', valueUp.shape[2]);
  c.expectParam('scale', '1/sqrt(content_width + rotary_width)');
}

export const latentAttention: Methods = {
  attention_mla: async (c, phasor) => {
    const [content, rotary] = [c.tensor('q_content', 3), c.tensor('q_rotary', 3)];
    const [keyUp, valueUp] = [c.tensor('key_up', 3), c.tensor('value_up', 3)];
    const [latent, keyRotary] = [addHeadAxis(c.tensor('latent', 2)), addHeadAxis(c.tensor('k_rotary', 2))];
    expectSizes(c, content, rotary, latent, valueUp);
    const width = (content.shape[2] ?? 0) + (rotary.shape[2] ?? 0);
    const commonOptions = { ...readMask(c), positionOffset: c.number('q_offset'), scale: 1 / Math.sqrt(width) };
    const encoding = (offset = 0) => ({ id: 'rope', base: c.number('base'), layout: c.text('layout'), rotary_offset: offset });
    const fullRequest = {
      ...commonOptions,
      q: concatenateChannels(content, rotary),
      k: concatenateChannels(matmul(latent, keyUp, false), keyRotary),
      v: matmul(latent, valueUp, false),
      encoding: encoding(content.shape[2]),
    };
    await expectAttention(c, phasor, fullRequest);
    const decodedResult = await decodeAll(phasor, fullRequest);
    if (decodedResult) c.expect('out', decodedResult, ATTENTION_TOLERANCE);
    // If key_up is absorbed into the queries and value_up into the outputs, the cache stores only latents, which all heads share.
    const latentRequest = {
      ...commonOptions,
      q: concatenateChannels(matmul(content, keyUp, true), rotary),
      k: concatenateChannels(latent, keyRotary),
      v: latent,
      encoding: encoding(latent.shape[2]),
    };
    const { weights, output } = await phasor.attention({ ...latentRequest, outputs: ['weights'] });
    c.expect('weights', weights, ATTENTION_TOLERANCE, 'weights');
    c.expect('out', matmul(output, valueUp, false), COMPOSITE_TOLERANCE);
    const decodedLatents = await decodeAll(phasor, latentRequest);
    if (decodedLatents) c.expect('out', matmul(decodedLatents, valueUp, false), COMPOSITE_TOLERANCE);
  },
};

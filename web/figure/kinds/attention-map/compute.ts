// Computes the pooled attention weights of a long sequence in blocks of queries, and reports progress before each block.

import { extent } from '../../../charts/grid.ts';
import { permutationError } from '../../../engine/analysis.ts';
import { PhasorError } from '../../../engine/errors.ts';
import type { MaskTensor, Tensor } from '../../../engine/index.ts';
import { resolveRegion } from '../../compute/region.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';
import { createTokens, type TokenSpec } from './tokens.ts';

export interface AttentionMapSpec extends TokenSpec {
  readonly encoding: EncodingSpec;
  readonly mask: 'causal' | 'none';
  readonly prefixLength: number;
  readonly window: number;
  readonly query: number;
  readonly key: number;
  readonly span: number;
  readonly size: number;
}

/** Number of scores per block. Cancellation is checked between blocks, every few tenths of a second. */
const MAX_BLOCK_SCORES = 2 ** 25;
/** Maximum number of tokens with a prefix mask, because the mask takes one byte per query-key pair. */
export const MAX_MASKED_TOKENS = 8192;
/** Maximum number of cells for which the proof computes exact weights. */
const MAX_CHECKED_CELLS = 8;

export async function computeAttentionMap(spec: AttentionMapSpec, context: KindContext) {
  const { engine, signal, progress } = context;
  const { dim, mask, window } = spec;
  const prefix = mask === 'causal' ? spec.prefixLength : 0;
  const { x, length, words } = await createTokens(spec, context);
  for (const name of ['query', 'key'] as const)
    if (spec[name] >= length) throw new SpecError(name, `${name}: ${strings.outOfRange(spec[name], length)}`);
  if (prefix > 0 && length > MAX_MASKED_TOKENS)
    throw new SpecError('prefixLength', `prefixLength: ${strings.tooLongForPrefix(length, MAX_MASKED_TOKENS)}`);
  const { rows, columns, cell, cells } = resolveRegion(spec, length);
  const sharedRequest = {
    k: x,
    v: { shape: [1, length, 1], data: new Float32Array(length) },
    encoding: withUsedParams(spec.encoding, engine.encodings),
    mask: prefix > 0 ? ('none' as const) : mask,
    ...(window > 0 ? { window } : {}),
  };
  /** Pools the weights of the queries from `firstQuery` to `endQuery` (exclusive) over a range of keys. */
  const poolWeights = async (
    firstQuery: number,
    endQuery: number,
    keys: readonly [number, number],
    cellSize: readonly [number, number],
  ) => {
    const q = { shape: [1, endQuery - firstQuery, dim], data: x.data.subarray(firstQuery * dim, endQuery * dim) };
    const { pooledWeights } = await engine.attention({
      ...sharedRequest,
      q,
      positionOffset: firstQuery,
      ...(prefix > 0 ? { attnMask: createPrefixMask(firstQuery, endQuery, length, prefix) } : {}),
      outputs: ['pooledWeights'],
      pooling: { columns: keys, cellSize },
    });
    return pooledWeights.mean;
  };

  const data = new Float32Array(cells * cells);
  const blockQueryCount = cell * Math.max(1, Math.floor(MAX_BLOCK_SCORES / length / cell));
  for (let blockQuery = rows[0]; blockQuery < rows[1]; blockQuery += blockQueryCount) {
    if (signal?.aborted) throw new PhasorError('cancelled', 'the request was replaced by a newer one');
    progress?.((blockQuery - rows[0]) / (rows[1] - rows[0]));
    const blockMap = await poolWeights(blockQuery, Math.min(rows[1], blockQuery + blockQueryCount), columns, [cell, cell]);
    data.set(blockMap.data, ((blockQuery - rows[0]) / cell) * cells);
  }
  const map: Tensor = { shape: [cells, cells], data };

  // For the proof, computes the exact weights of complete cells around the largest mean.
  const { argmax, max } = extent(data);
  const completeCellCount = Math.floor((columns[1] - columns[0]) / cell);
  const row = Math.min(Math.floor(Math.max(0, argmax) / cells), completeCellCount - 1);
  const count = Math.min(MAX_CHECKED_CELLS, completeCellCount);
  const column = Math.min(Math.max(0, (argmax % cells) - (count >> 1)), completeCellCount - count);
  const blockStart = [rows[0] + row * cell, columns[0] + column * cell] as const;
  const exactWeights = await poolWeights(blockStart[0], blockStart[0] + cell, [blockStart[1], blockStart[1] + count * cell], [1, 1]);
  const expectedMeans = await computeCellMeans(exactWeights, cell, count, engine);
  const pooledCells = { shape: [count, 1], data: data.slice(row * cells + column, row * cells + column + count) };
  const identityOrder = Array.from({ length: count }, (_, position) => position);
  const { maxAbsDiff } = await permutationError(engine, { before: expectedMeans, after: pooledCells, order: identityOrder });
  return { map, largestMean: Math.max(0, max), proofCheck: { count, maxAbsDiff }, length, words, x };
}

/**
 * Creates the mask [queries, keys] of the queries from `firstQuery` to `endQuery` (exclusive). A query sees the prefix,
 * all earlier keys and its own.
 */
function createPrefixMask(firstQuery: number, endQuery: number, length: number, prefix: number): MaskTensor {
  const data = new Uint8Array((endQuery - firstQuery) * length);
  for (let query = firstQuery; query < endQuery; query += 1) {
    const row = (query - firstQuery) * length;
    data.fill(1, row, row + Math.min(length, Math.max(prefix, query + 1)));
  }
  return { shape: [endQuery - firstQuery, length], data };
}

/**
 * Averages each cell of the weights [1, cell, count * cell], using attention with equal scores.
 */
async function computeCellMeans({ data }: Tensor, cell: number, count: number, engine: Engine): Promise<Tensor> {
  const zeros = (batch: number, length: number): Tensor => ({ shape: [batch, length, 1], data: new Float32Array(batch * length) });
  const queryMeans = await engine.attention({ q: zeros(1, 1), k: zeros(1, cell), v: { shape: [1, cell, count * cell], data } });
  const v = { shape: [count, cell, 1], data: queryMeans.output.data };
  const { output } = await engine.attention({ q: zeros(count, 1), k: zeros(count, cell), v });
  return { shape: [count, 1], data: output.data };
}

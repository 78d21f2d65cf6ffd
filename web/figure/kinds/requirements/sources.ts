// Tables with one row per position, computed by the core. A row is the added vector, a key rotated to that position, or
// the biases for a key at that position.

import { entryAt } from '../../../charts/entry-at.ts';
import { similarity } from '../../../engine/analysis.ts';
import type { EncodingSpec, Injection, Tensor, TensorData } from '../../../engine/index.ts';
import { selectFirstRows } from '../../compute/table-rows.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { selectMatrix } from '../../contract/tensor.ts';
import { strings } from './strings.ts';

export const fields = {
  encoding: encoding('sinusoidal'),
  // At least 16, so that the largest bias is meaningful. At most 256, because bfloat16 represents all integers up to 256.
  length: count(64, 16, 256),
  dim: count(64, 1, 512),
  heads: count(4, 1, 64),
  mask: choice('none', 'causal'),
  seed: count(1, 0, 2 ** 32 - 1),
};
export type Spec = SpecOf<typeof fields>;

/** The quantity that an encoding assigns to each position: an added vector, a rotated key, or a bias. */
export type Quantity = 'vector' | 'key' | 'bias';

export const getQuantity = (injection: Injection): Quantity =>
  injection === 'input' ? 'vector' : injection === 'query_key' ? 'key' : 'bias';

/** Throws a SpecError if dim is not a multiple of heads, unless the encoding adds vectors to the input. */
export function checkHeads({ encoding: { id }, dim, heads }: Spec, { encodings }: Pick<Engine, 'encodings'>): void {
  const injection = encodings.find((candidate) => candidate.id === id)?.injection ?? 'input';
  if (injection !== 'input' && dim % heads !== 0) throw new SpecError('heads', strings.headsNotDivisor(dim, heads));
}

export interface PositionSource {
  /** Computes the quantity for each position of a text, [length, channels]. */
  computeTable(length: number): Promise<Tensor>;
  /** Computes the rows of the table for `positions` without the other positions. */
  computeRows(positions: readonly number[]): Promise<Tensor>;
  /** Computes the scores of all pairs of positions, as matrices [length, length]. */
  computePairScores(length: number): Promise<readonly Tensor[]>;
  /** Computes the first `rowCount` rows of the table for a text of `length` tokens. */
  computeFirstRows(length: number, rowCount: number): Promise<Tensor>;
}

/**
 * Returns the position of the query whose biases are measured: the middle of the text, or its end under a causal mask.
 */
export const getQueryPosition = (length: number, mask: Spec['mask']): number => (mask === 'causal' ? length - 1 : Math.floor(length / 2));

/** Repeats one vector per head, [heads, dim], for every token: [heads, tokens, dim]. */
const repeatVectors = ({ shape: [heads = 0, width = 0], data }: Tensor, tokens: number): TensorData => ({
  shape: [heads, tokens, width],
  data,
  strides: [width, 0, 1],
});

/** Reshapes [heads, tokens, headDim] to [tokens, heads * headDim]. */
function concatenateHeads({ shape: [heads = 0, tokens = 0, width = 0], data }: Tensor): Tensor {
  const concatenated = new Float32Array(data.length);
  for (let head = 0; head < heads; head++)
    for (let token = 0; token < tokens; token++)
      concatenated.set(data.subarray((head * tokens + token) * width, (head * tokens + token + 1) * width), (token * heads + head) * width);
  return { shape: [tokens, heads * width], data: concatenated };
}

/** Returns the number of positions in a row of patches, or in the whole text if the encoding has one axis. */
export function getLineLength({ encoding: { id, ...params }, length }: Spec, { encodings }: Pick<Engine, 'encodings'>): number {
  const info = encodings.find((candidate) => candidate.id === id);
  const columns = params.columns ?? info?.params.find(({ name }) => name === 'columns')?.default;
  return info?.axes === 2 && typeof columns === 'number' ? Math.min(length, columns) : length;
}

export async function createPositionSource(spec: Spec, injection: Injection, engine: Engine): Promise<PositionSource> {
  const { length: _, dim, heads, mask, seed } = spec;
  const choice: EncodingSpec = withUsedParams(spec.encoding, engine.encodings);
  if (injection === 'input') {
    const computeTable = (length: number): Promise<Tensor> => engine.positionTable({ encoding: choice, length, dim });
    return {
      computeTable,
      computeRows: (positions) => engine.positionTable({ encoding: choice, positions: [...positions], dim }),
      computePairScores: async (length) => [await similarity(engine, { table: await computeTable(length), metric: 'dot' })],
      computeFirstRows: async (length, rowCount) => selectFirstRows(await computeTable(length), rowCount),
    };
  }
  const q = await engine.randomNormal({ seed, shape: [heads, dim / heads] });
  const k = await engine.randomNormal({ seed: (seed + 1) % 2 ** 32, shape: [heads, dim / heads] });

  if (injection === 'query_key') {
    const rotate = async (x: Tensor, role: 'query' | 'key', positions: readonly number[]): Promise<Tensor> =>
      concatenateHeads(await engine.applyRotary(repeatVectors(x, positions.length), { encoding: choice, positions: [...positions], role }));
    const allPositions = (length: number): number[] => Array.from({ length }, (_, position) => position);
    const computeTable = (length: number): Promise<Tensor> => rotate(k, 'key', allPositions(length));
    return {
      computeTable,
      computeRows: (positions) => rotate(k, 'key', positions),
      computePairScores: async (length) => [
        await computeScores(await rotate(q, 'query', allPositions(length)), await computeTable(length), engine),
      ],
      computeFirstRows: async (length, rowCount) => selectFirstRows(await computeTable(length), rowCount),
    };
  }

  const computeBiases = async (request: object, queries: number, keys: number): Promise<Tensor> => {
    const attentionInputs = { q: repeatVectors(q, queries), k: repeatVectors(k, keys), v: repeatVectors(k, keys) };
    return (await engine.attention({ ...attentionInputs, encoding: choice, ...request, outputs: ['bias'] })).bias;
  };
  const biasQuery = getQueryPosition(spec.length, mask);
  /** Returns the biases of each head as a matrix [length, length]. The biases of masked pairs are 0. */
  const computePairScores = async (length: number): Promise<readonly Tensor[]> => {
    const bias = await computeBiases({}, length, length);
    const matrices = Array.from({ length: heads }, (_, head) => selectMatrix(bias, head));
    return mask === 'causal' ? matrices.map(zeroLaterKeys) : matrices;
  };
  return {
    computeTable: async (length) =>
      concatenateHeads(asColumns(await computeBiases({ positionOffset: getQueryPosition(length, mask) }, 1, length))),
    computeRows: async (positions) =>
      concatenateHeads(asColumns(await computeBiases({ queryPositions: [biasQuery], keyPositions: [...positions] }, 1, positions.length))),
    computePairScores,
    computeFirstRows: async (length, rowCount) =>
      stackRows((await computePairScores(length)).map((matrix) => topLeftBlock(matrix, rowCount))),
  };
}

/** Reshapes biases from [heads, 1, keys] to [heads, keys, 1]. */
const asColumns = ({ shape: [heads = 0, , keys = 0], data }: Tensor): Tensor => ({ shape: [heads, keys, 1], data });

/** Computes the dot products of the rows of two tables, [rows, rows]. */
async function computeScores(queries: Tensor, keys: Tensor, engine: Engine): Promise<Tensor> {
  const [rows = 0, width = 0] = queries.shape;
  const table = stackRows([queries, keys]);
  const { data } = await similarity(engine, { table: { shape: [2 * rows, width], data: table.data }, metric: 'dot' });
  const products = new Float32Array(rows * rows);
  for (let row = 0; row < rows; row++) products.set(data.subarray(row * 2 * rows + rows, (row + 1) * 2 * rows), row * rows);
  return { shape: [rows, rows], data: products };
}

function zeroLaterKeys({ shape, data }: Tensor): Tensor {
  const side = entryAt(shape, 0);
  return { shape, data: data.map((value, index) => (index % side > Math.floor(index / side) ? 0 : value)) };
}

export function topLeftBlock({ shape: [side = 0], data }: Tensor, rowCount: number): Tensor {
  const cornerData = new Float32Array(rowCount * rowCount);
  for (let row = 0; row < rowCount; row++) cornerData.set(data.subarray(row * side, row * side + rowCount), row * rowCount);
  return { shape: [rowCount, rowCount], data: cornerData };
}

export function stackRows(tables: readonly Tensor[]): Tensor {
  const columns = tables[0]?.shape[1] ?? 0;
  const data = new Float32Array(tables.reduce((size, table) => size + table.data.length, 0));
  let offset = 0;
  for (const table of tables) {
    data.set(table.data, offset);
    offset += table.data.length;
  }
  return { shape: [columns === 0 ? 0 : data.length / columns, columns], data };
}

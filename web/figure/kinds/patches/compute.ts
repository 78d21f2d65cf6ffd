// Computes one attention layer's outputs for a photograph's patches in the original order and in another order.

import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { permutationError, permutationTest } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import { isIdentity, type Order } from '../../../sentence/order.ts';
import { drawRandomOrder, reorderRows } from '../../compute/seeded-order.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { selectMatrix } from '../../contract/tensor.ts';
import { PHOTOGRAPH_SIDE, type PhotographName } from '../../runtime/photographs.ts';
import { computePatchEmbeddings } from './pixels.ts';
import { strings } from './strings.ts';

export interface PatchesSpec {
  readonly picture: PhotographName;
  readonly patch: '4' | '8' | '16';
  readonly encoding: EncodingSpec;
  readonly arrangement: 'shuffled' | 'swapped' | 'original';
  readonly chosen: number;
  readonly partner: number;
  readonly heads: number;
  readonly head: number;
  readonly projections: 'identity' | 'orthogonal';
  readonly seed: number;
}

export const countPatchesPerSide = ({ patch }: Pick<PatchesSpec, 'patch'>): number => PHOTOGRAPH_SIDE / Number(patch);

/** Encodings that compute row and column positions from token indices, given the size of the patch grid. */
const GRID_ENCODINGS = ['rope_2d', 'rope_mixed'];

/** Adds the size of the patch grid to encodings that need it. */
export function gridEncoding(spec: Pick<PatchesSpec, 'encoding' | 'patch'>): EncodingSpec {
  const side = countPatchesPerSide(spec);
  if (!GRID_ENCODINGS.includes(spec.encoding.id)) return spec.encoding;
  return { columns: side, ...(spec.encoding.id === 'rope_2d' ? { rows: side } : {}), ...spec.encoding };
}

/** [patches, 2]: row and column of each patch. */
export const createPatchCoordinates = (side: number): Tensor => ({
  shape: [side * side, 2],
  data: Float32Array.from({ length: 2 * side * side }, (_, index) =>
    index % 2 === 0 ? Math.floor(index / 2 / side) : (index / 2 - 0.5) % side,
  ),
});

function checkPatchIndices(spec: PatchesSpec): void {
  const side = countPatchesPerSide(spec);
  for (const name of ['chosen', 'partner'] as const)
    if (spec[name] >= side * side && (name === 'chosen' || spec.arrangement === 'swapped'))
      throw new SpecError(name, `${name}: ${strings.outOfRange(spec[name], side)}`);
  if (spec.arrangement === 'swapped' && spec.chosen === spec.partner) throw new SpecError('partner', `partner: ${strings.samePatch}`);
}

/**
 * Returns the displayed order, and an order that differs from the original one, which is tested if the original
 * order is displayed. Orders list the patch index at each position.
 */
async function createOrders(spec: PatchesSpec, engine: Engine): Promise<{ readonly order: Order; readonly shuffledOrder: Order }> {
  const count = countPatchesPerSide(spec) ** 2;
  const shuffledOrder = await drawRandomOrder(count, spec.seed, engine);
  if (spec.arrangement === 'shuffled') return { order: shuffledOrder, shuffledOrder };
  const order = Array.from({ length: count }, (_, position) => position);
  if (spec.arrangement === 'original') return { order, shuffledOrder };
  order[spec.chosen] = spec.partner;
  order[spec.partner] = spec.chosen;
  return { order, shuffledOrder: order };
}

export async function computePatches(spec: PatchesSpec, { engine, photographs }: KindContext) {
  checkPatchIndices(spec);
  const { heads, projections, seed } = spec;
  const embeddings = computePatchEmbeddings(await photographs.shades(spec.picture), Number(spec.patch));
  const encoding = withUsedParams(gridEncoding(spec), engine.encodings);
  const head = Math.min(spec.head, heads) - 1;
  const { order, shuffledOrder } = await createOrders(spec, engine);
  const layer = { heads, projections, seed, head, outputs: ['weights'] } as const;

  const compareOrder = async (comparedOrder: Order) => {
    if (encoding.id !== 'sinusoidal_grid') return permutationTest(engine, { ...layer, x: embeddings, encoding, order: comparedOrder });
    // selfAttention supports only one-dimensional positions, so the two-dimensional position table is added to its input.
    const width = entryAt(embeddings.shape, 1);
    const table = await engine.positionTable({ encoding, positions: createPatchCoordinates(countPatchesPerSide(spec)), dim: width });
    const [before, after] = await Promise.all(
      [embeddings, reorderRows(embeddings, comparedOrder)].map(async (x) =>
        engine.selfAttention({ ...layer, x: await engine.combine({ x, table }) }),
      ),
    );
    if (!before || !after) throw new Error('a layer returned no result');
    const permutationResult = await permutationError(engine, { before: before.output, after: after.output, order: comparedOrder });
    return { ...after, ...permutationResult, before: before.output };
  };

  const comparison = await compareOrder(order);
  const trial = isIdentity(order) ? await compareOrder(shuffledOrder) : comparison;
  const { min, max } = extent(comparison.before.data);
  return {
    order,
    embeddings,
    weights: selectMatrix(comparison.weights, 0),
    before: comparison.before,
    after: comparison.output,
    differences: comparison.perToken,
    maxAbsOutput: Math.max(-min, max),
    trial: { isShownOrder: trial === comparison, maxAbsDiff: trial.maxAbsDiff },
  };
}

// Whether the scores of rotated queries and keys depend on position differences only, within the precision of float32.
import { relativePositionError, tableStatistics } from '../../engine/analysis.ts';
import type { EncodingSpec, Positions, Tensor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

/**
 * The tolerance as a fraction of the product of two lengths. Each channel of a rotated vector is rounded a few times, by 2^-24 of the length
 * of its pair; two scores, each a product of two rotated vectors, then differ by less than this fraction.
 */
const RELATIVE_TOLERANCE = 1e-6;

export interface RotaryProof {
  readonly residual: number;
  readonly tolerance: number;
}

/** The proof for q and k (1, dim). @param rotated vectors, the longest of which determines the tolerance */
export async function rotaryProof(
  engine: Engine,
  request: { readonly encoding: EncodingSpec; readonly q: Tensor; readonly k: Tensor; readonly positions: Positions },
  rotated: Tensor,
): Promise<RotaryProof> {
  const { maxAbsDiff } = await relativePositionError(engine, request);
  const { maxNorm } = await tableStatistics(engine, { table: rotated });
  return { residual: maxAbsDiff, tolerance: RELATIVE_TOLERANCE * Math.max(1, maxNorm * maxNorm) };
}

// Checks that the scores of rotated queries and keys depend only on the difference of their positions, up to float32 rounding.
import { relativePositionError, tableStatistics } from '../../engine/analysis.ts';
import type { EncodingSpec, Positions, Tensor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

/**
 * Tolerance for a score, relative to the product of the vectors' lengths. Each channel of a rotated vector is rounded only a few times,
 * with a relative error of at most 2^-24 each time.
 */
const RELATIVE_TOLERANCE = 1e-6;

export interface RotaryProof {
  readonly residual: number;
  readonly tolerance: number;
}

/**
 * Measures how much the score of q and k, [1, dim] each, changes when both positions are shifted by the same amount. The tolerance is based
 * on the longest of `rotatedVectors`.
 */
export async function computeRotaryProof(
  engine: Engine,
  request: { readonly encoding: EncodingSpec; readonly q: Tensor; readonly k: Tensor; readonly positions: Positions },
  rotatedVectors: Tensor,
): Promise<RotaryProof> {
  const { maxAbsDiff } = await relativePositionError(engine, request);
  const { maxNorm } = await tableStatistics(engine, { table: rotatedVectors });
  return { residual: maxAbsDiff, tolerance: RELATIVE_TOLERANCE * Math.max(1, maxNorm * maxNorm) };
}

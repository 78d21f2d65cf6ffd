// Checks that the scores of rotated queries and keys depend only on position differences, within the precision of float32.
import { relativePositionError, tableStatistics } from '../../engine/analysis.ts';
import type { EncodingSpec, Positions, Tensor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

/**
 * The tolerance of a score, as a fraction of the product of the two vector lengths. Each channel of a rotated vector is rounded a few times,
 * with relative error 2^-24, so equal scores differ by less than this fraction.
 */
const RELATIVE_TOLERANCE = 1e-6;

export interface RotaryProof {
  readonly residual: number;
  readonly tolerance: number;
}

/** Measures how far the score of q and k, [1, dim] each, depends on absolute positions. The longest of `rotatedVectors` sets the tolerance. */
export async function computeRotaryProof(
  engine: Engine,
  request: { readonly encoding: EncodingSpec; readonly q: Tensor; readonly k: Tensor; readonly positions: Positions },
  rotatedVectors: Tensor,
): Promise<RotaryProof> {
  const { maxAbsDiff } = await relativePositionError(engine, request);
  const { maxNorm } = await tableStatistics(engine, { table: rotatedVectors });
  return { residual: maxAbsDiff, tolerance: RELATIVE_TOLERANCE * Math.max(1, maxNorm * maxNorm) };
}

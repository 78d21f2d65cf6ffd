// Checks that the similarity of two rows of a table depends only on the distance between them.
import { extent } from '../../charts/grid.ts';
import { makeProof, type Proof } from '../contract/kind.ts';

/** For cosine similarities, which are at most 1. In float32, the cosine of 64-channel vectors is a sum of 64 rounded products. */
const TOLERANCE = 1e-5;

interface ProofStrings {
  readonly measures: { readonly [measure: string]: string };
  readonly proof: { quantity(measure: string): string; readonly toleranceSource: string; readonly passes: string; readonly fails: string };
}

/**
 * @param spread the largest difference between similarities at the same distance
 * @param values the similarities, or bounds on them
 */
export function createDistanceProof(
  { measures, proof }: ProofStrings,
  measure: string,
  spread: number,
  ...values: ArrayLike<number>[]
): Proof {
  const magnitudes = values.map(extent).flatMap(({ min, max }) => [Math.abs(min), Math.abs(max)]);
  return makeProof({ ...proof, quantity: proof.quantity(measures[measure] as string) }, spread, TOLERANCE * Math.max(1, ...magnitudes));
}

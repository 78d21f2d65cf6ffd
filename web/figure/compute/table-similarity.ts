// The proof that the similarity of two rows of a table depends only on their distance.
import { extent } from '../../charts/grid.ts';
import { makeProof, type Proof } from '../contract/kind.ts';

/** The tolerance for similarities of at most 1 in float32: a cosine of 64 channels is a sum of 64 rounded products. */
const TOLERANCE = 1e-5;

interface ProofStrings {
  readonly measures: { readonly [measure: string]: string };
  readonly proof: { quantity(measure: string): string; readonly toleranceSource: string; readonly passes: string; readonly fails: string };
}

/** @param spread the largest difference between similarities at the same distance @param values the similarities, or bounds of them */
export function createDistanceProof(
  { measures, proof }: ProofStrings,
  measure: string,
  spread: number,
  ...values: ArrayLike<number>[]
): Proof {
  const magnitudes = values.map(extent).flatMap(({ min, max }) => [Math.abs(min), Math.abs(max)]);
  return makeProof({ ...proof, quantity: proof.quantity(measures[measure] as string) }, spread, TOLERANCE * Math.max(1, ...magnitudes));
}

// Proofs: statements about the numbers of a figure, which the core checks.
import { STRINGS } from './strings.ts';

/** A statement about the numbers of a figure that the core has just checked. */
export interface Proof {
  /** The measured quantity, such as 'largest difference of two scores at the same distance'. */
  readonly quantity: string;
  /** The residual, computed by the core. */
  readonly residual: number;
  readonly tolerance: number;
  /** The justification of the tolerance. */
  readonly toleranceSource: string;
  /** The conclusion in one sentence; it depends on whether the residual is within the tolerance. */
  readonly conclusion: string;
}

/** The labels of a proof that passes or fails: a symbol and one or two words. */
export interface ProofLabels {
  readonly passes: string;
  readonly fails: string;
}

interface ProofStrings {
  readonly quantity: string;
  readonly toleranceSource: string;
  readonly passes: string;
  readonly fails: string;
}

/** A proof whose strings depend only on whether it passes. */
export const createProof = (strings: ProofStrings, residual: number, tolerance: number): Proof => ({
  quantity: strings.quantity,
  residual,
  tolerance,
  toleranceSource: strings.toleranceSource,
  conclusion: residual <= tolerance ? strings.passes : strings.fails,
});

export const passes = ({ residual, tolerance }: Proof): boolean => residual <= tolerance;

/** The label that precedes the sentence of a proof. */
export const selectVerdict = ({ verdicts = STRINGS.verdicts }: { readonly verdicts?: ProofLabels }, proof: Proof): string =>
  verdicts[passes(proof) ? 'passes' : 'fails'];

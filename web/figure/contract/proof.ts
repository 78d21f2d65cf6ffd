import { STRINGS } from './strings.ts';

/** A statement about the numbers of a figure. The core has just checked it. */
export interface Proof {
  /** The measured quantity, such as 'largest difference of two scores at the same distance'. */
  readonly quantity: string;
  /** The measured value, computed by the core. The proof passes if it is within the tolerance. */
  readonly residual: number;
  readonly tolerance: number;
  /** A sentence that justifies the tolerance. */
  readonly toleranceSource: string;
  /** A sentence with the conclusion, which depends on whether the proof passes. */
  readonly conclusion: string;
}

/** The labels of proofs that pass and of proofs that fail. A label is a symbol and one or two words. */
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

export const createProof = (strings: ProofStrings, residual: number, tolerance: number): Proof => ({
  quantity: strings.quantity,
  residual,
  tolerance,
  toleranceSource: strings.toleranceSource,
  conclusion: residual <= tolerance ? strings.passes : strings.fails,
});

export const passes = ({ residual, tolerance }: Proof): boolean => residual <= tolerance;

export const selectVerdict = ({ verdicts = STRINGS.verdicts }: { readonly verdicts?: ProofLabels }, proof: Proof): string =>
  verdicts[passes(proof) ? 'passes' : 'fails'];

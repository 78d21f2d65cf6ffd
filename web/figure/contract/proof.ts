import { STRINGS } from './strings.ts';

/** A statement about a figure's results, checked by the core. */
export interface Proof {
  /** The measured quantity, such as 'largest difference between two scores at the same distance'. */
  readonly quantity: string;
  /** The measured value, computed by the core. The proof passes if it is within the tolerance. */
  readonly residual: number;
  readonly tolerance: number;
  /** A sentence that justifies the tolerance. */
  readonly toleranceSource: string;
  /** The conclusion as a sentence. It depends on whether the proof passes. */
  readonly conclusion: string;
}

/** Labels for proofs that pass or fail: a symbol and one or two words each. */
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

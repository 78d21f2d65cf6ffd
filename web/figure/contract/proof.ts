// What a figure proves of its numbers.
import { WORDS } from './strings.ts';

/** A statement about the figure's numbers that the core has checked just now. */
export interface Proof {
  /** What was measured, as a clause: 'largest difference of two scores at the same distance'. */
  readonly what: string;
  /** From the core. */
  readonly residual: number;
  readonly tolerance: number;
  /** Where the tolerance comes from. */
  readonly source: string;
  /** What it means that the residual is within the tolerance, or above it: one sentence. */
  readonly meaning: string;
}

/** Whether a proof holds, in one or two words with a sign. */
export interface ProofLabels {
  readonly holds: string;
  readonly amber: string;
}

interface ProofWords {
  readonly what: string;
  readonly source: string;
  readonly holds: string;
  readonly amber: string;
}

/** A proof in words that depend on nothing but whether it holds. */
export const makeProof = ({ what, source, holds, amber }: ProofWords, residual: number, tolerance: number): Proof => ({
  what,
  residual,
  tolerance,
  source,
  meaning: residual <= tolerance ? holds : amber,
});

export const passes = ({ residual, tolerance }: Proof): boolean => residual <= tolerance;

/** What is before the sentence of a proof. */
export const verdictOf = ({ verdicts = WORDS.verdicts }: { readonly verdicts?: ProofLabels }, proof: Proof): string =>
  verdicts[passes(proof) ? 'holds' : 'amber'];

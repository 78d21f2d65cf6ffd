import type { Placement } from '../../contract/placement.ts';

const USUAL = ['none', 'alibi', 'learned', 'rope'];
/** Encodings that it has lines of (strings.ts). */
export const LINES: readonly string[] = [...USUAL, 'sinusoidal', 't5'];

export const placement: Placement = {
  question: 'learn',
  place: 1,
  title: 'Learning curves',
  isAlone: true,
  // The encoding that is open runs along.
  given: (encoding) => ({ encodings: (LINES.includes(encoding) ? [...new Set([...USUAL, encoding])] : USUAL).join(', ') }),
};

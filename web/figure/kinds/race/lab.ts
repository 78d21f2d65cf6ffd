import type { LabPlace } from '../../contract/lab-place.ts';

const USUAL = ['none', 'alibi', 'learned', 'rope'];
/** Encodings that it has lines of (words.ts). */
export const LINES: readonly string[] = [...USUAL, 'sinusoidal', 't5'];

export const lab: LabPlace = {
  question: 'learn',
  place: 1,
  title: 'Watch it learn',
  isAlone: true,
  // The encoding that is open runs along.
  given: (encoding) => ({ encodings: (LINES.includes(encoding) ? [...new Set([...USUAL, encoding])] : USUAL).join(', ') }),
};

import type { Placement } from '../../contract/placement.ts';

const USUAL = ['none', 'alibi', 'learned', 'rope'];
/** Encodings with lines (strings.ts). */
export const LINES: readonly string[] = [...USUAL, 'sinusoidal', 't5'];

export const placement: Placement = {
  question: 'learn',
  sortKey: 1,
  title: 'Learning curves',
  isAlone: true,
  // The Lab's encoding is one of the lines.
  given: (encoding) => ({ encodings: (LINES.includes(encoding) ? [...new Set([...USUAL, encoding])] : USUAL).join(', ') }),
};

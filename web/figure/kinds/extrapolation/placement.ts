import type { Placement } from '../../contract/placement.ts';

const USUAL = ['learned', 'sinusoidal', 'rope', 't5'];
/** Encodings with lines (strings.ts). */
export const LINES: readonly string[] = [...USUAL, 'alibi', 'none', 'forgetting', 'path'];

export const placement: Placement = {
  question: 'learn',
  sortKey: 2,
  title: 'Train short, test long',
  isAlone: true,
  // The Lab's encoding is one of the lines.
  given: (encoding) => ({ encodings: (LINES.includes(encoding) ? [...new Set([...USUAL, encoding])] : USUAL).join(', ') }),
};

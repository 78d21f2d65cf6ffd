import type { Placement } from '../../contract/placement.ts';

const DEFAULT_LINES = ['none', 'alibi', 'learned', 'rope'];
export const LINES: readonly string[] = [...DEFAULT_LINES, 'sinusoidal', 't5'];

export const placement: Placement = {
  question: 'learn',
  sortKey: 1,
  title: 'Learning curves',
  isAlone: true,
  // Adds the encoding selected in the Lab to the default lines if LINES includes it.
  fieldsForEncoding: (encoding) => ({
    encodings: (LINES.includes(encoding) ? [...new Set([...DEFAULT_LINES, encoding])] : DEFAULT_LINES).join(', '),
  }),
};

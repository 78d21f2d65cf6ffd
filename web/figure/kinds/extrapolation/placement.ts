import type { Placement } from '../../contract/placement.ts';

const DEFAULT_LINES = ['learned', 'sinusoidal', 'rope', 't5'];
export const LINE_IDS: readonly string[] = [...DEFAULT_LINES, 'alibi', 'none', 'forgetting', 'path'];

export const placement: Placement = {
  question: 'learn',
  sortKey: 2,
  title: 'Train short, test long',
  isAlone: true,
  // Adds the encoding selected in the Lab to the default lines.
  fieldsForEncoding: (encoding) => ({
    encodings: (LINE_IDS.includes(encoding) ? [...new Set([...DEFAULT_LINES, encoding])] : DEFAULT_LINES).join(', '),
  }),
};

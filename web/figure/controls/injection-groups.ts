// Groups the encodings by their injection point, for the Lab, the book and the documentation.
import type { Injection } from '../../engine/index.ts';

export interface InjectionGroup {
  readonly injection: Injection;
  readonly name: string;
}

/** Sorted by the order in which attention applies the encodings. */
export const INJECTION_GROUPS: readonly InjectionGroup[] = [
  { injection: 'none', name: 'no position' },
  { injection: 'input', name: 'added to the embeddings' },
  { injection: 'query_key', name: 'in queries and keys' },
  { injection: 'score', name: 'added to the scores' },
  { injection: 'score_content', name: 'added to the scores, by content' },
  { injection: 'key_value', name: 'added to keys and values' },
];

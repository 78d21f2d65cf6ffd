// Where encodings enter attention, in words: what they are grouped by wherever one is chosen.
import type { Injection } from '../../engine/index.ts';

export interface InjectionGroup {
  readonly injection: Injection;
  readonly name: string;
}

/** In the order of computation. */
export const INJECTION_GROUPS: readonly InjectionGroup[] = [
  { injection: 'none', name: 'no position' },
  { injection: 'input', name: 'added to the embeddings' },
  { injection: 'query_key', name: 'in queries and keys' },
  { injection: 'score', name: 'in the scores' },
  { injection: 'score_content', name: 'in the scores, depending on the words' },
  { injection: 'key_value', name: 'in keys and values' },
];

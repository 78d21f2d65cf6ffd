// The description of a Lab question, in questions/list/<id>.ts. Each kind of figure declares its question in kinds/<kind>/placement.ts.
import type { Injection } from '../../engine/index.ts';

export interface QuestionInfo {
  /** Questions are sorted by this number. */
  readonly sortKey: number;
  readonly name: string;
  readonly heading: string;
  /** Injection points of the encodings for which this question is suggested. */
  readonly suggestedFor: readonly Injection[];
  /** Whether the other figures of the question are shown below the large figure. */
  readonly hasSupportingViews: boolean;
  readonly guideParts: readonly ('config' | 'glossary')[];
  readonly comparesConventions?: true;
}

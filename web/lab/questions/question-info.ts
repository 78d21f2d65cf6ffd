// The description of a question of the Lab, in questions/list/<id>.ts. Kinds declare their question (kinds/<kind>/placement.ts).
import type { Injection } from '../../engine/index.ts';

export interface QuestionInfo {
  /** Questions come in this order. */
  readonly place: number;
  readonly name: string;
  readonly ask: string;
  /** Encodings for which this question is the best, by injection point. */
  readonly suggestedFor: readonly Injection[];
  /** Whether the other figures of the question are below the large one, and show another aspect of the same encoding. */
  readonly hasOthersBelow: boolean;
  /** The content beside the figures. */
  readonly guide: readonly ('config' | 'glossary')[];
  /** Conventions of known models are compared here. */
  readonly comparesConventions?: true;
}

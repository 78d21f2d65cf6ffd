// The description of a question of the Lab, in questions/list/<id>.ts. Kinds declare which question they answer (kinds/<kind>/placement.ts).
import type { Injection } from '../../engine/index.ts';

export interface QuestionInfo {
  /** Questions come in this order. */
  readonly place: number;
  readonly name: string;
  readonly ask: string;
  /** Encodings that are best seen here, by where they enter attention. */
  readonly suggestedFor: readonly Injection[];
  /** The other figures of the question are below the large one, and show the same encoding from another side. */
  readonly hasOthersBelow: boolean;
  /** The content beside the figures. */
  readonly guide: readonly ('config' | 'glossary')[];
  /** Conventions of known models are compared here. */
  readonly comparesConventions?: true;
}

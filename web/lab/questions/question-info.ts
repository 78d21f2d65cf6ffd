// A question of the Lab, defined in questions/list/<id>.ts. Each kind of figure declares its question in kinds/<kind>/placement.ts.
import type { Injection } from '../../engine/index.ts';

export interface QuestionInfo {
  /** Questions are listed in ascending order of this number. */
  readonly sortKey: number;
  readonly name: string;
  readonly heading: string;
  /** The question is suggested for encodings with these injection points. */
  readonly suggestedFor: readonly Injection[];
  /** Whether up to two of the question's other figures are shown with the large figure. */
  readonly hasSupportingViews: boolean;
  readonly guideParts: readonly ('config' | 'glossary')[];
  readonly comparesConventions?: true;
}

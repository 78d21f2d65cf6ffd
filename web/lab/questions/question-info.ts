// The questions of the Lab. Each kind of figure declares its question in kinds/<kind>/placement.ts.
import type { Injection } from '../../engine/index.ts';

export interface QuestionInfo {
  readonly id: string;
  readonly name: string;
  readonly heading: string;
  /** The question is suggested for encodings with these injection points. */
  readonly suggestedFor: readonly Injection[];
  /** Whether up to two of the question's other figures are shown with the large figure. */
  readonly hasSupportingViews: boolean;
  readonly guideParts: readonly ('config' | 'glossary')[];
  readonly comparesConventions?: true;
}

/** In the order of the page. */
export const QUESTION_INFOS: readonly QuestionInfo[] = [
  {
    id: 'position',
    name: 'Position',
    heading: 'Position vectors',
    suggestedFor: ['input'],
    hasSupportingViews: true,
    guideParts: [],
  },
  {
    id: 'scores',
    name: 'Scores',
    heading: 'Effect on scores',
    suggestedFor: ['query_key', 'score', 'score_content', 'key_value'],
    hasSupportingViews: true,
    guideParts: ['glossary'],
  },
  {
    id: 'attention',
    name: 'Attention',
    heading: 'Attention weights',
    suggestedFor: ['none'],
    hasSupportingViews: true,
    guideParts: ['glossary'],
  },
  {
    id: 'compare',
    name: 'Compare',
    heading: 'Compare encodings',
    suggestedFor: [],
    hasSupportingViews: false,
    guideParts: ['config'],
    comparesConventions: true,
  },
  {
    id: 'reach',
    name: 'Reach',
    heading: 'Long contexts and images',
    suggestedFor: [],
    hasSupportingViews: false,
    guideParts: ['config'],
  },
  {
    id: 'learn',
    name: 'Learn',
    heading: 'Training',
    suggestedFor: [],
    hasSupportingViews: false,
    guideParts: [],
  },
  {
    id: 'doctor',
    name: 'Doctor',
    heading: 'What is wrong here?',
    suggestedFor: [],
    hasSupportingViews: false,
    guideParts: ['config'],
  },
  {
    id: 'model',
    name: 'Model',
    heading: 'Your language model',
    suggestedFor: [],
    hasSupportingViews: false,
    guideParts: ['config'],
  },
];

import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 4,
  name: 'Compare',
  heading: 'Compare encodings',
  suggestedFor: [],
  hasSupportingViews: false,
  guideParts: ['config'],
  comparesConventions: true,
};

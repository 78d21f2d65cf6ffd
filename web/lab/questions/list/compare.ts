import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  order: 4,
  name: 'Compare',
  heading: 'Compare encodings',
  suggestedFor: [],
  hasSupportingViews: false,
  guide: ['config'],
  comparesConventions: true,
};

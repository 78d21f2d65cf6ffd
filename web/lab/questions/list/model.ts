import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  order: 8,
  name: 'Model',
  heading: 'Your language model',
  suggestedFor: [],
  hasSupportingViews: false,
  guide: ['config'],
};

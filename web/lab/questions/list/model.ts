import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 8,
  name: 'Model',
  heading: 'Your language model',
  suggestedFor: [],
  hasSupportingViews: false,
  guideParts: ['config'],
};

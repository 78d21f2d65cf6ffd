import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 5,
  name: 'Reach',
  heading: 'Long contexts and images',
  suggestedFor: [],
  hasSupportingViews: false,
  guideParts: ['config'],
};

import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  order: 5,
  name: 'Reach',
  heading: 'Long contexts and images',
  suggestedFor: [],
  hasSupportingViews: false,
  guide: ['config'],
};

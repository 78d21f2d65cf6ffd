import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 1,
  name: 'Position',
  heading: 'Position vectors',
  suggestedFor: ['input'],
  hasSupportingViews: true,
  guideParts: [],
};

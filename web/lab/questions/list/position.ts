import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  order: 1,
  name: 'Position',
  heading: 'Position vectors',
  suggestedFor: ['input'],
  hasSupportingViews: true,
  guide: [],
};

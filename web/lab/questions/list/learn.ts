import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 6,
  name: 'Learn',
  heading: 'Training',
  suggestedFor: [],
  hasSupportingViews: false,
  guideParts: [],
};

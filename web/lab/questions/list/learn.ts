import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  order: 6,
  name: 'Learn',
  heading: 'Training',
  suggestedFor: [],
  hasSupportingViews: false,
  guide: [],
};

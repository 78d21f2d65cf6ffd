import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 7,
  name: 'Doctor',
  heading: 'What is wrong here?',
  suggestedFor: [],
  hasSupportingViews: false,
  guideParts: ['config'],
};

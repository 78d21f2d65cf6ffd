import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 5,
  name: 'Reach',
  ask: 'Longer, and beyond text?',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
};

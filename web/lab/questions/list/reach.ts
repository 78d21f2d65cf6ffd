import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 5,
  name: 'Reach',
  ask: 'Long contexts and images',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
};

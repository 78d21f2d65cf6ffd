import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 8,
  name: 'Model',
  ask: 'Your language model',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
};

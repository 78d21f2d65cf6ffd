import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  order: 8,
  name: 'Model',
  heading: 'Your language model',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
};

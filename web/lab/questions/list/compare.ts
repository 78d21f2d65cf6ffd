import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 4,
  name: 'Compare',
  ask: 'Does it matter which?',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
  comparesConventions: true,
};

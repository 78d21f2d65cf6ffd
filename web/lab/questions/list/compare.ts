import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 4,
  name: 'Compare',
  ask: 'Compare encodings',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
  comparesConventions: true,
};

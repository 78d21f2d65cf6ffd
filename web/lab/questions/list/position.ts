import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 1,
  name: 'Position',
  ask: 'Position vectors',
  suggestedFor: ['input'],
  hasOthersBelow: true,
  guide: [],
};

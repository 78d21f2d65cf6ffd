import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 1,
  name: 'Position',
  ask: 'What does each place get?',
  suggestedFor: ['input'],
  hasOthersBelow: true,
  guide: [],
};

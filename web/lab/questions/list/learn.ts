import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 6,
  name: 'Learn',
  ask: 'Training',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: [],
};

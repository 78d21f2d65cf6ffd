import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 7,
  name: 'Doctor',
  ask: 'What is wrong here?',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
};

import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 8,
  name: 'Your model',
  ask: 'What do its heads do with position?',
  suggestedFor: [],
  hasOthersBelow: false,
  guide: ['config'],
};

import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 3,
  name: 'Attention',
  ask: 'What is the result?',
  suggestedFor: ['none'],
  hasOthersBelow: true,
  guide: ['glossary'],
};

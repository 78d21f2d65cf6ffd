import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 3,
  name: 'Attention',
  ask: 'Attention weights',
  suggestedFor: ['none'],
  hasOthersBelow: true,
  guide: ['glossary'],
};

import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 3,
  name: 'Attention',
  heading: 'Attention weights',
  suggestedFor: ['none'],
  hasSupportingViews: true,
  guideParts: ['glossary'],
};

import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  sortKey: 2,
  name: 'Scores',
  heading: 'Effect on scores',
  suggestedFor: ['query_key', 'score', 'score_content', 'key_value'],
  hasSupportingViews: true,
  guideParts: ['glossary'],
};

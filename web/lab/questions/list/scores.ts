import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  order: 2,
  name: 'Scores',
  heading: 'Effect on scores',
  suggestedFor: ['query_key', 'score', 'score_content', 'key_value'],
  hasSupportingViews: true,
  guide: ['glossary'],
};

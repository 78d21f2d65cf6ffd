import type { QuestionInfo } from '../question-info.ts';

export const question: QuestionInfo = {
  place: 2,
  name: 'Scores',
  ask: 'Effect on scores',
  suggestedFor: ['query_key', 'score', 'score_content', 'key_value'],
  hasOthersBelow: true,
  guide: ['glossary'],
};

// The Lab questions and their figures.
import type { Placement } from '../../figure/contract/placement.ts';
import { PLACEMENTS, type Placements } from './placements.ts';
import { QUESTION_INFOS, type QuestionInfo } from './question-info.ts';

/** The question that is open initially. */
export const FIRST_QUESTION = 'attention';
export const QUESTION_IDS: readonly [string, ...string[]] = [
  FIRST_QUESTION,
  ...QUESTION_INFOS.map(({ id }) => id).filter((id) => id !== FIRST_QUESTION),
];

export interface View extends Placement {
  readonly kind: string;
}

export interface Question extends QuestionInfo {
  readonly views: readonly View[];
}

export function createQuestions(placements: Placements, infos = QUESTION_INFOS): readonly Question[] {
  const views = Object.entries(placements)
    .map(([kind, placement]): View => ({ kind, ...placement }))
    .sort((a, b) => a.sortKey - b.sortKey);
  const strayView = views.find(({ question }) => !infos.some(({ id }) => id === question));
  if (strayView) throw new Error(`figure/kinds/${strayView.kind}/placement.ts: the Lab has no question ${strayView.question}`);
  return infos.map((info) => ({ ...info, views: views.filter(({ question }) => question === info.id) }));
}

export const QUESTIONS: readonly Question[] = createQuestions(PLACEMENTS);

export const VIEW_KINDS: readonly string[] = QUESTIONS.flatMap(({ views }) => views.map(({ kind }) => kind));

export const findQuestion = (id: string): Question => QUESTIONS.find((question) => question.id === id) as Question;

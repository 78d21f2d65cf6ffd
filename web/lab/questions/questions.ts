// The Lab's questions and their figures. Each question is defined by a file in list/. Each kind of figure declares its question and order
// in kinds/<kind>/placement.ts.
import type { Placement } from '../../figure/contract/placement.ts';
import { PLACEMENTS, type Placements } from './placements.ts';
import type { QuestionInfo } from './question-info.ts';

/** Questions by id, in display order. */
export interface QuestionInfos {
  readonly [id: string]: QuestionInfo;
}

const questionIdOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);

/** Collects the questions from the modules list/<id>.ts, sorted by `sortKey`. */
export const collectQuestions = (files: { readonly [path: string]: { readonly question: QuestionInfo } }): QuestionInfos =>
  Object.fromEntries(
    Object.entries(files)
      .map(([path, { question }]) => [questionIdOf(path), question] as const)
      .sort(([, a], [, b]) => a.sortKey - b.sortKey),
  );

const QUESTION_INFOS = collectQuestions(import.meta.glob<{ question: QuestionInfo }>('./list/*.ts', { eager: true }));

/** The question that is open initially. */
export const FIRST_QUESTION = 'attention';
export const QUESTION_IDS: readonly [string, ...string[]] = [
  FIRST_QUESTION,
  ...Object.keys(QUESTION_INFOS).filter((id) => id !== FIRST_QUESTION),
];

export interface View extends Placement {
  readonly kind: string;
}

export interface Question extends QuestionInfo {
  readonly id: string;
  readonly views: readonly View[];
}

export function createQuestions(placements: Placements, infos: QuestionInfos = QUESTION_INFOS): readonly Question[] {
  const views = Object.entries(placements)
    .map(([kind, placement]): View => ({ kind, ...placement }))
    .sort((a, b) => a.sortKey - b.sortKey);
  const strayView = views.find(({ question }) => !Object.hasOwn(infos, question));
  if (strayView) throw new Error(`figure/kinds/${strayView.kind}/placement.ts: the Lab has no question ${strayView.question}`);
  return Object.entries(infos).map(([id, info]) => ({ id, ...info, views: views.filter(({ question }) => question === id) }));
}

export const QUESTIONS: readonly Question[] = createQuestions(PLACEMENTS);

export const VIEW_KINDS: readonly string[] = QUESTIONS.flatMap(({ views }) => views.map(({ kind }) => kind));

export const findQuestion = (id: string): Question => QUESTIONS.find((question) => question.id === id) as Question;

// The five questions of the Lab, and which figures answer them: each kind says its question and its place there (kinds/<kind>/lab.ts).
import type { EncodingInfo } from '../../engine/index.ts';
import type { LabPlace } from '../../figure/contract/lab-place.ts';
import { NEEDS, offers } from '../../figure/contract/offered.ts';
import { QUESTION_WORDS } from '../words.ts';
import { PLACES, type Places } from './places.ts';

export const QUESTION_IDS = ['attention', 'position', 'scores', 'compare', 'reach'] as const;
export type QuestionId = (typeof QUESTION_IDS)[number];

/** In the order of the page. */
const ORDER: readonly QuestionId[] = ['position', 'scores', 'attention', 'compare', 'reach'];

export interface View extends LabPlace {
  /** The id of a kind of figure. */
  readonly kind: string;
}

export interface Question {
  readonly id: QuestionId;
  readonly views: readonly View[];
}

/** The questions with the kinds that answer them. */
export function questionsOf(places: Places): readonly Question[] {
  const views = Object.entries(places)
    .map(([kind, place]): View => ({ kind, ...place }))
    .sort((a, b) => a.place - b.place);
  const stray = views.find(({ question }) => !ORDER.some((id) => id === question));
  if (stray) throw new Error(`figure/kinds/${stray.kind}/lab.ts: the Lab has no question ${stray.question}`);
  return ORDER.map((id) => ({ id, views: views.filter(({ question }) => question === id) }));
}

/** In the order of the page. */
export const QUESTIONS: readonly Question[] = questionsOf(PLACES);

/** The kinds of figure that answer a question. */
export const VIEW_KINDS: readonly string[] = QUESTIONS.flatMap(({ views }) => views.map(({ kind }) => kind));

export const questionOf = (id: QuestionId): Question => QUESTIONS.find((one) => one.id === id) as Question;

/** Whether a view has something to show for an encoding. */
export const shows = ({ needs }: View, encoding: EncodingInfo): boolean => needs === undefined || offers(NEEDS[needs], encoding);

/** Where an encoding is best seen. */
export function suggested({ injection }: EncodingInfo): QuestionId {
  if (injection === 'none') return 'attention';
  return injection === 'input' ? 'position' : 'scores';
}

/** Why a view has nothing to show, as sentences. */
export const whyNot = (view: View, encoding: EncodingInfo, title: string): string =>
  view.needs === undefined || shows(view, encoding) ? '' : QUESTION_WORDS.whyNot[view.needs](title, encoding.injection);

/** At most this many figures stand below the large one. */
const BESIDE = 2;

export interface Arrangement {
  readonly large: View;
  readonly beside: readonly View[];
}

/** The large figure, as chosen or the first that has something to show, and what supports it. */
export function arranged(question: Question, chosen: string, encoding: EncodingInfo): Arrangement {
  const { views } = question;
  const able = views.filter((view) => shows(view, encoding));
  const large = views.find(({ kind }) => kind === chosen) ?? able[0] ?? (views[0] as View);
  // Compare and Reach are figures of their own; elsewhere the others show the same encoding from another side.
  const beside = question.id === 'compare' || question.id === 'reach' ? [] : able.filter((view) => view !== large).slice(0, BESIDE);
  return { large, beside: shows(large, encoding) ? beside : [] };
}

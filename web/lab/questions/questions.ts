// The questions of the Lab, each a file of list/, and which figures answer them: each kind says its question and its place there (kinds/<kind>/lab.ts).
import type { EncodingInfo } from '../../engine/index.ts';
import type { LabPlace } from '../../figure/contract/lab-place.ts';
import { NEEDS, offers } from '../../figure/contract/offered.ts';
import { QUESTION_WORDS } from '../words.ts';
import { PLACES, type Places } from './places.ts';
import type { QuestionInfo } from './question-info.ts';

/** Questions by id, in the order of the page. */
export interface QuestionList {
  readonly [id: string]: QuestionInfo;
}

const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);

/** The questions of modules list/<id>.ts. */
export const listOf = (files: { readonly [path: string]: { readonly question: QuestionInfo } }): QuestionList =>
  Object.fromEntries(
    Object.entries(files)
      .map(([path, { question }]) => [idOf(path), question] as const)
      .sort(([, a], [, b]) => a.place - b.place),
  );

const LIST = listOf(import.meta.glob<{ question: QuestionInfo }>('./list/*.ts', { eager: true }));

/** What is open where nobody has asked yet. */
const FIRST = 'attention';
export const QUESTION_IDS: readonly [string, ...string[]] = [FIRST, ...Object.keys(LIST).filter((id) => id !== FIRST)];

export interface View extends LabPlace {
  /** The id of a kind of figure. */
  readonly kind: string;
}

export interface Question extends QuestionInfo {
  readonly id: string;
  readonly views: readonly View[];
}

/** The questions with the kinds that answer them. */
export function questionsOf(places: Places, list: QuestionList = LIST): readonly Question[] {
  const views = Object.entries(places)
    .map(([kind, place]): View => ({ kind, ...place }))
    .sort((a, b) => a.place - b.place);
  const stray = views.find(({ question }) => !Object.hasOwn(list, question));
  if (stray) throw new Error(`figure/kinds/${stray.kind}/lab.ts: the Lab has no question ${stray.question}`);
  return Object.entries(list).map(([id, info]) => ({ id, ...info, views: views.filter(({ question }) => question === id) }));
}

/** In the order of the page. */
export const QUESTIONS: readonly Question[] = questionsOf(PLACES);

/** The kinds of figure that answer a question. */
export const VIEW_KINDS: readonly string[] = QUESTIONS.flatMap(({ views }) => views.map(({ kind }) => kind));

export const questionOf = (id: string): Question => QUESTIONS.find((one) => one.id === id) as Question;

/** Whether a view has something to show for an encoding. */
export const shows = ({ needs }: View, encoding: EncodingInfo): boolean => needs === undefined || offers(NEEDS[needs], encoding);

/** Where an encoding is best seen. */
export const suggested = ({ injection }: EncodingInfo): string =>
  QUESTIONS.find(({ suggestedFor }) => suggestedFor.includes(injection))?.id ?? FIRST;

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
  const others = question.hasOthersBelow && !large.isAlone ? able.filter((view) => view !== large && !view.isAlone) : [];
  const beside = others.slice(0, BESIDE);
  return { large, beside: shows(large, encoding) ? beside : [] };
}

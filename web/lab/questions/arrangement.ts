// Selects a question's figures for an encoding.
import type { EncodingInfo } from '../../engine/index.ts';
import { FILTERS, matchesFilter } from '../../figure/contract/offered.ts';
import { QUESTION_STRINGS } from '../strings.ts';
import { FIRST_QUESTION, QUESTIONS, type Question, type View } from './questions.ts';

export const supports = ({ needs }: View, encoding: EncodingInfo): boolean =>
  needs === undefined || matchesFilter(FILTERS[needs], encoding);

export const suggestQuestion = ({ injection }: EncodingInfo): string =>
  QUESTIONS.find(({ suggestedFor }) => suggestedFor.includes(injection))?.id ?? FIRST_QUESTION;

/** Returns why a view does not support an encoding; '' if it does. */
export const explainUnsupported = (view: View, encoding: EncodingInfo, title: string): string =>
  view.needs === undefined || supports(view, encoding) ? '' : QUESTION_STRINGS.unsupportedReasons[view.needs](title, encoding.injection);

const MAX_SUPPORTING_VIEWS = 2;

export interface Arrangement {
  readonly largeView: View;
  readonly supportingViews: readonly View[];
}

/**
 * Selects the large figure and the supporting figures. The large figure is the one that the user selected or, by default, the first that
 * supports the encoding.
 */
export function arrangeViews(question: Question, selectedKind: string, encoding: EncodingInfo): Arrangement {
  const { views } = question;
  const supportedViews = views.filter((view) => supports(view, encoding));
  const largeView = views.find(({ kind }) => kind === selectedKind) ?? supportedViews[0] ?? (views[0] as View);
  const candidateViews =
    question.hasSupportingViews && !largeView.isAlone ? supportedViews.filter((view) => view !== largeView && !view.isAlone) : [];
  const supportingViews = candidateViews.slice(0, MAX_SUPPORTING_VIEWS);
  return { largeView, supportingViews: supports(largeView, encoding) ? supportingViews : [] };
}

// The five questions of the Lab, and which figures answer them. Plain data: what each figure needs of an encoding, a test compares with the
// figure's own fields.
import type { EncodingInfo } from '../engine/index.ts';
import { QUESTION_WORDS } from './words.ts';

export const QUESTION_IDS = ['attention', 'position', 'scores', 'compare', 'reach'] as const;
export type QuestionId = (typeof QUESTION_IDS)[number];

/** What a figure needs of the encoding; figures without a need take the encoding where they can, and keep their own where not. */
export type Need = 'table' | 'waves' | 'rotation' | 'bias';

const WAVES = ['sinusoidal', 'sin_cos', 'multi_frequency', 'nerf', 'fourier'];

const MEETS: { readonly [Each in Need]: (encoding: EncodingInfo) => boolean } = {
  table: ({ injection }) => injection === 'input',
  waves: ({ id }) => WAVES.includes(id),
  rotation: ({ injection }) => injection === 'query_key',
  bias: ({ injection }) => ['score', 'score_content', 'key_value'].includes(injection),
};

export interface View {
  /** The id of a kind of figure. */
  readonly kind: string;
  readonly needs?: Need;
  /** Its channels: those of the embeddings (default), those of a head, or as many as the figure likes. */
  readonly width?: 'head' | 'own';
  /** Presented without what supports its main picture ('low'), and across the whole window where it has parts beside each other ('wide'). */
  readonly presented?: 'low' | 'wide';
}

export interface Question {
  readonly id: QuestionId;
  readonly views: readonly View[];
}

/** In the order of the page. */
export const QUESTIONS: readonly Question[] = [
  {
    id: 'position',
    views: [
      { kind: 'table', needs: 'table' },
      { kind: 'waves', needs: 'table' },
      { kind: 'clocks', needs: 'waves', width: 'own' },
      { kind: 'similarity', needs: 'table' },
      { kind: 'distance', needs: 'table' },
      { kind: 'plane', needs: 'table' },
      { kind: 'shift', needs: 'waves', width: 'own' },
      { kind: 'requirements' },
    ],
  },
  {
    id: 'scores',
    views: [
      { kind: 'rotation', needs: 'rotation', width: 'head', presented: 'wide' },
      { kind: 'bias', needs: 'bias', width: 'head', presented: 'low' },
      { kind: 'curve', needs: 'bias', width: 'head' },
      { kind: 'chain' },
    ],
  },
  { id: 'attention', views: [{ kind: 'attention' }, { kind: 'change' }] },
  {
    id: 'compare',
    views: [
      { kind: 'compare', presented: 'wide' },
      { kind: 'combine', needs: 'table', width: 'own', presented: 'low' },
    ],
  },
  {
    id: 'reach',
    views: [
      { kind: 'frequencies', width: 'own', presented: 'wide' },
      { kind: 'long', width: 'own' },
      { kind: 'patches' },
      { kind: 'points' },
    ],
  },
];

/** The kinds of figure that answer a question. */
export const VIEW_KINDS: readonly string[] = QUESTIONS.flatMap(({ views }) => views.map(({ kind }) => kind));

export const questionOf = (id: QuestionId): Question => QUESTIONS.find((one) => one.id === id) as Question;

/** Whether a view has something to show for an encoding. */
export const shows = ({ needs }: View, encoding: EncodingInfo): boolean => needs === undefined || MEETS[needs](encoding);

/** Where an encoding is best seen. */
export function suggested({ injection }: EncodingInfo): QuestionId {
  if (injection === 'none') return 'attention';
  return injection === 'input' ? 'position' : 'scores';
}

/** Why a view has nothing to show, as sentences. */
export const whyNot = ({ kind, needs }: View, encoding: EncodingInfo, title: string): string =>
  needs === undefined || shows({ kind, needs }, encoding) ? '' : QUESTION_WORDS.whyNot[needs](title, encoding.injection);

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

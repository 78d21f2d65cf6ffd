// How a kind says where it is shown, in kinds/<kind>/placement.ts: in the Lab, and on the pages of encodings.
// It is data without the figure's program, so that a page knows it before that program is loaded.
import type { Injection } from '../../engine/index.ts';
import type { Need } from './offered.ts';

/** The place of a kind among the figures of the Lab. */
export interface Placement {
  /** The id of the question that the figure answers. */
  readonly question: string;
  /** Figures of a question come in this order. */
  readonly place: number;
  /** The title of the view. */
  readonly title: string;
  /** Encodings that the figure shows, as its field offers them; without it, it takes the encoding where it can, and keeps its own where not. */
  readonly needs?: Need;
  /** Fields that it has for an encoding, where it has no field of that name: the lines of a race. */
  given?(encoding: string): { readonly [field: string]: string };
  /** Its channels: those of the embeddings (default), those of a head, or as many as the figure likes. */
  readonly width?: 'head' | 'own';
  /** Presented without what supports its main picture ('low'), and across the whole window where it has parts beside each other ('wide'). */
  readonly presented?: 'low' | 'wide';
  /** Shown alone: it has other vectors, so readers would confuse its numbers with those of neighbouring figures. */
  readonly isAlone?: boolean;
}

/** The place of a kind on the pages of encodings. */
export interface Reference {
  /** It shows what encodings do that enter attention at these points; among them those that its field offers. */
  readonly injections: readonly Injection[];
  /** Only of these encodings, by their ids; default: all of them. */
  readonly ids?: readonly string[];
  /** Figures of a page come in this order. */
  readonly place: number;
  /** One sentence; `title` is that of the encoding. */
  caption(title: string): string;
}

// The place of a kind in the Lab and on the pages of encodings, in kinds/<kind>/placement.ts. Data only, so that a page has it before the code of
// the figure is loaded.
import type { Injection } from '../../engine/index.ts';
import type { Need } from './offered.ts';

/** The place of a kind among the figures of the Lab. */
export interface Placement {
  /** The id of the question to which the figure belongs. */
  readonly question: string;
  /** Figures of a question come in this order. */
  readonly place: number;
  /** The title of the view. */
  readonly title: string;
  /**
   * The encodings that the figure shows, as offered by its field; default: the Lab's encoding if the figure supports it, otherwise that of the
   * figure.
   */
  readonly needs?: Need;
  /** Fields for an encoding, if no field has that name: the lines of a race. */
  given?(encoding: string): { readonly [field: string]: string };
  /** Its channels: those of the embeddings (default), those of a head, or a separate field of the figure. */
  readonly width?: 'head' | 'own';
  /** Presented without secondary parts ('low'), or across the whole window if it has parts side by side ('wide'). */
  readonly presented?: 'low' | 'wide';
  /** Shown alone: it has other vectors, so its numbers would be confused with those of neighbouring figures. */
  readonly isAlone?: boolean;
}

/** The place of a kind on the pages of encodings. */
export interface Reference {
  /** The injection points whose encodings it shows, among those that its field offers. */
  readonly injections: readonly Injection[];
  /** Only of these encodings, by their ids; default: all of them. */
  readonly ids?: readonly string[];
  /** Figures of a page come in this order. */
  readonly place: number;
  /** One sentence; `title` is that of the encoding. */
  caption(title: string): string;
}

// The places where a kind of figure is shown: in the Lab and on the pages of encodings. kinds/<kind>/placement.ts contains only data, so
// that pages can read it before they load the code of the figure.
import type { Injection } from '../../engine/index.ts';
import type { EncodingRequirement } from './offered.ts';

/** Where the Lab shows a kind of figure. */
export interface Placement {
  /** The id of the question that the figure helps to answer. */
  readonly question: string;
  /** Sorts the figures of a question in ascending order. */
  readonly sortKey: number;
  readonly title: string;
  /** The property that an encoding must have so that the Lab shows this figure. By default, it is shown for every encoding. */
  readonly needs?: EncodingRequirement;
  /** Returns the fields that select an encoding. Needed for kinds without a field `encoding`, such as a comparison of several encodings. */
  fieldsForEncoding?(encoding: string): { readonly [field: string]: string };
  /** Where the number of channels comes from: the embeddings (default), a head, or a separate field of the figure. */
  readonly width?: 'head' | 'own';
  /**
   * The layout in presentations. 'low' omits secondary parts. 'wide' is for figures whose parts are side by side; they are as wide as the
   * window.
   */
  readonly presentedLayout?: 'low' | 'wide';
  /** True if the figure is not grouped with others, because its vectors are different from theirs. */
  readonly isAlone?: boolean;
}

/** Where the pages of encodings show a kind of figure. */
export interface ReferencePlacement {
  /**
   * The page of an encoding shows the figure if the encoding has one of these injection points, and if the figure's field offers the
   * encoding.
   */
  readonly injections: readonly Injection[];
  /** Restricts the figure to the pages of these encodings; default: all of them. */
  readonly ids?: readonly string[];
  /** Sorts the figures of a page in ascending order. */
  readonly sortKey: number;
  /** Returns a sentence for the caption. `title` is the title of the encoding. */
  caption(title: string): string;
}

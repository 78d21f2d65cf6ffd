// Where the Lab and the encoding pages show each figure kind. kinds/<kind>/placement.ts contains only data, so that pages can read it
// before they load the figure's code.
import type { Injection } from '../../engine/index.ts';
import type { EncodingRequirement } from './offered.ts';

/** Where the Lab shows figures of one kind. */
export interface Placement {
  /** The id of the Lab's question that the figure helps to answer. */
  readonly question: string;
  /** Sorts the figures of a question in ascending order. */
  readonly sortKey: number;
  readonly title: string;
  /** The encoding property that the figure requires. By default, the Lab shows the figure for every encoding. */
  readonly needs?: EncodingRequirement;
  /**
   * Returns the fields that select an encoding. Required for figures without an `encoding` field, such as a comparison of several
   * encodings.
   */
  fieldsForEncoding?(encoding: string): { readonly [field: string]: string };
  /** Determines the number of channels: embedding width (default), head width, or a separate field of the figure. */
  readonly width?: 'head' | 'own';
  /**
   * The layout in presentations. 'low' omits secondary parts. 'wide' is for figures with parts side by side; they fill the width of the
   * window.
   */
  readonly presentedLayout?: 'low' | 'wide';
  /** True if the figure is not grouped with others, because its vectors differ from theirs. */
  readonly isAlone?: boolean;
}

/** Where the encoding pages show figures of one kind. */
export interface ReferencePlacement {
  /** An encoding's page shows the figure if the encoding has one of these injection points and the figure supports it. */
  readonly injections: readonly Injection[];
  /** Restricts the figure to the pages of these encodings; default: no restriction. */
  readonly ids?: readonly string[];
  /** Sorts the figures of a page in ascending order. */
  readonly sortKey: number;
  /** Returns a sentence for the caption. `title` is the encoding's title. */
  caption(title: string): string;
}

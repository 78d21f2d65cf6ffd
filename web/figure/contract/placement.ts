// The place of a kind of figure in the Lab and on the pages of encodings, from kinds/<kind>/placement.ts. Contains only data, so that pages
// can read it before the figure's code is loaded.
import type { Injection } from '../../engine/index.ts';
import type { EncodingRequirement } from './offered.ts';

/** The place of a kind of figure in the Lab. */
export interface Placement {
  /** The id of the question to which the figure belongs. */
  readonly question: string;
  /** Figures of a question are sorted by this number. */
  readonly sortKey: number;
  readonly title: string;
  /** The property that the encoding of the Lab must have for this figure; default: any encoding. */
  readonly needs?: EncodingRequirement;
  /** The fields that select an encoding, for kinds without a field `encoding`, such as a comparison of several encodings. */
  fieldsForEncoding?(encoding: string): { readonly [field: string]: string };
  /** The source of the number of channels: embeddings (default), a head, or a separate field of the figure. */
  readonly width?: 'head' | 'own';
  /**
   * The layout in presentations: without secondary parts ('low'), or as wide as the window for figures with parts side by side ('wide').
   */
  readonly presentedLayout?: 'low' | 'wide';
  /** True if the figure is shown alone because its vectors differ from those of neighbouring figures. */
  readonly isAlone?: boolean;
}

/** The place of a kind of figure on the pages of encodings. */
export interface ReferencePlacement {
  /** The figure is shown for encodings with these injection points, among those that its field offers. */
  readonly injections: readonly Injection[];
  /** Limits the encodings to these ids; default: all of them. */
  readonly ids?: readonly string[];
  /** Figures of a page are sorted by this number. */
  readonly sortKey: number;
  /** The caption, a sentence; `title` is the encoding's title. */
  caption(title: string): string;
}

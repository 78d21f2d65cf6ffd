// What a kind says of its place in the Lab, in kinds/<kind>/lab.ts: data without the figure's program, so that the page is there before it.
import type { Need } from './offered.ts';

export interface LabPlace {
  /** The id of the question that the figure answers. */
  readonly question: string;
  /** Figures of a question come in this order. */
  readonly place: number;
  /** What the view is called. */
  readonly title: string;
  /** Encodings that the figure shows, as its field offers them; without it, it takes the encoding where it can, and keeps its own where not. */
  readonly needs?: Need;
  /** Fields that it has for an encoding, where it has no field of that name: the lines of a race. */
  given?(encoding: string): { readonly [field: string]: string };
  /** Its channels: those of the embeddings (default), those of a head, or as many as the figure likes. */
  readonly width?: 'head' | 'own';
  /** Presented without what supports its main picture ('low'), and across the whole window where it has parts beside each other ('wide'). */
  readonly presented?: 'low' | 'wide';
  /** It has vectors of its own, so that numbers of figures beside it would be taken for its: it stands alone. */
  readonly isAlone?: boolean;
}

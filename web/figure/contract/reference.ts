// What a kind says of itself for the page of an encoding in the reference, in kinds/<kind>/reference.ts.
import type { Injection } from '../../engine/index.ts';

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

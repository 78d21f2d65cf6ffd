// The input of a figure: plain data, independent of the page.
import type { Mask, Params } from '../engine/index.ts';
import type { Order } from './order.ts';

export type Projections = 'identity' | 'orthogonal';
export type Matrix = 'scores' | 'weights';

export interface Setting {
  /** The sentence in its original order: 1 to 512 tokens. */
  readonly text: string;
  /** The current order of its words; empty for the original order. */
  readonly order: Order;
  readonly encoding: string;
  /** Parameters of the encoding that differ from their defaults. */
  readonly params: Params;
  readonly mask: Mask;
  readonly heads: number;
  readonly projections: Projections;
  readonly seed: number;
  /** Position of the first word. */
  readonly offset: number;
  /** Embedding dimension. */
  readonly width: number;
  /** The matrix shown under 'What does attention see?'. */
  readonly matrix: Matrix;
  /** Index of the head shown, clamped to the last head. */
  readonly head: number;
}

/** The head shown: the selected one, or the last one if there are fewer. */
export const shownHead = ({ head, heads }: Pick<Setting, 'head' | 'heads'>): number =>
  Math.max(0, Math.min(Math.trunc(head) || 0, heads - 1));

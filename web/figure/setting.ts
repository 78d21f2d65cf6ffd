// What a figure is computed from: plain data, nothing of the page.
import type { Mask, Params } from '../engine/index.ts';
import type { Order } from './order.ts';

export type Projections = 'identity' | 'orthogonal';
export type Matrix = 'scores' | 'weights';

export interface Setting {
  /** The sentence as it was written: 1 to 512 tokens. */
  readonly text: string;
  /** The order its words stand in; empty when as written. */
  readonly order: Order;
  readonly encoding: string;
  /** Parameters of the encoding that are not at their defaults. */
  readonly params: Params;
  readonly mask: Mask;
  readonly heads: number;
  readonly projections: Projections;
  readonly seed: number;
  /** Position of the first word. */
  readonly offset: number;
  /** How many numbers a word's vector has. */
  readonly width: number;
  /** Which numbers 'What does attention see?' shows. */
  readonly matrix: Matrix;
  /** The head whose attention is shown, from 0; beyond the last the last. */
  readonly head: number;
}

/** The head that is shown: the chosen one, or the last there is. */
export const shownHead = ({ head, heads }: Pick<Setting, 'head' | 'heads'>): number =>
  Math.max(0, Math.min(Math.trunc(head) || 0, heads - 1));

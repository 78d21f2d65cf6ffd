// The state that the user can set, and its initial value.
import type { Mask, Params } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';
import examples from './examples.json';

/**
 * The source of queries, keys and values. 'trained' uses the queries and keys of a shipped model, and requires a causal mask and four
 * heads.
 */
export type Projections = 'identity' | 'orthogonal' | 'trained';

/** Figure fields that the user has set. Keys are 'kind.field'. */
export type FigureFields = { readonly [name: string]: string };

export interface LabState {
  /** The sentence in its original word order, with 1 to 512 tokens. */
  readonly text: string;
  /** The current word order; empty for the original order. */
  readonly order: Order;
  readonly encoding: string;
  /** Parameters of the encoding that differ from their defaults. */
  readonly params: Params;
  readonly mask: Mask;
  readonly heads: number;
  /** Index of the selected head. If there are fewer heads, the last head is selected. */
  readonly head: number;
  readonly projections: Projections;
  readonly seed: number;
  /** Position of the first word. */
  readonly positionOffset: number;
  /** The embedding dimension (embedDim). */
  readonly dim: number;
  readonly question: string;
  /** The kind of the large figure; '' selects the first that supports the encoding. */
  readonly view: string;
  readonly figures: FigureFields;
  /** The current step of the tour, counted from 1; 0 outside the tour. */
  readonly tour: number;
}

/** The initial state. For its sentence and head, all encodings differ visibly. */
export const INITIAL_STATE: LabState = {
  text: (examples[0] as { text: string }).text,
  order: [],
  encoding: 'none',
  params: {},
  mask: 'none',
  heads: 8,
  head: 0,
  projections: 'identity',
  seed: 1,
  positionOffset: 0,
  dim: 64,
  question: 'attention',
  view: '',
  figures: {},
  tour: 0,
};

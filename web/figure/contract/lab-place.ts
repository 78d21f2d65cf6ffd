// What a kind says of itself to the Lab, in kinds/<kind>/lab.ts: words and data without the figure's program, so that the page is there before it.
import type { EncodingInfo, Params } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';
import type { Need } from './offered.ts';

/** Of what the Lab shows, what sentences about a figure depend on. */
export interface Setting {
  /** Of the encoding, without defaults. */
  readonly params: Params;
  readonly mask: string;
  /** Of the words; empty: as written. */
  readonly order: Order;
}

/** What is shown: an encoding, what it is called within a sentence, and the rest. */
export interface Seen {
  readonly noun: string;
  readonly encoding: EncodingInfo;
  readonly setting: Setting;
}

export interface LabPlace {
  /** The id of the question that the figure answers. */
  readonly question: string;
  /** Figures of a question come in this order. */
  readonly place: number;
  /** What the view is called. */
  readonly title: string;
  /** Encodings that the figure shows, as its field offers them; without it, it takes the encoding where it can, and keeps its own where not. */
  readonly needs?: Need;
  /** Its channels: those of the embeddings (default), those of a head, or as many as the figure likes. */
  readonly width?: 'head' | 'own';
  /** Presented without what supports its main picture ('low'), and across the whole window where it has parts beside each other ('wide'). */
  readonly presented?: 'low' | 'wide';
  /** It has vectors of its own, so that numbers of figures beside it would be taken for its: it stands alone. */
  readonly isAlone?: boolean;
  /** What to look for, in two sentences at most; true wherever a figure leaves out what supports its main picture: on a phone, and when presented. */
  see(seen: Seen): string;
}

/** Whether the vectors of positions are drawn at random, because none are given. */
export const hasRandomTable = ({ injection, params }: EncodingInfo, setting: Setting): boolean =>
  injection === 'input' && setting.params.table === undefined && params.some(({ name, kind }) => name === 'table' && kind === 'tensor');

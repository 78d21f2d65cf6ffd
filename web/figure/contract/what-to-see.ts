// What to look for in a figure of a kind, which the kind says to the Lab in kinds/<kind>/see.ts. Apart from its place, lab.ts, because the first picture of
// the page needs none of these sentences.
import type { EncodingInfo, Params } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';

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

/** What to look for, in two sentences at most; true wherever a figure leaves out what supports its main picture: on a phone, and when presented. */
export type See = (seen: Seen) => string;

/** Whether the vectors of positions are drawn at random, because none are given. */
export const hasRandomTable = ({ injection, params }: EncodingInfo, setting: Setting): boolean =>
  injection === 'input' && setting.params.table === undefined && params.some(({ name, kind }) => name === 'table' && kind === 'tensor');

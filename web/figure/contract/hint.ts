// The hint of a kind, in kinds/<kind>/hint.ts: what a reader of the Lab can see in its figure. It is apart from placement.ts, because the first picture
// of the page needs no hint.
import type { EncodingInfo, Params } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';

/** Of what the Lab shows, what sentences about a figure depend on. */
export interface HintSettings {
  /** Of the encoding, without defaults. */
  readonly params: Params;
  readonly mask: string;
  /** Of the words; empty: as written. */
  readonly order: Order;
}

/** What is shown: an encoding, what it is called within a sentence, and the rest. */
export interface HintInput {
  readonly noun: string;
  readonly encoding: EncodingInfo;
  readonly setting: HintSettings;
}

/** What to look for, in two sentences at most; true wherever a figure leaves out what supports its main picture: on a phone, and when presented. */
export type Hint = (seen: HintInput) => string;

/** Whether the vectors of positions are drawn at random, because none are given. */
export const hasRandomTable = ({ injection, params }: EncodingInfo, setting: HintSettings): boolean =>
  injection === 'input' && setting.params.table === undefined && params.some(({ name, kind }) => name === 'table' && kind === 'tensor');

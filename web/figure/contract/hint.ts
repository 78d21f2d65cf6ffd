// Hints in the Lab tell the reader where to look in a figure. Each kind has its hint in kinds/<kind>/hint.ts. Hints are separate from
// placement.ts, because pages load them only after the first picture.
import type { EncodingInfo, Params } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';

export interface HintSettings {
  /** The parameters of the encoding that are not at their defaults. */
  readonly params: Params;
  readonly mask: string;
  /** The index of the word at each position; empty for the original order. */
  readonly order: Order;
}

export interface HintInput {
  readonly encodingNoun: string;
  readonly encoding: EncodingInfo;
  readonly settings: HintSettings;
}

/** Returns at most two sentences. They must also be true of figures without their secondary parts, as on a phone or in a presentation. */
export type HintFunction = (input: HintInput) => string;

/** Whether the position vectors are random, because the encoding has a table that the reader has not set. */
export const hasRandomTable = ({ injection, params }: EncodingInfo, settings: HintSettings): boolean =>
  injection === 'input' && settings.params.table === undefined && params.some(({ name, kind }) => name === 'table' && kind === 'tensor');

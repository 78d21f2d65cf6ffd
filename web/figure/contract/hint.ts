// Hints in the Lab tell the user where to look in a figure. Each figure kind defines its hint in kinds/<kind>/hint.ts. Hints are separate
// from placement.ts, because pages load them only after the first picture.
import type { EncodingInfo, Params } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';

export interface HintSettings {
  /** The encoding parameters that differ from their defaults. */
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

/** Returns at most two sentences. They must also be true if the figure omits its secondary parts, as on phones and in presentations. */
export type HintFunction = (input: HintInput) => string;

/** Whether the position vectors are random: the encoding has a `table` parameter that is not set. */
export const hasRandomTable = ({ injection, params }: EncodingInfo, settings: HintSettings): boolean =>
  injection === 'input' && settings.params.table === undefined && params.some(({ name, kind }) => name === 'table' && kind === 'tensor');

// Hints for readers of the Lab, in kinds/<kind>/hint.ts: where to look in the figure of a kind. Separate from placement.ts, because pages load hints
// only after the first picture.
import type { EncodingInfo, Params } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';

/** The settings of the Lab on which hints depend. */
export interface HintSettings {
  /** Parameters of the encoding that differ from the defaults. */
  readonly params: Params;
  readonly mask: string;
  /** Order of the words; empty: original order. */
  readonly order: Order;
}

/** The input of a hint: an encoding, its name within a sentence, and settings. */
export interface HintInput {
  readonly encodingNoun: string;
  readonly encoding: EncodingInfo;
  readonly settings: HintSettings;
}

/** A hint of at most two sentences. A hint must also be true of figures without secondary parts, as on a phone or in a presentation. */
export type HintFunction = (input: HintInput) => string;

/** Whether the position vectors are random, because the reader has set none. */
export const hasRandomTable = ({ injection, params }: EncodingInfo, settings: HintSettings): boolean =>
  injection === 'input' && settings.params.table === undefined && params.some(({ name, kind }) => name === 'table' && kind === 'tensor');

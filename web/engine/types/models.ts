// Positions of published models: requests and results.

import type { NamedParams, Params, PositionIdsRequest } from './encodings.ts';

/** What config.json does not determine. */
export interface RopeModelRequest {
  /** Selects the layers, such as "full_attention", in models whose layers differ by type. */
  readonly layerType?: string | undefined;
  /** Index of the layer, from 0, in models whose layers differ. It determines the type too. */
  readonly layerIdx?: number | undefined;
  /** Current sequence length, for dynamic and longrope scaling; default: at most the original context length. */
  readonly sequenceLength?: number | undefined;
}

/** What a model's config.json leaves open; each is required only where it makes a difference. */
export interface ModelEncodingRequest extends RopeModelRequest {
  /** Which half of an encoder-decoder model is meant. */
  readonly stack?: 'encoder' | 'decoder';
}

/** The positions of a published model. */
export interface ModelEncoding {
  /** As every request takes it; learned tables are in the checkpoint and are added to these parameters. */
  readonly encoding: NamedParams;
  /** The factor on q.k for `attention`, where it is neither 1 / sqrt(width) nor the encoding's own (T5, DeBERTa). */
  readonly scale?: number;
  /** The position of the first token, where it is not 0. */
  readonly offset?: number;
  /** What `positionIds` takes for a text with padding that must not count; its positions include the offset. */
  readonly positionIds?: Pick<PositionIdsRequest, 'mode' | 'paddingIdx'>;
  /** The keys of the file that this was read from, by their paths: `{ model_type: 'bloom', n_head: 16 }`. */
  readonly because: Params;
  /** Keys that the file leaves out, as the config class of the family in transformers 4.57 has them: `{ rope_theta: 10000 }`. */
  readonly defaults: Params;
  /**
   * What neither the file nor a listed family says, and was assumed: `{ layout: 'half_split', rotary_fraction: 1, layers: 'all' }`. Only for a
   * model_type that is not listed.
   */
  readonly assumed?: Params;
}

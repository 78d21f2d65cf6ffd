// Resolves the rotary encoding of a published model from its config.json, together with the config keys that determine it.

import { PhasorError } from '../../../engine/errors.ts';
import type { Params } from '../../../engine/index.ts';
import type { Config } from '../../compute/rope-config.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';

export interface ModelRotation {
  readonly encoding: EncodingSpec;
  /** The config values that determine the rotation, by the path of their key. */
  readonly sourceKeys: Params;
  /** Defaults of the model family for keys that are not in the file. */
  readonly defaults: Params;
  /** Assumed values for keys that neither the file nor a known model family specifies. */
  readonly assumedKeys: Params;
  /** Undefined if the file does not list its layers individually. */
  readonly layer: number | undefined;
}

interface LayerChoice {
  readonly layerType: string;
  readonly layer: number;
}

/**
 * Resolves the rotation of one layer. Rejects with a SpecError if the model, or this layer, has no rotary positions.
 */
export async function resolveModelRotation(
  config: Config,
  { layerType, layer }: LayerChoice,
  sequenceLength: number,
  engine: Engine,
): Promise<ModelRotation> {
  // Only the decoder is resolved. No model whose encoder differs from its decoder is rotary.
  const request = { ...(layerType === 'any' ? {} : { layerType }), stack: 'decoder', sequenceLength } as const;
  const rotation = await readRotation({});
  const { id } = rotation.encoding;
  if (id === 'rope' || id === 'mrope') return rotation;
  const model = typeof config.model_type === 'string' ? config.model_type : undefined;
  if (id === 'none' && rotation.layer !== undefined) throw new SpecError('config', strings.notInLayer(model, rotation.layer));
  if (id === 'none' && layerType !== 'any' && (await hasOtherLayerTypes()))
    throw new SpecError('config', strings.notInType(model, layerType));
  throw new SpecError('config', strings.notRotary(model, id));

  /** Whether the core rejects a request without a layer type because the layers have different types. */
  async function hasOtherLayerTypes(): Promise<boolean> {
    try {
      await engine.encodingFromConfig(config, { ...request, layerType: undefined });
      return false;
    } catch {
      return true;
    }
  }

  async function readRotation(layerOption: { readonly layerIdx?: number }): Promise<ModelRotation> {
    try {
      const {
        encoding,
        sourceKeys,
        defaults,
        assumed: assumedKeys = {},
      } = await engine.encodingFromConfig(config, { ...request, ...layerOption });
      return { encoding, sourceKeys, defaults, assumedKeys, layer: layerOption.layerIdx };
    } catch (thrown) {
      // The core requires a layer index only for models that list their layers individually.
      if (layerOption.layerIdx === undefined && PhasorError.from(thrown).argument === 'layerIdx') return readRotation({ layerIdx: layer });
      throw thrown;
    }
  }
}

import { PhasorError } from '../../engine/errors.ts';
import type { ConfigLayers, RemotePhasor } from '../../engine/index.ts';
import { writeEncodingSentence, writeLayersSentence } from './position-sentence.ts';
import { type Config, readPositiveInteger } from './rope-config.ts';

type ConfigEngine = Pick<RemotePhasor, 'layersFromConfig' | 'encodingFromConfig'>;

export interface ConfigSentence {
  readonly sentence: string;
  /** Undefined if the core cannot list the layers; `rejection` then contains the reason. */
  readonly layers?: ConfigLayers['layers'];
  readonly rejection?: string;
}

/** Options of `encodingFromConfig` that select a layer. They are not keys of config.json. */
const LAYER_OPTIONS = ['stack', 'layerType', 'layerIdx'];

/** Describes a model's positional encoding in a sentence. Rejects with the core's error if the core cannot read the config. */
export async function writeConfigSentence(config: Config, engine: ConfigEngine): Promise<ConfigSentence> {
  try {
    const { layers } = await engine.layersFromConfig(config);
    return { sentence: writeLayersSentence(layers), layers };
  } catch (layersError) {
    try {
      return {
        sentence: writeEncodingSentence(await engine.encodingFromConfig(config), readPositiveInteger(config, 'num_hidden_layers')),
        rejection: PhasorError.from(layersError).message,
      };
    } catch (thrown) {
      throw LAYER_OPTIONS.includes(PhasorError.from(thrown).argument ?? '') ? layersError : thrown;
    }
  }
}

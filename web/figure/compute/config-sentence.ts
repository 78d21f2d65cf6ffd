// A sentence about the positions of a model, from its config.json as parsed by the core.
import { PhasorError } from '../../engine/errors.ts';
import type { ConfigLayers, RemotePhasor } from '../../engine/index.ts';
import { writeEncodingSentence, writeLayersSentence } from './position-sentence.ts';
import { type Config, readPositiveInteger } from './rope-config.ts';

type ConfigEngine = Pick<RemotePhasor, 'layersFromConfig' | 'encodingFromConfig'>;

export interface ConfigSentence {
  readonly sentence: string;
  /** Undefined if the core does not list the layers; `rejection` is then the reason. */
  readonly layers?: ConfigLayers['layers'];
  readonly rejection?: string;
}

/** Options of encodingFromConfig that select a layer; a config.json does not contain them. */
const LAYER_OPTIONS = ['stack', 'layerType', 'layerIdx'];

/** Writes the sentence about a config. Rejects with the core's error if the core cannot parse the config. */
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

// Resolves the attention settings of every layer from a config.json. The proof compares the results of `layersFromConfig` and
// `encodingFromConfig`.
import { PhasorError } from '../../../engine/errors.ts';
import type { ConfigLayer, Tensor } from '../../../engine/index.ts';
import { findPeriod } from '../../compute/position-sentence.ts';
import { type Config, parseConfig, readPositiveInteger, TEXT_CONFIG_KEYS } from '../../compute/rope-config.ts';
import { FieldError } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { MODELS, type ModelId } from './models.ts';
import { strings } from './strings.ts';

/** More than any published model has. */
export const MAX_LAYERS = 512;
const DEFAULT_CONTEXT = 131072;

export interface LayersRequest {
  readonly model: ModelId;
  readonly config: string;
  readonly context: number;
}

export interface LayerGroup {
  readonly layer: ConfigLayer;
  readonly maxVisibleKeys: number;
  readonly count: number;
}

export interface LayerResults {
  readonly config: Config;
  readonly name: string;
  readonly layers: readonly ConfigLayer[];
  /** Groups of identical layers, in order of first occurrence. */
  readonly groups: readonly LayerGroup[];
  readonly groupIndices: readonly number[];
  /** Number of layers after which the pattern repeats, or 0 if it does not. The last repetition may be incomplete. */
  readonly period: number;
  /** Text length in tokens. */
  readonly context: number;
  readonly isContextAssumed: boolean;
  /** [layers, columns] */
  readonly table: Tensor;
  /** Number of layers that differ from the result of `encodingFromConfig`, or from layer_types in the config. */
  readonly residual: number;
}

export function selectConfig({ model, config }: LayersRequest): {
  readonly config: Config;
  readonly name: string;
  readonly context: number | undefined;
} {
  const providedConfig = parseConfig(config, strings);
  if (providedConfig) return { config: providedConfig, name: getModelType(providedConfig), context: undefined };
  const { config: published, name, context } = MODELS[model];
  return { config: published as Config, name, context };
}

function selectTextConfig(config: Config): Config {
  const textConfig = TEXT_CONFIG_KEYS.map((name) => config[name]).find((value) => typeof value === 'object' && value !== null);
  return textConfig === undefined ? config : selectTextConfig(textConfig as Config);
}

const getModelType = (config: Config): string => String(config.model_type ?? selectTextConfig(config).model_type ?? strings.thisModel);

export const hasEncoding = ({ encoding }: ConfigLayer): boolean => (encoding?.id ?? 'none') !== 'none';

/** Returns how many keys a query can attend to in a text of `context` tokens; 1 for a layer without attention. */
const countVisibleKeys = ({ encoding, window, windowAhead = 0, chunk }: ConfigLayer, context: number): number =>
  encoding ? Math.min(window === undefined ? (chunk ?? context) : window + windowAhead, context) : 1;

const isScaled = ({ encoding }: ConfigLayer): boolean => (encoding?.scaling ?? 'none') !== 'none';

/** Returns a row of `table`, in the order of `strings.columnNames`. Missing values are 0, or 1 for the scaling factor. */
const toTableRow = (layer: ConfigLayer, context: number): readonly number[] => [
  hasEncoding(layer) ? 1 : 0,
  Number(layer.encoding?.base ?? 0),
  isScaled(layer) ? Number(layer.encoding?.factor ?? 1) : 1,
  layer.window ?? 0,
  layer.chunk ?? 0,
  countVisibleKeys(layer, context),
  layer.softcap ?? 0,
  layer.sinks ? 1 : 0,
  layer.qkNorm ? 1 : 0,
  layer.temperature ? 1 : 0,
];

/** Compares only the properties that `encodingFromConfig` returns. */
const isSameLayer = (layer: ConfigLayer, singleLayer: { readonly encoding: object; readonly scale?: number | undefined }): boolean =>
  singleLayer.scale === layer.scale &&
  Object.entries(singleLayer.encoding).every(([name, value]) => JSON.stringify(layer.encoding?.[name]) === JSON.stringify(value));

async function countDisagreements(config: Config, layers: readonly ConfigLayer[], engine: Engine): Promise<number> {
  const text = selectTextConfig(config);
  // If use_sliding_window is false, the layer types do not determine windows.
  const layerTypes = Array.isArray(text.layer_types) && text.use_sliding_window !== false ? text.layer_types : undefined;
  const attentionLayers = layers.map((layer, layerIdx) => ({ layer, layerIdx })).filter(({ layer }) => layer.encoding);
  const singleLayers = await Promise.all(
    attentionLayers.map(({ layer: { stack }, layerIdx }) => engine.encodingFromConfig(config, stack ? { stack } : { layerIdx })),
  );
  return attentionLayers.filter(
    ({ layer, layerIdx }, index) =>
      !isSameLayer(layer, singleLayers[index] as (typeof singleLayers)[number]) || (layerTypes && layerTypes[layerIdx] !== layer.type),
  ).length;
}

/** Resolves the layers. Rethrows the core's argument errors as errors of the field `config`. */
async function resolveLayers(config: Config, engine: Engine): Promise<readonly ConfigLayer[]> {
  try {
    return (await engine.layersFromConfig(config)).layers;
  } catch (thrown) {
    const { code, message } = PhasorError.from(thrown);
    if (code !== 'invalid_argument' && code !== 'unknown_name') throw thrown;
    throw new SpecError('config', message);
  }
}

export async function computeLayerResults(request: LayersRequest, engine: Engine): Promise<LayerResults> {
  const { config, name, context: cardContext } = selectConfig(request);
  const layerCount = readPositiveInteger(selectTextConfig(config), 'num_hidden_layers') ?? 0;
  if (layerCount > MAX_LAYERS) throw new SpecError('config', strings.tooManyLayers(layerCount, MAX_LAYERS));
  const layers = await resolveLayers(config, engine);
  const statedLength = request.context || readPositiveInteger(config, 'max_position_embeddings') || cardContext;
  const context = statedLength ?? DEFAULT_CONTEXT;
  const layerKeys = layers.map((layer) => JSON.stringify(layer));
  const distinctKeys = [...new Set(layerKeys)];
  const groupIndices = layerKeys.map((layerKey) => distinctKeys.indexOf(layerKey));
  const groups = distinctKeys.map((layerKey) => {
    const layer = layers[layerKeys.indexOf(layerKey)] as ConfigLayer;
    return { layer, maxVisibleKeys: countVisibleKeys(layer, context), count: layerKeys.filter((otherKey) => otherKey === layerKey).length };
  });
  const rows = layers.map((layer) => toTableRow(layer, context));
  return {
    config,
    name,
    layers,
    groups,
    groupIndices,
    period: findPeriod(groupIndices),
    context,
    isContextAssumed: statedLength === undefined,
    table: { shape: [layers.length, strings.columnNames.length], data: Float32Array.from(rows.flat()) },
    residual: await countDisagreements(config, layers, engine),
  };
}

/** Throws a FieldError unless the text is empty or a JSON object of at most 1,000,000 characters. */
export function checkConfig(text: string): void {
  if (text.length > 1_000_000) throw new FieldError(strings.tooLong);
  parseConfig(text, strings);
}

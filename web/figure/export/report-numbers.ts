// Computes the data for a report on a language model: how its config encodes position, and how its heads attend to a text.
import type { ConfigLayer, RemotePhasor, Tensor } from '../../engine/index.ts';
import type { HeadMeasures } from '../../engine/types/model-changes.ts';
import { type ConfigSentence, writeConfigSentence } from '../compute/config-sentence.ts';
import { tokenizeText } from '../compute/model-text.ts';
import type { Config } from '../compute/rope-config.ts';
import type { LanguageModel } from '../contract/context.ts';

export type ReportEngine = Pick<RemotePhasor, 'layersFromConfig' | 'encodingFromConfig' | 'ropeFrequencies'>;

/** Config keys that the file contains, and defaults for the keys that it omits. */
export interface ConfigEntries {
  readonly fileEntries: readonly (readonly [key: string, value: string])[];
  readonly defaults: readonly (readonly [key: string, value: string])[];
}

export interface LayerRotation {
  /** Indices of the layers with the same rotation, from 0. */
  readonly layers: readonly number[];
  readonly pairCount: number;
  /** Number of channel pairs that do not complete a rotation within the longest training text. */
  readonly incompletePairCount: number;
}

export interface HeadWeight {
  readonly layer: number;
  readonly head: number;
  readonly share: number;
}

export interface ReportNumbers {
  /** Undefined for GGUF files, and for configs that the core cannot parse. */
  readonly positionSentence: ConfigSentence | undefined;
  readonly configEntries: ConfigEntries;
  readonly rotationGroups: readonly LayerRotation[];
  readonly tokenCount: number;
  /** Mean weight on the first token over all heads. */
  readonly meanWeightOnFirst: number;
  /** The heads with the largest mean weight on the first token and on the previous token. */
  readonly firstTokenHeads: readonly HeadWeight[];
  readonly previousTokenHeads: readonly HeadWeight[];
  /** The contribution of each channel pair to the scores of a rotary layer, averaged over the layer's heads. */
  readonly pairs: readonly { readonly layer: number; readonly contributions: Float32Array }[];
}

const MAX_LISTED_HEADS = 5;
/** Minimum and maximum number of tokens in the text, as in kinds/model-heads. */
const [MIN_TOKENS, MAX_TOKENS] = [2, 300];
const GGUF_KEYS = /^[\w-]+\.(rope\.|attention\.(sliding_window|key_length|value_length|head_count)|context_length|block_count)/;

const printValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const toEntries = (params: object): readonly (readonly [string, string])[] =>
  Object.entries(params).map(([key, value]) => [key, printValue(ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value)]);

/** Collects the config keys and defaults that affect position encoding, merged over all layers. */
async function collectConfigEntries(config: Config, layers: readonly ConfigLayer[], engine: ReportEngine): Promise<ConfigEntries> {
  const distinctLayers = [...new Map(layers.map(({ type, encoding }, layerIdx) => [JSON.stringify([type, encoding]), layerIdx])).values()];
  const layerOptions = distinctLayers.length > 1 ? distinctLayers.map((layerIdx) => ({ layerIdx })) : [{}];
  const resolvedConfigs = await Promise.all(
    layerOptions.map((options) => engine.encodingFromConfig(config, options).catch(() => undefined)),
  );
  const mergeEntries = (name: 'sourceKeys' | 'defaults') =>
    toEntries(Object.assign({}, ...resolvedConfigs.map((resolved) => resolved?.[name] ?? {})));
  return { fileEntries: mergeEntries('sourceKeys'), defaults: mergeEntries('defaults') };
}

/** @param trained context length from the config, in tokens */
async function groupRotations(
  layers: readonly ConfigLayer[],
  dim: number,
  trained: number,
  engine: ReportEngine,
): Promise<readonly LayerRotation[]> {
  const groups = new Map<string, { readonly layer: ConfigLayer; readonly layerIndices: number[] }>();
  layers.forEach((layer, at) => {
    if (layer.encoding?.id !== 'rope') return;
    const key = JSON.stringify([layer.encoding, layer.headDim]);
    const group = groups.get(key);
    if (group) group.layerIndices.push(at);
    else groups.set(key, { layer, layerIndices: [at] });
  });
  return Promise.all(
    [...groups.values()].map(async ({ layer: { encoding, headDim = dim }, layerIndices }) => {
      const { invFreq } = await engine.ropeFrequencies({ encoding: encoding as NonNullable<ConfigLayer['encoding']>, dim: headDim });
      const incompletePairCount = invFreq.data.filter((frequency) => frequency * trained < 2 * Math.PI).length;
      return { layers: layerIndices, pairCount: invFreq.data.length, incompletePairCount };
    }),
  );
}

function findStrongestHeads({ shape: [, heads = 1], data }: Tensor): readonly HeadWeight[] {
  return Array.from(data, (share, at) => ({ layer: Math.floor(at / heads), head: at % heads, share }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_LISTED_HEADS);
}

const collectPairs = ({ pairsUsed = [] }: HeadMeasures): ReportNumbers['pairs'] =>
  pairsUsed.flatMap((used, layer) => {
    if (!used) return [];
    const [heads = 1, pairs = 0] = used.shape;
    const mean = new Float32Array(pairs);
    used.data.forEach((value, at) => {
      mean[at % pairs] = (mean[at % pairs] ?? 0) + value / heads;
    });
    return [{ layer, contributions: mean }];
  });

/** Rejects if the model cannot process the text. */
export async function computeReportNumbers(openedModel: LanguageModel, text: string, engine: ReportEngine): Promise<ReportNumbers> {
  const { model, config, contextLength, metadata = {} } = openedModel;
  const parsedConfig = config === undefined ? undefined : (JSON.parse(config) as Config);
  const positionSentence = parsedConfig && (await writeConfigSentence(parsedConfig, engine).catch(() => undefined));
  const layers = positionSentence?.layers ?? [];
  const { ids } = await tokenizeText(text, openedModel, MIN_TOKENS, MAX_TOKENS);
  const { headMeasures } = await model.run(ids, { outputs: ['headMeasures'] });
  const { first, previous } = headMeasures;
  return {
    positionSentence,
    configEntries: parsedConfig
      ? await collectConfigEntries(parsedConfig, layers, engine)
      : {
          fileEntries: toEntries(
            Object.fromEntries(Object.entries(metadata).filter(([key, value]) => GGUF_KEYS.test(key) && typeof value !== 'object')),
          ),
          defaults: [],
        },
    rotationGroups: contextLength === undefined ? [] : await groupRotations(layers, model.info.headDim, contextLength, engine),
    tokenCount: ids.length,
    meanWeightOnFirst: first.data.reduce((sum, value) => sum + value, 0) / first.data.length,
    firstTokenHeads: findStrongestHeads(first),
    previousTokenHeads: findStrongestHeads(previous),
    pairs: collectPairs(headMeasures),
  };
}

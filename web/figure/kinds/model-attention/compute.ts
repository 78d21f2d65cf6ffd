// One head of the page's language model: its weights, their means by distance, and the contribution of each pair of channels to the
// scores.

import { PhasorError } from '../../../engine/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { ConfigLayer } from '../../../engine/types/models.ts';
import { tokenizeText } from '../../compute/model-text.ts';
import type { Engine, KindContext, LanguageModel } from '../../contract/context.ts';
import { count, type SpecOf, text } from '../../contract/fields.ts';
import { SpecError } from '../../contract/spec.ts';
import { computePairScores, findRotations, type PairScores, type Rotations } from './pairs.ts';
import { strings } from './strings.ts';

/**
 * Computes the mean weight at each distance from weights [tokens, tokens]. Distances start at 0, or at 1 - tokens if
 * later tokens are visible. In a causal model the first token is omitted, because it attends only to itself.
 */
export function computeProfile({ shape: [tokens = 0], data }: Tensor, causal: boolean): Float32Array {
  const [minDistance, firstQuery] = causal ? [0, 1] : [1 - tokens, 0];
  return Float32Array.from({ length: tokens - minDistance }, (_, at) => {
    const distance = at + minDistance;
    const [begin, end] = [Math.max(firstQuery, distance), Math.min(tokens, tokens + distance)];
    let sum = 0;
    for (let query = begin; query < end; query += 1) sum += data[query * tokens + query - distance] as number;
    return sum / (end - begin);
  });
}

export const maxAbsDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a.length === b.length ? Array.from(a).reduce((max, value, at) => Math.max(max, Math.abs(value - (b[at] as number))), 0) : Number.NaN;

/**
 * Minimum and maximum number of tokens. A single token has no previous token; with more than 300, cells would be narrower than a pixel.
 */
const [MIN_TOKENS, MAX_TOKENS] = [2, 300];

export const fields = {
  /**
   * The layer and head, counted from 1. 0 selects the layer or head of the head with the largest weight on the previous
   * token.
   */
  layer: count(0, 0, 256),
  head: count(0, 0, 256),
  text: text(strings.example),
  /** The token whose weights are drawn on the sentence, counted from 1. 0 selects the last token. */
  token: count(0, 0, MAX_TOKENS),
};
export type Spec = SpecOf<typeof fields>;

export interface Numbers {
  readonly model: Pick<LanguageModel, 'name' | 'isShipped'> & LanguageModel['model']['info'];
  /** Index from 0. */
  readonly layer: number;
  readonly head: number;
  readonly token: number;
  readonly ids: readonly number[];
  readonly tokenTexts: readonly string[];
  /** [tokens, tokens] */
  readonly weights: Tensor;
  /**
   * [distances]: the mean weight at each distance. Distances start at 0, or at 1 - tokens if later tokens are visible.
   */
  readonly profile: Float32Array;
  /** The profile of the same queries and keys without positions; undefined for a model with a position table. */
  readonly profileWithoutPositions: Float32Array | undefined;
  readonly weightsWithoutPositions: Tensor | undefined;
  /** Undefined for a layer without rotations, and for files without a config.json. */
  readonly pairs: (Rotations & Omit<PairScores, 'residual'>) | undefined;
  /** Factor on the products q·k. */
  readonly scale: number;
  /** Keys at this distance or farther are hidden. */
  readonly window: number | undefined;
  /** The largest difference from a second computation of the profile and the weights. */
  readonly residual: number;
}

function resolveSelection({ layer, head, token }: Spec, previous: Tensor, tokens: number): Pick<Numbers, 'layer' | 'head' | 'token'> {
  const [layers = 0, heads = 0] = previous.shape;
  if (layer > layers) throw new SpecError('layer', strings.tooLarge('layer', layer, layers));
  if (head > heads) throw new SpecError('head', strings.tooLarge('head', head, heads));
  if (token > tokens) throw new SpecError('token', strings.tooLarge('token', token, tokens));
  const bestHead = previous.data.indexOf(previous.data.reduce((max, one) => Math.max(max, one), 0));
  return {
    layer: layer === 0 ? Math.floor(bestHead / heads) : layer - 1,
    head: head === 0 ? bestHead % heads : head - 1,
    token: token === 0 ? tokens - 1 : token - 1,
  };
}

/** Resolves a layer of the config. Undefined if the core cannot parse the config. */
async function resolveLayer({ config }: LanguageModel, layer: number, engine: Engine): Promise<ConfigLayer | undefined> {
  if (config === undefined) return undefined;
  try {
    return (await engine.layersFromConfig(JSON.parse(config))).layers[layer];
  } catch {
    return undefined;
  }
}

/** Whether the scores are only the scaled products q·k, without further terms. */
const isPlainSoftmax = ({ softcap, sinks, temperature, chunk, windowAhead, encoding }: ConfigLayer): boolean =>
  !(softcap || sinks || temperature || chunk || windowAhead || (encoding && (encoding as { remap?: unknown }).remap));

async function computeWeightsWithoutPositions(
  { model }: LanguageModel,
  ids: readonly number[],
  layer: number,
  head: number,
): Promise<Tensor | undefined> {
  try {
    const changes = [{ kind: 'none', layers: [layer], heads: [head] }] as const;
    return asMatrix(await model.attention(ids, { layer, head, changes }));
  } catch (thrown) {
    if (PhasorError.from(thrown).code === 'invalid_argument') return undefined;
    throw thrown;
  }
}

export async function computeAttention(spec: Spec, { engine, languageModel, cache, signal }: KindContext): Promise<Numbers> {
  if (!languageModel) throw new Error(strings.noModel);
  const openedModel = await languageModel();
  const { model, name, isShipped } = openedModel;
  const { info } = model;
  const { ids, pieces } = await tokenizeText(spec.text, openedModel, MIN_TOKENS, MAX_TOKENS);
  const key = `${openedModel.key} ${ids}`;
  const measureHeads = () => model.run(ids, { outputs: ['headMeasures'] });
  const { headMeasures } = await (cache?.get('run', key, measureHeads) ?? measureHeads());
  const selection = resolveSelection(spec, headMeasures.previous, ids.length);
  const { layer, head } = selection;
  const weights = asMatrix(await model.attention(ids, { layer, head }));
  signal?.throwIfAborted();
  const withoutPositions = await computeWeightsWithoutPositions(openedModel, ids, layer, head);
  const distanceCount = headMeasures.profile.shape.at(-1) as number;
  const profileStart = (layer * info.heads + head) * distanceCount;
  const profile = headMeasures.profile.data.slice(profileStart, profileStart + distanceCount);
  const configLayer = await resolveLayer(openedModel, layer, engine);
  const rotations = configLayer && isPlainSoftmax(configLayer) ? await findRotations(configLayer, info.headDim, engine) : undefined;
  signal?.throwIfAborted();
  const scale = configLayer?.scale ?? 1 / Math.sqrt(info.headDim);
  const scores =
    rotations &&
    computePairScores({
      states: await model.queryKeyStates(ids, { layer }),
      head,
      rotations,
      weights,
      scale,
      causal: info.causal,
      window: configLayer?.window,
    });
  return {
    model: { name, isShipped, ...info },
    ...selection,
    ids,
    tokenTexts: pieces.map((piece) => piece.text),
    weights,
    profile,
    profileWithoutPositions: withoutPositions && computeProfile(withoutPositions, info.causal),
    weightsWithoutPositions: withoutPositions,
    scale,
    window: configLayer?.window,
    pairs: scores && { ...rotations, lift: scores.lift, unrotatedLift: scores.unrotatedLift, queries: scores.queries, keys: scores.keys },
    residual: Math.max(maxAbsDifference(profile, computeProfile(weights, info.causal)), scores?.residual ?? 0),
  };
}

const asMatrix = ({ shape, data }: Tensor): Tensor => ({ shape: shape.slice(-2), data });

// Computes the attention weights of one head of the page's language model, their mean at each distance, and each channel pair's
// contribution to the scores.

import { PhasorError } from '../../../engine/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { ConfigLayer } from '../../../engine/types/models.ts';
import { tokenizeText } from '../../compute/model-text.ts';
import type { Engine, KindContext, LanguageModel } from '../../contract/context.ts';
import { count, type SpecOf, text } from '../../contract/fields.ts';
import { SpecError } from '../../contract/spec.ts';
import { computePairScores, findRotaryPairs, type PairScores, type RotaryPairs } from './pairs.ts';
import { strings } from './strings.ts';

/**
 * Returns the mean of weights [tokens, tokens] at each distance. Distances start at 0 in a causal model and at
 * 1 - tokens otherwise. In a causal model the first query is omitted, because it attends only to itself.
 */
export function computeProfile({ shape: [tokens = 0], data }: Tensor, causal: boolean): Float32Array {
  const [minDistance, firstQuery] = causal ? [0, 1] : [1 - tokens, 0];
  return Float32Array.from({ length: tokens - minDistance }, (_, index) => {
    const distance = index + minDistance;
    const [begin, end] = [Math.max(firstQuery, distance), Math.min(tokens, tokens + distance)];
    let sum = 0;
    for (let query = begin; query < end; query += 1) sum += data[query * tokens + query - distance] as number;
    return sum / (end - begin);
  });
}

export const maxAbsDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a.length === b.length
    ? Array.from(a).reduce((max, value, index) => Math.max(max, Math.abs(value - (b[index] as number))), 0)
    : Number.NaN;

/** A single token has no previous token. With more than 300 tokens, cells would be narrower than a pixel. */
const [MIN_TOKENS, MAX_TOKENS] = [2, 300];

export const fields = {
  /** Layer and head, counted from 1. 0: those of the head with the largest mean weight on the previous token. */
  layer: count(0, 0, 256),
  head: count(0, 0, 256),
  text: text(strings.example),
  /** The query whose weights shade the text, counted from 1. 0: the last token. */
  token: count(0, 0, MAX_TOKENS),
};
export type Spec = SpecOf<typeof fields>;

export interface Results {
  readonly model: Pick<LanguageModel, 'name' | 'isShipped'> & LanguageModel['model']['info'];
  /** Index from 0. */
  readonly layer: number;
  readonly head: number;
  readonly token: number;
  readonly ids: readonly number[];
  readonly tokenTexts: readonly string[];
  /** [tokens, tokens] */
  readonly weights: Tensor;
  /** [distances]: the mean weight at each distance, from 0 in a causal model and from 1 - tokens otherwise. */
  readonly profile: Float32Array;
  /** The profile after removing positions from this head only; undefined for a model with a position table. */
  readonly profileWithoutPositions: Float32Array | undefined;
  readonly weightsWithoutPositions: Tensor | undefined;
  /** Undefined if the layer has no rotary encoding, its scores have other terms, or the model has no config.json. */
  readonly pairs: (RotaryPairs & Omit<PairScores, 'residual'>) | undefined;
  /** Factor applied to the products q·k. */
  readonly scale: number;
  /** Keys at this distance or farther are masked. */
  readonly window: number | undefined;
  /** The largest difference between the profile or the weights and their recomputed values. */
  readonly residual: number;
}

function resolveSelection({ layer, head, token }: Spec, previous: Tensor, tokens: number): Pick<Results, 'layer' | 'head' | 'token'> {
  const [layers = 0, heads = 0] = previous.shape;
  if (layer > layers) throw new SpecError('layer', strings.outOfRange('layer', layer, layers));
  if (head > heads) throw new SpecError('head', strings.outOfRange('head', head, heads));
  if (token > tokens) throw new SpecError('token', strings.outOfRange('token', token, tokens));
  const bestHead = previous.data.indexOf(previous.data.reduce((max, value) => Math.max(max, value), 0));
  return {
    layer: layer === 0 ? Math.floor(bestHead / heads) : layer - 1,
    head: head === 0 ? bestHead % heads : head - 1,
    token: token === 0 ? tokens - 1 : token - 1,
  };
}

/** Resolves a layer from the model's config. Returns undefined if there is no config or the core rejects it. */
async function resolveLayer({ config }: LanguageModel, layer: number, engine: Engine): Promise<ConfigLayer | undefined> {
  if (config === undefined) return undefined;
  try {
    return (await engine.layersFromConfig(JSON.parse(config))).layers[layer];
  } catch {
    return undefined;
  }
}

/** Whether the weights are simply the softmax of the scaled products q·k. */
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

export async function computeAttention(spec: Spec, { engine, languageModel, cache, signal }: KindContext): Promise<Results> {
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
  const rotations = configLayer && isPlainSoftmax(configLayer) ? await findRotaryPairs(configLayer, info.headDim, engine) : undefined;
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

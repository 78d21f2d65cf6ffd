// Computes attention for one sentence in one layer: the weights of one head, the encoding's contribution, and the
// change in the outputs when words are moved.

import type { Grid } from '../../../charts/grid.ts';
import type { AttentionOutput, Injection, Tensor } from '../../../engine/index.ts';
import { type Addition, addsToScores, computeAddition } from '../../../sentence/addition.ts';
import { createIdentityOrder, isIdentity, type Order } from '../../../sentence/order.ts';
import { compareOrders, type OrderComparison } from '../../compute/output-proof.ts';
import { reorderRows } from '../../compute/seeded-order.ts';
import {
  clampHeadIndex,
  createOrderField,
  createWordLayerFields,
  headField,
  sentenceField,
  withoutTrainedProjections,
} from '../../compute/sentence-fields.ts';
import { createSentenceInput, type SentenceInput } from '../../compute/sentence-input.ts';
import { createTrainedLayer, type TrainedAttention } from '../../compute/trained-layer.ts';
import { withMaskedAsNaN } from '../../compute/unmasked.ts';
import { boolean, type SpecOf } from '../../contract/fields.ts';
import type { KindContext } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { selectMatrix, toGrid } from '../../contract/tensor.ts';
import { compareOutputs, computeMoveResults, type MoveResult, type Outputs } from './outcome.ts';
import { strings } from './strings.ts';

export const fields = {
  text: sentenceField,
  order: createOrderField(),
  ...createWordLayerFields('sinusoidal'),
  head: headField,
  /** Whether to draw the clocks of one position. They require an encoding with sinusoids. */
  clocks: boolean(true),
  /** Whether to show buttons for three encodings, and each word's output before and after a move. */
  buttons: boolean(false),
};
export type Spec = SpecOf<typeof fields>;

export interface SentenceData {
  /** Words in the original order. Other fields refer to a word by its index in this list. */
  readonly words: readonly string[];
  readonly isKnown: readonly boolean[];
  readonly order: Order;
  readonly placedWords: readonly string[];
  /** [words, dim]. Rows are in order of position. */
  readonly embeddings: Tensor;
  /** [words, words], in order of position. NaN where masked. */
  readonly weights: Tensor;
  /**
   * [words, words]: weights in the original order of the words. Undefined if the order is unchanged or the sentence is
   * long.
   */
  readonly originalWeights: Tensor | undefined;
  /** Outputs before and after the move with the current encoding. Undefined without `buttons`. */
  readonly outputs: Outputs | undefined;
  /** Effect of the move with each encoding. Undefined without `buttons`. */
  readonly moveResults: readonly MoveResult[] | undefined;
  readonly encoding: string;
  readonly injection: Injection;
  readonly trained: TrainedAttention | undefined;
  readonly addition: Addition;
  /** The reason why word vectors could not be loaded, as a sentence. */
  readonly problem: string | undefined;
}

export interface Results extends SentenceData {
  readonly trial: OrderComparison;
}

/** A result that can be displayed before `trial` is available. */
export type PartialResults = SentenceData & Partial<Results>;

/** Maximum number of words for which the original weights are shown beside the current ones. */
const MAX_COMPARED_WORDS = 9;

async function computeTrainedResults(spec: Spec, input: SentenceInput, context: KindContext): Promise<Results> {
  if (spec.buttons) throw new SpecError('buttons', `buttons: ${strings.buttonsUnavailable}`);
  const { engine } = context;
  const { words, hasVector, order, placedWords, x, problem } = input;
  const layer = await createTrainedLayer(spec, input, context);
  const head = clampHeadIndex(spec);
  const isCompared = !isIdentity(order) && words.length <= MAX_COMPARED_WORDS;
  const [trained, originalAttention, trial] = await Promise.all([
    layer.computeAttention(order),
    isCompared ? layer.computeAttention(createIdentityOrder(words.length)) : undefined,
    layer.compareWithOriginal(order),
  ]);
  const { id, ...params } = trained.encoding;
  const info = engine.encodings.find((candidate) => candidate.id === id);
  const { embedDim: dim, bias } = trained;
  const additionTerm = info
    ? await computeAddition({ params, positionOffset: 0, dim, heads: spec.heads }, info, words.length, engine)
    : undefined;
  const selectHeadWeights = ({ weights, scores }: TrainedAttention): Tensor =>
    withMaskedAsNaN(selectMatrix(weights, head), selectMatrix(scores, head));
  return {
    ...{ words, isKnown: hasVector, order, placedWords, problem, trained, trial },
    embeddings: reorderRows(x, order),
    weights: selectHeadWeights(trained),
    originalWeights: originalAttention && selectHeadWeights(originalAttention),
    outputs: undefined,
    moveResults: undefined,
    encoding: id,
    injection: info?.injection ?? 'none',
    addition: bias
      ? { kind: 'bias', tensor: { shape: [1, words.length, words.length], data: selectMatrix(bias, head).data } }
      : (additionTerm ?? { kind: 'none' }),
  };
}

export async function computeSentence(spec: Spec, context: KindContext): Promise<Results> {
  const { engine } = context;
  const input = await createSentenceInput(spec, context);
  if (spec.projections === 'trained') return computeTrainedResults(spec, input, context);
  const { heads, mask, projections, seed, positionOffset, dim } = withoutTrainedProjections(spec);
  const { words: originalWords, hasVector, order, placedWords, x, problem } = input;
  const encoding = withUsedParams(spec.encoding, engine.encodings);
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  const isMasked = mask !== 'none';
  const requestedOutputs: AttentionOutput[] = ['weights'];
  if (isMasked) requestedOutputs.push('scores');
  if (info && addsToScores(info)) requestedOutputs.push('bias');
  const embeddings = reorderRows(x, order);
  const request = { heads, mask, projections, seed, positionOffset, encoding };
  const { id, ...params } = encoding;
  // The picture needs only one head. The comparison of orders needs all heads twice, so it is requested last to avoid
  // delaying the picture.
  const head = clampHeadIndex(spec);
  const attention = engine.selfAttention({ ...request, x: embeddings, head, outputs: requestedOutputs, computeOutput: false });
  const isCompared = !isIdentity(order) && originalWords.length <= MAX_COMPARED_WORDS;
  const originalPromise = isCompared
    ? engine.selfAttention({ ...request, x, head, outputs: ['weights'], computeOutput: false })
    : undefined;
  const additionPromise = info
    ? computeAddition({ params, positionOffset, dim, heads }, info, originalWords.length, engine)
    : ({ kind: 'none' } as const);
  const trialPromise = compareOrders(engine, { ...request, x }, order);
  // Prevents an unhandled rejection if another request fails before `trialPromise` is awaited.
  trialPromise.catch(() => {});
  const [attentionResult, addedTerm, originalResult] = await Promise.all([attention, additionPromise, originalPromise]);
  const weights = selectMatrix(attentionResult.weights as Tensor, 0);
  const pictureData: SentenceData = {
    words: originalWords,
    isKnown: hasVector,
    order,
    placedWords,
    embeddings,
    weights: isMasked ? withMaskedAsNaN(weights, selectMatrix(attentionResult.scores as Tensor, 0)) : weights,
    originalWeights: originalResult && selectMatrix(originalResult.weights as Tensor, 0),
    outputs: undefined,
    moveResults: undefined,
    encoding: id,
    injection: info?.injection ?? 'none',
    trained: undefined,
    addition: attentionResult.bias ? { kind: 'bias', tensor: attentionResult.bias } : addedTerm,
    problem,
  };
  if (spec.buttons) {
    // The bar codes show the outputs in `trial`.
    const [trial, results] = await Promise.all([trialPromise, computeMoveResults(engine, { ...request, x }, order, trialPromise)]);
    return { ...pictureData, outputs: compareOutputs(trial, order), moveResults: results, trial };
  }
  context.partial?.(pictureData);
  return { ...pictureData, trial: await trialPromise };
}

/**
 * Returns whether the encoding and the words are unchanged, for example while a slider is moved. Such changes are not
 * animated.
 */
export const hasOnlyNumberChanges = (before: SentenceData | undefined, after: SentenceData): boolean =>
  before !== undefined &&
  before !== after &&
  before.encoding === after.encoding &&
  before.placedWords.join(' ') === after.placedWords.join(' ');

export interface Stripes {
  readonly grid: Grid;
  readonly scale: 'diverging' | 'cyclic';
  readonly quantity: string;
  readonly unit: string | undefined;
  readonly cursorAxis: 'channel' | 'pair' | 'key';
}

export function createStripes({ addition: added, injection }: SentenceData): Stripes | undefined {
  switch (added.kind) {
    case 'table':
      return { grid: toGrid(added.tensor), scale: 'diverging', quantity: strings.quantities.table, unit: undefined, cursorAxis: 'channel' };
    case 'angles':
      return { grid: toGrid(added.tensor), scale: 'cyclic', quantity: strings.quantities.angles, unit: 'rad', cursorAxis: 'pair' };
    case 'bias':
      return {
        grid: toGrid(added.tensor),
        scale: 'diverging',
        quantity: injection === 'score' ? strings.quantities.bias : strings.quantities.addition,
        unit: undefined,
        cursorAxis: 'key',
      };
    case 'none':
      return undefined;
  }
}

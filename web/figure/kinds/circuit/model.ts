// Measures one of the two models: its attention on the user's words, its scores and accuracy, and the effect of removing a head.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Evaluation, HeadIndex } from '../../../engine/types/train-results.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import { MAX_SYMBOLS } from '../../compute/word-symbols.ts';
import type { Engine } from '../../contract/kind.ts';

const SAMPLE_COUNT = 64;

export interface ModelPerformance {
  /** Next-word probabilities of the distinct words, in order of first occurrence. */
  readonly probabilities: Float32Array;
  readonly accuracy: number;
  /** The previous-token and prefix-matching scores of each head. Heads are indexed over all layers. */
  readonly previous: readonly number[];
  readonly matching: readonly number[];
}

export interface ModelView extends ModelPerformance {
  readonly step: number;
  readonly layers: number;
  readonly heads: number;
  /** [layers, heads, words, words]. */
  readonly maps: Tensor;
  /** The K-composition scores [heads of layer 1, heads of layer 2], and the score expected for random matrices. */
  readonly composition: Tensor;
  readonly baseline: number;
  /**
   * The best previous-token head of the first layer and the best prefix-matching head of the later layers, indexed from
   * 0 over all layers.
   */
  readonly previousTokenHead: number;
  readonly copyingHead: number;
}

/** The model's performance without one head and, as a control, without the other heads of that layer. */
export interface Ablation {
  readonly head: number;
  readonly withoutHead: ModelPerformance;
  readonly withoutOtherHeads: ModelPerformance;
}

const findArgmax = (values: readonly number[], from: number, end: number): number =>
  values.slice(from, end).reduce((best, value, index) => (value > (values[best] as number) ? index + from : best), from);

const readScores = ({ metrics }: Evaluation, name: string, layers: number, heads: number): number[] =>
  Array.from(
    { length: layers * heads },
    (_, modelHead) => metrics[`${name}_${Math.floor(modelHead / heads) + 1}_${(modelHead % heads) + 1}`] ?? Number.NaN,
  );

async function measurePerformance(trainer: Trainer, tokens: readonly number[], engine: Engine): Promise<ModelPerformance> {
  const { layers, heads } = trainer.config;
  const evaluation = await trainer.evaluate({ numSamples: SAMPLE_COUNT });
  const logits = await trainer.logits(tokens);
  // Computes the softmax of the logits, as attention with query 1 and the logits as keys.
  const k = { shape: [1, MAX_SYMBOLS, 1], data: logits.data.slice(-MAX_SYMBOLS) };
  const q = { shape: [1, 1, 1], data: new Float32Array([1]) };
  const { weights } = await engine.attention({ q, k, v: k, scale: 1, outputs: ['weights'] });
  return {
    probabilities: weights.data.slice(0, new Set(tokens).size),
    accuracy: evaluation.lengths[0]?.score ?? Number.NaN,
    previous: readScores(evaluation, 'previous_token', layers, heads),
    matching: readScores(evaluation, 'prefix_matching', layers, heads),
  };
}

/** @param tokens the input words as symbols, numbered from 0 in order of first occurrence */
export async function measureModel(trainer: Trainer, step: number, tokens: readonly number[], engine: Engine): Promise<ModelView> {
  const { layers, heads, embedDim } = trainer.config;
  return addBestHeads({
    ...(await measurePerformance(trainer, tokens, engine)),
    step,
    layers,
    heads,
    maps: await trainer.attentionWeights(tokens),
    composition: await trainer.kComposition({ fromLayer: 0, toLayer: 1 }),
    baseline: 1 / Math.sqrt(embedDim),
  });
}

export const addBestHeads = (view: Omit<ModelView, 'previousTokenHead' | 'copyingHead'>): ModelView => ({
  ...view,
  previousTokenHead: findArgmax(view.previous, 0, view.heads),
  copyingHead: findArgmax(view.matching, view.heads, view.layers * view.heads),
});

/**
 * Measures the model without one head (indexed from 0 over both layers), then without the other heads of its layer.
 * Restores all heads at the end.
 */
export async function measureAblation(
  trainer: Trainer,
  head: number,
  type: 'zero' | 'mean',
  tokens: readonly number[],
  engine: Engine,
): Promise<Ablation> {
  const { heads } = trainer.config;
  const [layer, headInLayer] = [Math.floor(head / heads), head % heads];
  const measureWithoutHeads = async (removedHeads: readonly HeadIndex[]): Promise<ModelPerformance> => {
    await trainer.ablateHeads(removedHeads, { type });
    return measurePerformance(trainer, tokens, engine);
  };
  try {
    const withoutHead = await measureWithoutHeads([{ layer, head: headInLayer }]);
    const otherHeads = Array.from({ length: heads }, (_, index) => ({ layer, head: index })).filter((other) => other.head !== headInLayer);
    return { head, withoutHead, withoutOtherHeads: await measureWithoutHeads(otherHeads) };
  } finally {
    await trainer.ablateHeads([]);
  }
}

export const findLikeliestWord = ({ probabilities }: ModelPerformance): number => probabilities.indexOf(Math.max(...probabilities));

export const getCompositionScore = ({ composition, heads, previousTokenHead, copyingHead }: ModelView): number =>
  entryAt(composition.data, previousTokenHead * heads + (copyingHead - heads));

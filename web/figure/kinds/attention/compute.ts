// Computes attention over a sentence: the weights and scores of all heads, and the weights if the sentence starts at a later position.
import { largestDifference } from '../../../charts/grid.ts';
import { PhasorError } from '../../../engine/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import { reorderRows } from '../../compute/seeded-order.ts';
import {
  clampHeadIndex,
  createOrderField,
  createWordLayerFields,
  headField,
  sentenceField,
  withoutTrainedProjections,
} from '../../compute/sentence-fields.ts';
import { createSentenceInput } from '../../compute/sentence-input.ts';
import { createTrainedLayer, type TrainedAttention } from '../../compute/trained-layer.ts';
import { choice, number, OFF, optional, type SpecOf } from '../../contract/fields.ts';
import type { KindContext } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { selectMatrix } from '../../contract/tensor.ts';
import type { Sink } from './sink.ts';
import { strings } from './strings.ts';

/** Number of positions by which the proof shifts the sentence. */
export const POSITION_SHIFT = 16;

export const fields = {
  text: sentenceField,
  order: createOrderField(),
  ...createWordLayerFields('rope'),
  head: headField,
  /** The sink logit, the same for all heads. */
  sink: optional(number(0, -10, 10)),
  matrix: choice('weights', 'scores'),
  colors: choice('linear', 'root'),
};
export type Spec = SpecOf<typeof fields>;

/** Maximum number of weights for which the maps of all heads are drawn. Larger maps are slow to draw. */
const MAX_DRAWN_WEIGHTS = 2 ** 19;

export interface ShiftResult {
  /**
   * Largest difference between the weights before and after the shift. Infinity if the encoding rejects the shifted
   * positions.
   */
  readonly residual: number;
  readonly rejectionMessage: string | undefined;
}

/**
 * Computes the weights at later positions. Returns the error message if the encoding rejects these positions, as a
 * learned table does.
 */
async function computeShiftedWeights(computeLayer: () => Promise<{ readonly weights: Tensor }>): Promise<Tensor | string> {
  try {
    return selectMatrix((await computeLayer()).weights, 0);
  } catch (thrown) {
    // Internal errors and cancellations do not mean that the encoding rejects the positions.
    const { code, message } = PhasorError.from(thrown);
    if (code === 'internal' || code === 'cancelled') throw thrown;
    return message;
  }
}

function compareWithShifted(before: Tensor, after: Tensor | string): ShiftResult {
  if (typeof after === 'string') return { residual: Number.POSITIVE_INFINITY, rejectionMessage: after };
  return { residual: largestDifference(before.data, after.data), rejectionMessage: undefined };
}

export interface Results {
  /** Words by position. */
  readonly words: readonly string[];
  readonly embeddings: Tensor;
  /** [words, words] */
  readonly weights: Tensor;
  readonly scores: Tensor;
  /** Weights and scores of all heads, each [heads, words, words]. Undefined if only the selected head was computed. */
  readonly allHeads: { readonly weights: Tensor; readonly scores: Tensor } | undefined;
  readonly sink: Sink | undefined;
  /** Undefined with a sink or a trained model, for which the proof is different. */
  readonly shiftResult: ShiftResult | undefined;
  readonly trained: TrainedAttention | undefined;
}

export async function computeAttention(spec: Spec, context: KindContext): Promise<Results> {
  const { engine } = context;
  const { heads, mask, projections, seed, positionOffset } = withoutTrainedProjections(spec);
  const { sink } = spec;
  const input = await createSentenceInput(spec, context);
  const embeddings = reorderRows(input.x, input.order);
  const head = clampHeadIndex(spec);
  if (spec.projections === 'trained') {
    if (sink !== OFF) throw new SpecError('sink', `sink: ${strings.noTrainedSink}`);
    const trained = await (await createTrainedLayer(spec, input, context)).computeAttention(input.order);
    const { weights, scores } = trained;
    return {
      words: input.placedWords,
      embeddings,
      weights: selectMatrix(weights, head),
      scores: selectMatrix(scores, head),
      allHeads: { weights, scores },
      sink: undefined,
      shiftResult: undefined,
      trained,
    };
  }
  const request = {
    x: embeddings,
    heads,
    mask,
    projections,
    seed,
    encoding: withUsedParams(spec.encoding, engine.encodings),
    head,
    computeOutput: false,
  } as const;
  const sinks = sink === OFF ? undefined : Array.from({ length: heads }, () => sink);
  const requestedOutputs = sinks ? (['weights', 'scores', 'sinkWeights'] as const) : (['weights', 'scores'] as const);
  const returnsAllHeads = heads > 1 && heads * input.placedWords.length ** 2 <= MAX_DRAWN_WEIGHTS;
  const headRequest = returnsAllHeads ? { ...request, head: undefined } : request;
  const [layer, shiftedWeights] = await Promise.all([
    engine.selfAttention({ ...headRequest, positionOffset, sinks, outputs: requestedOutputs }),
    sinks
      ? undefined
      : computeShiftedWeights(() =>
          engine.selfAttention({ ...request, positionOffset: positionOffset + POSITION_SHIFT, outputs: ['weights'] }),
        ),
  ]);
  const resultHead = returnsAllHeads ? head : 0;
  const weights = selectMatrix(layer.weights, resultHead);
  return {
    words: input.placedWords,
    embeddings,
    weights,
    scores: selectMatrix(layer.scores, resultHead),
    allHeads: returnsAllHeads ? { weights: layer.weights, scores: layer.scores } : undefined,
    sink: sink === OFF || !sinks ? undefined : { logit: sink, weights: layer.sinkWeights },
    shiftResult: shiftedWeights === undefined ? undefined : compareWithShifted(weights, shiftedWeights),
    trained: undefined,
  };
}

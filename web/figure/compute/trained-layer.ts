// Applies a layer of a small trained model to words. The model was trained to copy the token after the previous occurrence of the last
// token (cpp/src/tasks/induction.cpp). Its symbols have no meaning, so each distinct word is assigned one. Queries and keys come from the
// model, and values are the word embeddings.
import { copying, induction } from 'virtual:shipped-encodings';
import { entryAt } from '../../charts/entry-at.ts';
import { extent, largestDifference } from '../../charts/grid.ts';
import type { Params, Tensor } from '../../engine/index.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import { isIdentity, moveWord, type Order } from '../../sentence/order.ts';
import { type EncodingSpec, encodingSpec } from '../contract/fields.ts';
import type { KindContext } from '../contract/kind.ts';
import { SpecError } from '../contract/spec.ts';
import type { OrderComparison } from './output-proof.ts';
import { reorderRows } from './seeded-order.ts';
import type { WordLayerSpec } from './sentence-fields.ts';
import type { SentenceInput } from './sentence-input.ts';
import { MAX_SYMBOLS, toSymbol } from './word-symbols.ts';

/** The models support at most 64 tokens and have 4 heads. Their layer 1 copies tokens. */
const [MAX_WORDS, HEADS, COPYING_LAYER] = [64, 4, 1] as const;

const STRINGS = {
  noModel: (id: string) => `no trained model uses the encoding ${id}; expected one of ${induction.join(', ')}, or other projections`,
  noModels: 'this page has no trained models',
  words: (wordCount: number, distinctCount: number) =>
    `the trained model reads at most ${MAX_WORDS} words, at most ${MAX_SYMBOLS} of them distinct; this text has ${wordCount} words, ${distinctCount} of them distinct`,
  mask: 'the trained model is causal; expected causal',
  heads: (heads: number) => `${heads} does not match the trained model; expected ${HEADS}`,
  dim: (dim: number) => `${dim} is not divisible by the trained model's number of heads; expected a multiple of ${HEADS}`,
  offset: (offset: number) => `${offset} does not match the trained model; expected 0`,
} as const;

const listSymbols = (words: readonly string[]): readonly string[] => [...new Set(words.map(toSymbol))];

export const fitsTrainedModel = (words: readonly string[]): boolean =>
  words.length <= MAX_WORDS && listSymbols(words).length <= MAX_SYMBOLS;

export const hasTrainedLayer = (id: string): boolean => induction.includes(id);

export const hasLearnedToCopy = (id: string): boolean => copying.includes(id);

export const TRAINED_SETTINGS = { projections: 'trained', mask: 'causal', heads: HEADS, head: 0, positionOffset: 0, dim: 64 } as const;

function checkSettings({ encoding, mask, heads, dim, positionOffset }: WordLayerSpec, words: readonly string[]): void {
  const rejectField = (field: string, why: string): never => {
    throw new SpecError(field, `${field}: ${why}`);
  };
  if (!hasTrainedLayer(encoding.id)) rejectField('projections', STRINGS.noModel(encoding.id));
  if (!fitsTrainedModel(words)) rejectField('projections', STRINGS.words(words.length, listSymbols(words).length));
  if (mask !== 'causal') rejectField('mask', STRINGS.mask);
  if (heads !== HEADS) rejectField('heads', STRINGS.heads(heads));
  if (dim % HEADS !== 0) rejectField('dim', STRINGS.dim(dim));
  if (positionOffset !== 0) rejectField('positionOffset', STRINGS.offset(positionOffset));
}

/** Reshapes [words, channels] to [heads, words, channels / heads]. `joinHeads` is the inverse. */
function splitHeads({ shape, data }: Tensor): Tensor {
  const [words = 0, channels = 0] = shape;
  const width = channels / HEADS;
  const dataByHead = Float32Array.from(data, (_, index) => {
    const [head, word, channel] = [Math.floor(index / (words * width)), Math.floor(index / width) % words, index % width];
    return entryAt(data, word * channels + head * width + channel);
  });
  return { shape: [HEADS, words, width], data: dataByHead };
}

function joinHeads({ shape, data }: Tensor): Tensor {
  const [heads = 0, words = 0, width = 0] = shape;
  const dataByWord = Float32Array.from(data, (_, index) => {
    const [word, head, channel] = [Math.floor(index / (heads * width)), Math.floor(index / width) % heads, index % width];
    return entryAt(data, (head * words + word) * width + channel);
  });
  return { shape: [words, heads * width], data: dataByWord };
}

function selectLayer({ shape: [layers = 1, ...shape], data }: Tensor, layer: number): Tensor {
  const layerSize = data.length / layers;
  return { shape, data: data.slice(layer * layerSize, (layer + 1) * layerSize) };
}

export interface TrainedAttention {
  /** Queries and keys before the encoding is applied, and the embeddings as values; [heads, words, channels] each. */
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  /** The model's encoding with its trained parameters. If q and k already encode positions, `attentionEncoding` is 'none'. */
  readonly encoding: EncodingSpec;
  readonly attentionEncoding: EncodingSpec;
  /** [heads, words, words] */
  readonly weights: Tensor;
  readonly scores: Tensor;
  readonly bias: Tensor | undefined;
  /** [words, dim] */
  readonly output: Tensor;
  readonly embedDim: number;
  /** The largest difference between `weights` and the attention weights that the trained model computes itself. */
  readonly residual: number;
}

export interface TrainedLayer {
  computeAttention(order: Order): Promise<TrainedAttention>;
  compareWithOriginal(order: Order): Promise<OrderComparison>;
}

/** Creates a trained layer for a figure's fields. Rejects with a SpecError if no trained model supports them. */
export async function createTrainedLayer(
  spec: WordLayerSpec,
  { words, x }: SentenceInput,
  { engine, models }: KindContext,
): Promise<TrainedLayer> {
  checkSettings(spec, words);
  if (!models) throw new SpecError('projections', `projections: ${STRINGS.noModels}`);
  const shippedModels = await models();
  const { id } = spec.encoding;
  const info = engine.encodings.find((candidate) => candidate.id === id);
  const symbols = listSymbols(words);

  async function runAttention(trainer: Trainer, order: Order): Promise<TrainedAttention> {
    const tokens = order.map((word) => symbols.indexOf(toSymbol(words[word] as string)));
    const [queriesAndKeys, modelWeights, parameters] = await Promise.all([
      trainer.queriesAndKeys(tokens),
      trainer.attentionWeights(tokens),
      trainer.weights(),
    ]);
    const { encoding: trainedEncoding, embedDim, scale } = trainer.config;
    const learnedParams = (info?.params ?? []).flatMap(({ name }) => {
      const values = parameters[`encoding.${name}`];
      return values ? [[name, values] as const] : [];
    });
    const { id: _, ...params } = { ...trainedEncoding, ...Object.fromEntries(learnedParams) } as EncodingSpec & Params;
    const encoding = encodingSpec(id, params);
    const attentionEncoding = info?.injection === 'input' ? encodingSpec('none') : encoding;
    const [q, k, v] = [
      selectLayer(queriesAndKeys.q, COPYING_LAYER),
      selectLayer(queriesAndKeys.k, COPYING_LAYER),
      splitHeads(reorderRows(x, order)),
    ];
    const hasBias = info?.injection === 'score';
    const options = { q, k, v, encoding: attentionEncoding, mask: 'causal', ...(scale === undefined ? {} : { scale }) } as const;
    const [{ weights, scores, output }, biasResult] = await Promise.all([
      engine.attention({ ...options, outputs: ['weights', 'scores'] }),
      hasBias ? engine.attention({ ...options, outputs: ['bias'] }) : undefined,
    ]);
    return {
      ...{ q, k, v, encoding, attentionEncoding, weights, scores, embedDim },
      bias: biasResult?.bias,
      output: joinHeads(output),
      residual: largestDifference(weights.data, selectLayer(modelWeights, COPYING_LAYER).data),
    };
  }

  const computeAttention = (order: Order): Promise<TrainedAttention> =>
    shippedModels.use(`induction-${id}`, spec.encoding, (trainer) => runAttention(trainer, order));
  return {
    computeAttention,
    async compareWithOriginal(order) {
      const isOriginalOrder = isIdentity(order);
      const comparedOrder = isOriginalOrder ? moveWord(order, 0, order.length - 1) : order;
      const [originalAttention, comparedAttention] = await Promise.all([
        computeAttention(order.toSorted((a, b) => a - b)),
        computeAttention(comparedOrder),
      ]);
      const { min, max } = extent(originalAttention.output.data);
      const rows = reorderRows(originalAttention.output, comparedOrder).data;
      const width = rows.length / order.length;
      const differences = Float32Array.from(comparedOrder, (_, position) =>
        largestDifference(
          rows.subarray(position * width, (position + 1) * width),
          comparedAttention.output.data.subarray(position * width, (position + 1) * width),
        ),
      );
      return {
        isOriginalOrder,
        isOrderIrrelevant: false,
        wordCount: order.length,
        maxAbsDiff: Math.max(...differences),
        maxAbsOutput: Math.max(-min, max),
        maxDifferences: { shape: [order.length], data: differences },
        before: originalAttention.output,
        after: comparedAttention.output,
      };
    },
  };
}

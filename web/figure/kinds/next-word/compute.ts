// Predicts the next word with a small model trained on the induction task (cpp/src/tasks/induction.cpp). The
// model's symbols have no meaning, so any symbol can represent any word.

import { induction } from 'virtual:shipped-encodings';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { Order } from '../../../sentence/order.ts';
import { computeMean } from '../../compute/seeds.ts';
import { createOrderField, sentenceField, splitSentence } from '../../compute/sentence-fields.ts';
import { findCopiedPosition, findFirstReadPosition, MAX_SYMBOLS, toSymbol } from '../../compute/word-symbols.ts';
import { encoding, type SpecOf } from '../../contract/fields.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel, ShippedModels } from '../../runtime/shipped-models.ts';
import recorded from './recorded.json';
import { strings } from './strings.ts';

type GuessesByEncoding = { readonly [encoding: string]: Guess };

const { encodings: ENCODING_IDS } = recorded;

const RECORDED_GUESSES: { readonly [placed: string]: readonly (readonly (string | number)[])[] } = recorded.guesses;

function findRecordedGuesses(placedWords: readonly string[]): GuessesByEncoding | undefined {
  const recordedRows = RECORDED_GUESSES[placedWords.join(' ')];
  return (
    recordedRows &&
    Object.fromEntries(
      ENCODING_IDS.map((id, index) => [id, { word: String(recordedRows[index]?.[0]), probability: Number(recordedRows[index]?.[1]) }]),
    )
  );
}

/**
 * Returns the predictions with other encodings, either recorded or from loaded models. `predict` returns undefined if a
 * model is not loaded.
 */
async function predictWithOtherEncodings(
  placedWords: readonly string[],
  chosen: string,
  predict: (id: string) => Promise<Guess | undefined>,
): Promise<GuessesByEncoding> {
  const knownGuesses = findRecordedGuesses(placedWords);
  if (knownGuesses) return knownGuesses;
  const guessEntries = await Promise.all(ENCODING_IDS.filter((id) => id !== chosen).map(async (id) => [id, await predict(id)] as const));
  return Object.fromEntries(guessEntries.flatMap(([id, guess]) => (guess ? [[id, guess]] : [])));
}

export const fields = {
  text: { ...sentenceField, initial: strings.example },
  order: createOrderField(),
  encoding: encoding('rope', { ids: induction }),
};
export type Spec = SpecOf<typeof fields>;

/**
 * Each assignment [start, step] represents word i by the symbol (start + step * i) mod 26. Probabilities and weights
 * are averaged over the assignments.
 */
const ASSIGNMENTS = [
  [0, 1],
  [7, 3],
  [13, 5],
  [20, 11],
] as const;

export interface Guess {
  readonly word: string;
  readonly probability: number;
}

/** A head and its layer, both counted from 1. */
export interface HeadLocation {
  readonly layer: number;
  readonly head: number;
}

export interface Results {
  /** Words in the original order. `order` contains indices into this array. */
  readonly words: readonly string[];
  readonly order: Order;
  /** Words in the current order. Positions in other fields refer to this array. */
  readonly placedWords: readonly string[];
  /** Position of the first word in the model's input. The input has at most 64 words and at most 26 distinct words. */
  readonly firstPosition: number;
  readonly encoding: string;
  readonly model: ShippedModel;
  /** The distinct words of the text in descending order of probability. */
  readonly guesses: readonly Guess[];
  /** Total probability of symbols that represent no word. */
  readonly otherProbability: number;
  /** [assignments, symbols]: logits for the next word. */
  readonly logits: Tensor;
  /** `symbols[assignment][guess]` is the symbol that represents the guessed word. */
  readonly symbols: readonly (readonly number[])[];
  /**
   * [positions]: attention weights of the last word in the copying head. NaN for words outside the model's input.
   */
  readonly weights: Float32Array;
  /**
   * [positions]: each word's weight on the previous word in the previous-token head. NaN up to and including
   * `firstPosition`.
   */
  readonly previousWeights: Float32Array;
  readonly copyingHead: HeadLocation;
  readonly previousHead: HeadLocation;
  /** Position after the previous occurrence of the last word. Undefined if the last word has not occurred before. */
  readonly copiedPosition: number | undefined;
  /** Predictions with other encodings, either recorded or from loaded models. */
  readonly guessesByEncoding: GuessesByEncoding;
  /** Largest error of the attention weights, as computed by `computeMaxWeightError`. */
  readonly residual: number;
  readonly hasOtherParams: boolean;
}

function findStrongestHead({ metrics = {} }: ShippedModel, name: string, layer: number): HeadLocation {
  const heads = Object.keys(metrics).filter((key) => key.startsWith(`${name}_${layer}_`));
  const bestKey = heads.toSorted((a, b) => (metrics[b] as number) - (metrics[a] as number))[0] ?? '1';
  return { layer, head: Number(bestKey.split('_').at(-1)) };
}

/** Extracts one head's weights [queries, keys] from weights [layers, heads, queries, keys]. */
function extractHeadWeights({ shape, data }: Tensor, { layer, head }: HeadLocation): Tensor {
  const [, heads = 1, side = 1] = shape;
  const offset = ((layer - 1) * heads + head - 1) * side ** 2;
  return { shape: [side, side], data: data.subarray(offset, offset + side ** 2) };
}

/** Returns the largest deviation of a row sum from 1 or of a later word's weight from 0. */
function computeMaxWeightError({ shape, data }: Tensor): number {
  const side = shape.at(-1) as number;
  let maxError = 0;
  for (let row = 0; row < data.length / side; row++) {
    const weights = data.subarray(row * side, (row + 1) * side);
    const laterWeights = weights.subarray((row % side) + 1);
    maxError = Math.max(maxError, Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1), ...laterWeights.map(Math.abs));
  }
  return maxError;
}

const getAssignedSymbol = (index: number, [start, step]: (typeof ASSIGNMENTS)[number]): number => (start + step * index) % MAX_SYMBOLS;

interface ModelOutputs {
  /** [symbols]: logits for the next symbol. */
  readonly logits: Float32Array;
  readonly probabilities: Float32Array;
  readonly weights: Tensor;
}

/** Runs the model with one assignment of symbols. `indices` has each word's index among the distinct words. */
async function runModel(
  trainer: Trainer,
  indices: readonly number[],
  assignment: (typeof ASSIGNMENTS)[number],
  { engine }: KindContext,
): Promise<ModelOutputs> {
  const tokens = indices.map((index) => getAssignedSymbol(index, assignment));
  const [logits, weights] = await Promise.all([trainer.logits(tokens), trainer.attentionWeights(tokens)]);
  // With a query of 1 and the logits as keys, the attention weights are the softmax of the logits.
  const k = { shape: [1, MAX_SYMBOLS, 1], data: logits.data.slice(-MAX_SYMBOLS) };
  const q = { shape: [1, 1, 1], data: new Float32Array([1]) };
  const softmax = await engine.attention({ q, k, v: k, scale: 1, outputs: ['weights'] });
  return { logits: k.data, probabilities: softmax.weights.data, weights };
}

async function loadModels({ models }: KindContext): Promise<ShippedModels> {
  if (!models) throw new SpecError('encoding', `encoding: ${strings.noModels}`);
  return models();
}

/** Returns the distinct words in descending order of probability, averaged over the assignments. */
function computeGuesses(modelOutputs: readonly ModelOutputs[], distinctSymbols: readonly string[], placedWords: readonly string[]) {
  const probability = (index: number): number =>
    computeMean(
      modelOutputs.map(({ probabilities }, assignmentIndex) =>
        entryAt(probabilities, getAssignedSymbol(index, ASSIGNMENTS[assignmentIndex] as (typeof ASSIGNMENTS)[number])),
      ),
    );
  const findSpelling = (symbol: string): string => placedWords.findLast((word) => toSymbol(word) === symbol) as string;
  return distinctSymbols
    .map((symbol, index) => ({ index, word: findSpelling(symbol), probability: probability(index) }))
    .toSorted((a, b) => b.probability - a.probability);
}

const getModelId = (encoding: string): string => `induction-${encoding}`;

export async function computeNextWord(spec: Spec, context: KindContext): Promise<Results> {
  const { words, order } = splitSentence(spec.text, spec.order);
  const placedWords = order.map((word) => words[word] as string);
  const models = await loadModels(context);
  const model = await models.find(getModelId(spec.encoding.id));
  const firstPosition = findFirstReadPosition(placedWords, model.lengths[0]?.length ?? 1);
  const symbols = placedWords.slice(firstPosition).map(toSymbol);
  const distinctSymbols = [...new Set(symbols)];
  const indices = symbols.map((symbol) => distinctSymbols.indexOf(symbol));
  const runAssignments = ({ id, spec: { encoding: trainedEncoding } }: ShippedModel) =>
    models.use(id, trainedEncoding, (trainer) =>
      Promise.all(ASSIGNMENTS.map((assignment) => runModel(trainer, indices, assignment, context))),
    );
  const modelOutputs = await runAssignments(model);
  const guesses = computeGuesses(modelOutputs, distinctSymbols, placedWords);
  const copiedPosition = findCopiedPosition(placedWords, firstPosition);
  const predictWithLoadedModel = async (id: string): Promise<Guess | undefined> => {
    const otherModel = await models.find(getModelId(id));
    if (!models.isLoaded(otherModel.id, otherModel.spec.encoding)) return undefined;
    const [likeliest] = computeGuesses(await runAssignments(otherModel), distinctSymbols, placedWords);
    return likeliest && { word: likeliest.word, probability: likeliest.probability };
  };
  const copyingHead = findStrongestHead(model, 'prefix_matching', 2);
  const previousHead = findStrongestHead(model, 'previous_token', 1);
  const side = symbols.length;
  const computeMeanWeights = (head: HeadLocation, getWeightIndex: (position: number) => number) =>
    Float32Array.from(placedWords, (_, position) => {
      const weightIndex = position < firstPosition ? -1 : getWeightIndex(position - firstPosition);
      return weightIndex < 0
        ? Number.NaN
        : computeMean(modelOutputs.map(({ weights }) => entryAt(extractHeadWeights(weights, head).data, weightIndex)));
    });
  return {
    words,
    order,
    placedWords,
    firstPosition,
    encoding: spec.encoding.id,
    model,
    guesses: guesses.map(({ word, probability }): Guess => ({ word, probability })),
    logits: { shape: [ASSIGNMENTS.length, MAX_SYMBOLS], data: Float32Array.from(modelOutputs.flatMap(({ logits }) => [...logits])) },
    symbols: ASSIGNMENTS.map((assignment) => guesses.map(({ index }) => getAssignedSymbol(index, assignment))),
    otherProbability: Math.max(0, 1 - guesses.reduce((sum, { probability }) => sum + probability, 0)),
    weights: computeMeanWeights(copyingHead, (position) => (side - 1) * side + position),
    previousWeights: computeMeanWeights(previousHead, (position) => (position === 0 ? -1 : position * side + position - 1)),
    copyingHead,
    previousHead,
    copiedPosition,
    guessesByEncoding:
      copiedPosition === undefined ? {} : await predictWithOtherEncodings(placedWords, spec.encoding.id, predictWithLoadedModel),
    residual: Math.max(...modelOutputs.map(({ weights }) => computeMaxWeightError(weights))),
    hasOtherParams: Object.entries(spec.encoding).some(
      ([name, value]) => name !== 'id' && value !== (model.spec.encoding as { readonly [name: string]: unknown })[name],
    ),
  };
}

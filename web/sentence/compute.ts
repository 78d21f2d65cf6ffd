// Computes all numbers of a figure from a setting. Every number comes from the core; this file only makes the calls.
import { type EncodingInfo, PhasorError, type RemotePhasor, type Tensor, type Want } from '../engine/index.ts';
import { usedParams } from '../figure/parameters.ts';
import { extent } from '../views/grid.ts';
import { type Addition, addition, addsToScores } from './addition.ts';
import { embedding } from './embedding.ts';
import { identityOrder, isIdentity, type Order } from './order.ts';
import { type Setting, shownHead } from './setting.ts';
import { tokenize } from './tokens.ts';
import { VECTOR_WIDTH, type WordVectors } from './word-vectors.ts';

export interface Figure {
  readonly setting: Setting;
  readonly encoding: EncodingInfo;
  /** The words in their original order. Elsewhere a word is identified by its index in this list. */
  readonly words: readonly string[];
  /** For each word, whether it has a word vector. */
  readonly known: readonly boolean[];
  /** For each place the index of the word there. */
  readonly order: Order;
  readonly isMoved: boolean;
  /** Index of the head shown; weights, scores and bias are those of this head. */
  readonly head: number;
  /** [1, places, places], in the current order; NaN where masked, to distinguish it from a weight of 0. */
  readonly weights: Tensor;
  /** [1, places, places]; -Infinity where masked. Present when they are shown, or when there is a mask. */
  readonly scores: Tensor | undefined;
  readonly addition: Addition;
  /** Maximum absolute output in the original order, to compare differences with. */
  readonly maxAbsOutput: number;
  /** Maximum absolute difference of the outputs, after the permutation is undone. */
  readonly maxAbsDiff: number;
  /** For each place, the maximum absolute difference of its word's output. */
  readonly differences: Float32Array;
  /** True when the outputs differ by more than rounding errors. */
  readonly isChanged: boolean;
}

/** Differences below this fraction of the maximum absolute output are float32 rounding errors. */
const ROUNDING = 1e-5;

function checkWidth(width: number): void {
  if (Number.isInteger(width) && width >= 1 && width <= VECTOR_WIDTH) return;
  throw new PhasorError(
    'invalid_argument',
    `width: ${width} is not a whole number from 1 to ${VECTOR_WIDTH}, the width of the word vectors`,
  );
}

/** Sets masked weights to NaN. */
function markMasked(weights: Tensor, scores: Tensor | undefined): Tensor {
  if (!scores) return weights;
  for (let pair = 0; pair < scores.data.length; pair++) if (!Number.isFinite(scores.data[pair])) weights.data[pair] = Number.NaN;
  return weights;
}

/** Computes a figure. Rejects with a PhasorError whose message begins with the name of the invalid argument. */
export async function computeFigure(setting: Setting, phasor: RemotePhasor, vectors: WordVectors): Promise<Figure> {
  const encoding = phasor.encodings.find(({ id }) => id === setting.encoding);
  if (!encoding) throw new PhasorError('unknown_name', `encoding: "${setting.encoding}" is not known here`);
  const { heads, mask, matrix, offset, projections, seed, width } = setting;
  const params = usedParams(setting.params, encoding);
  checkWidth(width);
  const words = tokenize(setting.text);
  const order = setting.order.length === words.length ? setting.order : identityOrder(words.length);
  const { x, known } = await embedding(words, width, vectors, phasor);
  // These are the largest arrays by far, so only those that are shown are requested.
  const want: Want[] = ['weights'];
  if (matrix === 'scores' || mask !== 'none') want.push('scores');
  if (addsToScores(encoding)) want.push('bias');
  const head = shownHead(setting);
  const request = { heads, mask, offset, projections, seed, encoding: { ...params, id: encoding.id } };
  const [result, added] = await Promise.all([
    phasor.reorder({ ...request, x, order, want, head }),
    addition({ ...setting, params }, encoding, words.length, phasor),
  ]);
  const { min, max } = extent(result.before.data);
  const maxAbsOutput = Math.max(-min, max);
  return {
    setting,
    encoding,
    words,
    known,
    order,
    isMoved: !isIdentity(order),
    head,
    weights: markMasked(result.weights as Tensor, result.scores),
    scores: result.scores,
    addition: result.bias ? { kind: 'bias', tensor: result.bias } : added,
    maxAbsOutput,
    maxAbsDiff: result.maxAbsDiff,
    differences: result.perToken.data,
    isChanged: result.maxAbsDiff > ROUNDING * Math.max(1, maxAbsOutput),
  };
}

// From a setting to all numbers of a figure. Every number comes from the core; here are only the questions to it.
import { type EncodingInfo, PhasorError, type RemotePhasor, type Tensor, type Want } from '../engine/index.ts';
import { extent } from '../views/grid.ts';
import { type Addition, addition, addsToScores } from './addition.ts';
import { embedding } from './embedding.ts';
import { isWritten, type Order, written } from './order.ts';
import { usedParams } from './parameters.ts';
import { type Setting, shownHead } from './setting.ts';
import { tokenize } from './tokens.ts';
import { VECTOR_WIDTH, type WordVectors } from './word-vectors.ts';

export interface Figure {
  readonly setting: Setting;
  readonly encoding: EncodingInfo;
  /** The words as written. Everywhere else a word is named by its index here. */
  readonly words: readonly string[];
  /** For each word, whether its vector is known. */
  readonly known: readonly boolean[];
  /** At each place the word that stands there. */
  readonly order: Order;
  readonly isMoved: boolean;
  /** The head shown, from 0: matrices of pairs are its own. */
  readonly head: number;
  /** [1, places, places], in the order the words stand in; NaN where masked, which is more than a weight of 0. */
  readonly weights: Tensor;
  /** [1, places, places]; -Infinity where masked. There when they are shown, or when something is masked. */
  readonly scores: Tensor | undefined;
  readonly addition: Addition;
  /** The largest output before anything moved, to compare differences with. */
  readonly size: number;
  /** Largest difference of any output after the words are put back. */
  readonly maxAbsDiff: number;
  /** For each place, how far the output of its word moved. */
  readonly distances: Float32Array;
  /** True when outputs differ by more than rounding. */
  readonly isChanged: boolean;
}

/** Differences below this share of the largest output are rounding of 32-bit numbers. */
const ROUNDING = 1e-5;

function checkWidth(width: number): void {
  if (Number.isInteger(width) && width >= 1 && width <= VECTOR_WIDTH) return;
  throw new PhasorError(
    'invalid_argument',
    `width: ${width} is not a whole number from 1 to ${VECTOR_WIDTH}, the width of the word vectors`,
  );
}

/** Marks weights of pairs that a mask hides. */
function hideMasked(weights: Tensor, scores: Tensor | undefined): Tensor {
  if (!scores) return weights;
  for (let pair = 0; pair < scores.data.length; pair++) if (!Number.isFinite(scores.data[pair])) weights.data[pair] = Number.NaN;
  return weights;
}

/** Everything a figure shows. Rejects with a PhasorError whose message begins with the name of the argument at fault. */
export async function computeFigure(setting: Setting, phasor: RemotePhasor, vectors: WordVectors): Promise<Figure> {
  const encoding = phasor.encodings.find(({ id }) => id === setting.encoding);
  if (!encoding) throw new PhasorError('unknown_name', `encoding: "${setting.encoding}" is not known here`);
  const { heads, mask, matrix, offset, projections, seed, width } = setting;
  const params = usedParams(setting.params, encoding);
  checkWidth(width);
  const words = tokenize(setting.text);
  const order = setting.order.length === words.length ? setting.order : written(words.length);
  const { x, known } = await embedding(words, width, vectors, phasor);
  // The largest arrays by far: what nobody looks at is neither copied nor collected.
  const want: Want[] = ['weights'];
  if (matrix === 'scores' || mask !== 'none') want.push('scores');
  if (addsToScores(encoding)) want.push('bias');
  const head = shownHead(setting);
  const request = { heads, mask, offset, projections, seed, encoding: { ...params, id: encoding.id } };
  const [result, added] = await Promise.all([
    phasor.reorder({ ...request, x, order, want, head }),
    addition({ ...setting, params }, encoding, words.length, phasor),
  ]);
  const { least, greatest } = extent(result.before.data);
  const size = Math.max(-least, greatest);
  return {
    setting,
    encoding,
    words,
    known,
    order,
    isMoved: !isWritten(order),
    head,
    weights: hideMasked(result.weights as Tensor, result.scores),
    scores: result.scores,
    addition: result.bias ? { kind: 'bias', tensor: result.bias } : added,
    size,
    maxAbsDiff: result.maxAbsDiff,
    distances: result.perToken.data,
    isChanged: result.maxAbsDiff > ROUNDING * Math.max(1, size),
  };
}

// The readout, proof and tables for the rotary frequencies that a trained model's heads use. A channel pair adds at most |q||k| to a
// score, where |q| and |k| are the lengths of the query and the key in the pair's plane (Barbero et al. 2024, arXiv 2410.06205).

import { formatWholePercent, joinWithAnd, wholeNumber } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Tensor } from '../../../engine/index.ts';
import { type Cursor, type DataTable, makeProof, type Proof } from '../../contract/kind.ts';
import { frequencyScene } from './frequencies-scene.ts';
import { getCursorHead, getHeadIndex, labelCharacter, toLayerAndHead } from './heads.ts';
import type { Spec } from './index.ts';
import type { LazyView } from './later-view.ts';
import { getCursorSnapshot, type Training } from './model.ts';
import type { ModelInput } from './shown.ts';
import { describeDistance, strings } from './strings.ts';

const describeWavelength = (count: number): string =>
  Number.isFinite(count) ? `${wholeNumber.format(Math.round(count))} characters` : 'infinitely many characters';

export const frequencyStrings = {
  title: 'Frequencies of each head',
  noFrequencies: (id: string) => `${id} does not rotate pairs of channels, so it has no frequencies; expected 'heads'`,
  axisTitle: 'characters per rotation, fast → slow',
  barsTitle: 'Share of each pair in its head’s |q||k| ↑',
  shadeLabel: (trainedLength: number) => `full rotation within ${wholeNumber.format(trainedLength)} characters`,
  equalUseLabel: 'equal use of all pairs',
  formatShare: (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`,
  formatTick: formatWholePercent,
  formatWavelength: (tokens: number) => (Number.isFinite(tokens) ? wholeNumber.format(Math.round(tokens)) : '∞'),
  pairName: (pair: number, wavelength: number) => `pair ${pair}, one rotation in ${describeWavelength(wavelength)}`,
  strongestPair: (pair: string, share: string, distance: string, weight: string) =>
    `the most used is ${pair}: ${share}. On average, most attention goes to ${distance}: ${weight}`,
  pairReadout: (pair: string, share: string, product: string) => `${pair}: ${share} of the head’s |q||k|, ${product} on average`,
  strongestPairOfHead: (position: string, pair: number, share: string) => `${position}: pair ${pair} is used most (${share})`,
  description: (heads: string, fastShare: string, pairCount: number) =>
    `How much each head uses ${pairCount} channel pairs, from fast to slow. ${heads}. The faster half of the pairs has a share of ${fastShare}, averaged over all heads.`,
  mainDistance: (distance: number, share: string) => `${distance === 0 ? 'itself' : `${distance} back`}: ${share}`,
  mainDistanceNote: 'Below each head’s name: the distance with the largest mean weight, and that weight.',
  inputNote: (readCount: number, length: number, unknownCharacters: readonly string[], totalCount: number) =>
    [
      readCount > length
        ? `The model reads ${wholeNumber.format(readCount)} characters, ${wholeNumber.format(length)} at a time, as in training.`
        : `The model reads ${wholeNumber.format(readCount)} characters.`,
      totalCount > readCount ? `The text has ${wholeNumber.format(totalCount)} characters; the rest are not read.` : '',
      unknownCharacters.length > 0
        ? `Omitted, because the model’s training novel does not contain them: ${joinWithAnd.format(unknownCharacters)}.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  tables: {
    shares: 'share of each pair in a head’s mean |q||k|',
    halves: 'shares of the faster and slower halves of the pairs',
    products: 'mean |q||k| of each pair, over all visible keys',
    back: 'mean weight by distance',
    q: 'queries before rotation',
    k: 'keys before rotation',
  },
  halfNames: ['faster half', 'slower half'],
  meanOfHeads: 'all heads, mean',
  pairTitle: 'pair (characters per rotation)',
  channelTitle: 'channel',
  vectorTitle: 'layer, head, character',
  proof: {
    quantity: 'largest difference between the model’s attention weights and those computed from these queries and keys after rotation',
    passes: 'After rotation, these queries and keys reproduce the model’s attention weights.',
    fails: 'After rotation, these queries and keys do not reproduce the model’s attention weights.',
  },
} as const;

/** Tolerance for float32 rounding. The model and the core sum the scores in different orders. */
const TOLERANCE = 1e-5;

export interface FrequencyResults extends Training {
  readonly show: 'frequencies';
  readonly view: LazyView<FrequencyResults>;
  readonly modelInput: ModelInput;
  readonly layers: number;
  /** Heads per layer. */
  readonly heads: number;
  /** Training length in characters. Longer texts are read in chunks of this length. */
  readonly trainedLength: number;
  readonly channels: readonly (readonly [number, number])[];
  /** [pairs]: characters per rotation. */
  readonly wavelengths: Float32Array;
  /** [layers * heads, pairs]: the mean of |q||k| in the pair's plane, over all queries and their visible keys. */
  readonly products: Tensor;
  /** `products` as fractions of each head's sum. */
  readonly shares: Tensor;
  /** [layers * heads, distances]: the mean weight at each distance back. */
  readonly meanByDistance: Tensor;
  /** [layers * heads, characters, headDim], before rotation. */
  readonly q: Tensor;
  readonly k: Tensor;
  readonly residual: number;
  readonly hasOtherParams: boolean;
}

export const getRow = ({ shape, data }: Tensor, row: number): Float32Array => {
  const columns = entryAt(shape, 1);
  return data.subarray(row * columns, (row + 1) * columns);
};

/**
 * Returns [layers * heads + 1, 2]: each head's total share of the faster and of the slower half of the pairs. The last
 * row is the mean over all heads.
 */
export function sumHalves({ shares }: Pick<FrequencyResults, 'shares'>): Tensor {
  const [heads = 0, pairs = 0] = shares.shape;
  const data = new Float32Array(2 * (heads + 1));
  for (let head = 0; head < heads; head++) {
    getRow(shares, head).forEach((share, pair) => {
      for (const row of [head, heads]) {
        const index = 2 * row + (2 * pair < pairs ? 0 : 1);
        data[index] = entryAt(data, index) + (row === head ? share : share / heads);
      }
    });
  }
  return { shape: [heads + 1, 2], data };
}

const getCursorPair = ({ wavelengths }: FrequencyResults, { pair }: Cursor): number | undefined =>
  pair !== undefined && Number.isInteger(pair) && pair >= 0 && pair < wavelengths.length ? pair : undefined;

function readout(results: FrequencyResults, spec: Spec, cursor: Cursor): string {
  const cursorSnapshot = getCursorSnapshot(results, cursor.snapshot);
  if (cursorSnapshot !== undefined) return strings.snapshotReadout(entryAt(results.steps, cursorSnapshot));
  const index = getCursorHead(results, cursor.head) ?? getHeadIndex(results, spec);
  const { layer, head } = toLayerAndHead(results, index);
  const pair = getCursorPair(results, cursor);
  const { shares, products, meanByDistance, wavelengths } = results;
  const describePair = (pair: number): string => frequencyStrings.pairName(pair, entryAt(wavelengths, pair));
  if (pair !== undefined) {
    const [share, product] = [entryAt(getRow(shares, index), pair), entryAt(getRow(products, index), pair)];
    return strings.headReadout(
      layer,
      head,
      frequencyStrings.pairReadout(describePair(pair), frequencyStrings.formatShare(share), formatNumber(product)),
    );
  }
  const largest = extent(getRow(shares, index));
  const mainDistance = extent(getRow(meanByDistance, index));
  const mainDistanceText = describeDistance(mainDistance.argmax);
  return strings.headReadout(
    layer,
    head,
    frequencyStrings.strongestPair(
      describePair(largest.argmax),
      frequencyStrings.formatShare(largest.max),
      mainDistanceText,
      frequencyStrings.formatShare(mainDistance.max),
    ),
  );
}

const proof = (results: FrequencyResults): Proof =>
  makeProof({ ...frequencyStrings.proof, toleranceSource: strings.weightsSource(results) }, results.residual, TOLERANCE);

function tables(results: FrequencyResults): readonly DataTable[] {
  const { shares, products, meanByDistance, q, k, wavelengths, modelInput } = results;
  const titles = frequencyStrings.tables;
  const positions = Array.from({ length: entryAt(shares.shape, 0) }, (_, index) => toLayerAndHead(results, index)).map(({ layer, head }) =>
    strings.headLocation(layer, head),
  );
  const columns = Array.from(wavelengths, (tokens, pair) => `${pair} (${frequencyStrings.formatWavelength(tokens)})`);
  const pairLabels = { rowTitle: strings.head, columnTitle: frequencyStrings.pairTitle, rows: positions, columns };
  const vectors = positions.flatMap((location) => modelInput.characters.map((character) => `${location}: ${labelCharacter(character)}`));
  const vectorLabels = { rowTitle: frequencyStrings.vectorTitle, columnTitle: frequencyStrings.channelTitle, rows: vectors };
  const toMatrix = ({ shape, data }: Tensor): Tensor => ({ shape: [entryAt(shape, 0) * entryAt(shape, 1), entryAt(shape, 2)], data });
  return [
    { name: 'shares', title: titles.shares, tensor: shares, ...pairLabels },
    {
      name: 'halves',
      title: titles.halves,
      tensor: sumHalves(results),
      rowTitle: strings.head,
      columnTitle: frequencyStrings.pairTitle,
      rows: [...positions, frequencyStrings.meanOfHeads],
      columns: frequencyStrings.halfNames,
    },
    { name: 'products', title: titles.products, tensor: products, ...pairLabels },
    {
      name: 'back',
      title: titles.back,
      tensor: meanByDistance,
      rowTitle: strings.head,
      columnTitle: strings.charactersBack,
      rows: positions,
    },
    { name: 'q', title: titles.q, tensor: toMatrix(q), ...vectorLabels },
    { name: 'k', title: titles.k, tensor: toMatrix(k), ...vectorLabels },
  ];
}

export const view: LazyView<FrequencyResults> = { scene: frequencyScene, readout, proof, tables };

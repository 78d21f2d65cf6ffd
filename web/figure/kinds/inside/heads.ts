// The attention weights of all heads of a trained model on a text.

import { entryAt, isIndex, lastEntry } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import { distanceProfile } from '../../../engine/analysis.ts';
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { computeMean } from '../../compute/seeds.ts';
import { splitSentence } from '../../compute/sentence-fields.ts';
import { type Cursor, type DataTable, type KindContext, makeProof, type Proof } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { getCursorSnapshot, requireModels, type Training } from './model.ts';
import { createModelInput, evaluateModel, type ModelInput } from './shown.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in rows of at most 64 weights. */
const TOLERANCE = 1e-5;

export interface HeadResults extends Training {
  readonly show: 'heads';
  readonly modelInput: ModelInput;
  /** [layers * heads, characters, characters]: attention weights; NaN for later characters. */
  readonly maps: Tensor;
  /** [layers * heads, characters]: the mean weight at each distance back. */
  readonly meanByDistance: Tensor;
  /** [layers * heads]: the mean weight on the first character; large for an attention sink. */
  readonly meanWeightOnFirst: Tensor;
  readonly layers: number;
  readonly heads: number;
  readonly residual: number;
  /** Whether the proof also compares the weights with those of a prefix. False if they depend on the text length. */
  readonly isPrefixCompared: boolean;
  /** Whether the encoding has a learned table or bias, which `show: 'table'` displays. */
  readonly hasTable: boolean;
  /** Whether the encoding rotates channel pairs, whose use `show: 'frequencies'` displays. */
  readonly hasFrequencies: boolean;
  readonly hasOtherParams: boolean;
}

/** Whether the encoding learns a table of positions or a bias on scores. */
export const hasTable = ({ id, injection, learned }: EncodingInfo): boolean => id === 'learned' || (injection === 'score' && learned);

export function joinOrdered({ text, order: requested }: Pick<Spec, 'text' | 'order'>): string {
  const { words, order } = splitSentence(text, requested);
  if (order.every((word, position) => word === position)) return text;
  return order
    .map((word) => words[word] as string)
    .join(' ')
    .replace(/ ([,.;:!?])/g, '$1');
}

/** Whether the encoding parameters that the user selected differ from those of the trained model. */
export function hasOtherParams({ encoding }: Pick<Spec, 'encoding'>, model: ShippedModel, encodings: readonly EncodingInfo[]): boolean {
  const trainedEncoding = model.spec.encoding as { readonly [name: string]: unknown };
  const params = withUsedParams(encoding, encodings) as { readonly [name: string]: unknown };
  return Object.keys(encoding).some((name) => name !== 'id' && params[name] !== undefined && params[name] !== trainedEncoding[name]);
}

/**
 * Returns the larger of two errors: the largest difference between a row sum and 1, and the largest weight on a later
 * character.
 */
function measureWeightError({ shape, data }: Tensor): number {
  const characterCount = lastEntry(shape);
  let maxError = 0;
  for (let row = 0; row < data.length / characterCount; row++) {
    const query = row % characterCount;
    let sum = 0;
    for (let key = 0; key < characterCount; key++) {
      const weight = entryAt(data, row * characterCount + key);
      sum += weight;
      if (key > query) maxError = Math.max(maxError, Math.abs(weight));
    }
    maxError = Math.max(maxError, Math.abs(sum - 1));
  }
  return maxError;
}

/** Returns the largest difference between the weights of a text and the weights of its prefix. */
function measurePrefixDifference({ shape, data }: Tensor, prefixWeights: Tensor): number {
  const [textLength, prefixLength] = [lastEntry(shape), lastEntry(prefixWeights.shape)];
  let maximum = 0;
  for (let cell = 0; cell < prefixWeights.data.length; cell++) {
    const [head, row, column] = [Math.floor(cell / prefixLength ** 2), Math.floor(cell / prefixLength) % prefixLength, cell % prefixLength];
    const difference = Math.abs(entryAt(data, (head * textLength + row) * textLength + column) - entryAt(prefixWeights.data, cell));
    // Math.max returns NaN if a weight is NaN, so that the proof fails.
    maximum = Math.max(maximum, difference);
  }
  return maximum;
}

/** Sets the weights of later characters to NaN, so that their cells are empty instead of 0. */
function maskLaterCharacters({ shape, data }: Tensor): Tensor {
  const [layers = 1, heads = 1, characterCount = 1] = shape;
  const maskedWeights = data.map((weight, index) =>
    index % characterCount > Math.floor(index / characterCount) % characterCount ? Number.NaN : weight,
  );
  return { shape: [layers * heads, characterCount, characterCount], data: maskedWeights };
}

export async function computeHeadResults(spec: Spec, context: KindContext): Promise<HeadResults> {
  const { engine } = context;
  const { id: encoding } = spec.encoding;
  const models = await requireModels(context);
  const model = await models.find(`text-${encoding}`);
  const { symbols = '' } = model.text ?? {};
  const modelInput = createModelInput(joinOrdered(spec), symbols, model.lengths[0]?.length ?? 1);
  if (modelInput.characters.length === 0) throw new SpecError('text', `text: ${strings.noKnownCharacters}`);
  const info = engine.encodings.find(({ id }) => id === encoding);
  return evaluateModel(model, spec, context, async (trainer) => {
    const tokens = await trainer.tokens(modelInput.characters.join(''));
    const fullWeights = await trainer.attentionWeights(tokens);
    const [layers = 1, heads = 1, characterCount = 1] = fullWeights.shape;
    const isPrefixCompared = info?.prefixStable === true && characterCount > 1;
    const prefixError = isPrefixCompared
      ? measurePrefixDifference(fullWeights, await trainer.attentionWeights(tokens.slice(0, Math.ceil(characterCount / 2))))
      : 0;
    const back = new Float32Array(layers * heads * characterCount);
    const weightOnFirst = new Float32Array(layers * heads);
    for (let head = 0; head < layers * heads; head++) {
      const matrix = {
        shape: [characterCount, characterCount],
        data: fullWeights.data.slice(head * characterCount ** 2, (head + 1) * characterCount ** 2),
      };
      weightOnFirst[head] = computeMean(Array.from({ length: characterCount }, (_, query) => entryAt(matrix.data, query * characterCount)));
      const { mean } = await distanceProfile(engine, { matrix });
      // The diagonals in `mean` are ordered by key minus query, starting at 1 - characterCount. The main diagonal has
      // the index characterCount - 1.
      for (let distance = 0; distance < characterCount; distance++)
        back[head * characterCount + distance] = entryAt(mean.data, characterCount - 1 - distance);
    }
    return {
      show: 'heads' as const,
      modelInput,
      maps: maskLaterCharacters(fullWeights),
      meanByDistance: { shape: [layers * heads, characterCount], data: back },
      meanWeightOnFirst: { shape: [layers * heads], data: weightOnFirst },
      layers,
      heads,
      residual: Math.max(measureWeightError(fullWeights), prefixError),
      isPrefixCompared,
      hasTable: info !== undefined && hasTable(info),
      hasFrequencies: info?.rotates === true,
      hasOtherParams: hasOtherParams(spec, model, engine.encodings),
    };
  });
}

type Heads = Pick<HeadResults, 'layers' | 'heads'>;

export const getHeadIndex = ({ layers, heads }: Heads, { layer, head }: Pick<Spec, 'layer' | 'head'>): number =>
  (Math.min(layer, layers) - 1) * heads + Math.min(head, heads) - 1;

export const getCursorHead = ({ layers, heads }: Heads, head: number | undefined): number | undefined =>
  head !== undefined && Number.isInteger(head) && head >= 0 && head < layers * heads ? head : undefined;

/** Converts a head index over all layers to layer and head numbers, both counted from 1. */
export const toLayerAndHead = ({ heads }: Pick<HeadResults, 'heads'>, index: number) => ({
  layer: Math.floor(index / heads) + 1,
  head: (index % heads) + 1,
});

export const nameCharacter = (character: string): string => (character === ' ' ? strings.spaceName : `“${character}”`);
export const labelCharacter = (character: string): string => (character === ' ' ? '␣' : character);

export const getHeadMap = ({ maps: { shape, data } }: HeadResults, index: number): Tensor => {
  const characterCount = entryAt(shape, 1);
  return { shape: [characterCount, characterCount], data: data.subarray(index * characterCount ** 2, (index + 1) * characterCount ** 2) };
};

export function headReadout(results: HeadResults, spec: Spec, { query, key, head: pointed, snapshot }: Cursor): string {
  const cursorSnapshot = getCursorSnapshot(results, snapshot);
  if (cursorSnapshot !== undefined) return strings.snapshotReadout(entryAt(results.steps, cursorSnapshot));
  const { characters } = results.modelInput;
  const index = getCursorHead(results, pointed) ?? getHeadIndex(results, spec);
  const { layer, head } = toLayerAndHead(results, index);
  const withHeadPrefix = (sentence: string): string => strings.headReadout(layer, head, sentence);
  const count = characters.length;
  const { data } = getHeadMap(results, index);
  const describe = (position: number): string => strings.numberedCharacter(nameCharacter(entryAt(characters, position)), position);
  if (isIndex(query, count) && isIndex(key, count)) {
    const value = entryAt(data, query * count + key);
    const [queryName, keyName] = [describe(query), describe(key)];
    return withHeadPrefix(
      Number.isFinite(value) ? strings.cellReadout(queryName, keyName, formatNumber(value)) : strings.maskedReadout(queryName, keyName),
    );
  }
  if (isIndex(query, count)) {
    const { max, argmax } = extent(data.subarray(query * count, (query + 1) * count));
    return withHeadPrefix(strings.rowReadout(describe(query), describe(argmax), formatNumber(max)));
  }
  const { max, argmax } = extent(results.meanByDistance.data.subarray(index * count, (index + 1) * count));
  return withHeadPrefix(strings.mainDistance(argmax, formatNumber(max), formatNumber(entryAt(results.meanWeightOnFirst.data, index))));
}

export const headProof = (results: HeadResults): Proof =>
  makeProof(
    { ...strings.headProof(results.isPrefixCompared), toleranceSource: strings.weightsSource(results) },
    results.residual,
    TOLERANCE,
  );

export function headTables(results: HeadResults, spec: Spec): readonly DataTable[] {
  const { maps, meanByDistance, meanWeightOnFirst, modelInput, layers, heads } = results;
  const characterCount = modelInput.characters.length;
  const characters = modelInput.characters.map(labelCharacter);
  const headLabels = Array.from({ length: layers * heads }, (_, index) => toLayerAndHead(results, index)).map(({ layer, head }) =>
    strings.headLocation(layer, head),
  );
  const axes = { rowTitle: strings.query, columnTitle: strings.key, columns: characters };
  return [
    { name: 'weights', title: strings.tables.weights, tensor: getHeadMap(results, getHeadIndex(results, spec)), rows: characters, ...axes },
    {
      name: 'back',
      title: strings.tables.back,
      tensor: meanByDistance,
      rowTitle: strings.head,
      columnTitle: strings.charactersBack,
      rows: headLabels,
      columns: characters.map((_, distance) => String(distance)),
    },
    {
      name: 'first',
      title: strings.tables.first,
      tensor: meanWeightOnFirst,
      rowTitle: strings.head,
      columnTitle: strings.firstCharacter,
      rows: headLabels,
    },
    {
      name: 'maps',
      title: strings.tables.maps,
      tensor: { shape: [layers * heads * characterCount, characterCount], data: maps.data },
      rows: headLabels.flatMap((location) => characters.map((character) => `${location}: ${character}`)),
      ...axes,
    },
  ];
}

import { clocksScene } from '../../../charts/clocks/clocks-scene.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { distanceProfile, similarity as rowSimilarity } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import { createPositionLabels, createTableRequest, selectColumns } from '../../compute/table-rows.ts';
import { formatWavelength } from '../../compute/table-rows-strings.ts';
import { selectPairedSinusoids, splitChannels, type TableWaves } from '../../compute/table-waves.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { countDigits } from './digits.ts';
import { strings } from './strings.ts';

/** Tolerance per channel pair for float32 rounding in a dot product. */
const TOLERANCE = 1e-6;

const computeBitValue = (bit: number): number => 2 ** bit;

const fields = {
  // With 8 channels and base 16, each hand has half the speed of the previous one, like binary digits.
  encoding: encoding('sinusoidal base=16', 'waves'),
  length: count(16, 1, 64),
  dim: count(8, 1, 64),
  positionOffset: count(0, 0, 1_000_000),
};
export type Spec = SpecOf<typeof fields>;

interface Results {
  /** [positions, pairs] */
  readonly sine: Tensor;
  readonly cosine: Tensor;
  readonly sinusoids: TableWaves;
  /** [positions, bits] */
  readonly digits: Tensor;
  readonly spread: number;
}

export const kind = defineKind<typeof fields, Results>({
  id: 'clocks',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  mainFields: ['encoding', 'base', 'length'],
  fields,
  aspect: 0.6,
  async compute(spec, { engine }) {
    const table = await engine.positionTable(createTableRequest(spec));
    const sinusoids = await selectPairedSinusoids(spec, engine);
    const { length, positionOffset } = spec;
    const digits = await engine.positionTable({
      encoding: { id: 'binary', order: 'lsb_first' },
      length,
      positionOffset,
      dim: countDigits(length, positionOffset),
    });
    const similarity = await rowSimilarity(engine, { table: selectColumns(table, sinusoids.channels.flat()), metric: 'dot' });
    const { spread } = await distanceProfile(engine, { matrix: similarity });
    const { sine, cosine } = splitChannels(sinusoids);
    return { sine: selectColumns(table, sine), cosine: selectColumns(table, cosine), sinusoids, digits, spread };
  },
  playback: { axis: 'query', count: (_, { length }) => length },
  scene({ sine, cosine, digits }, { encoding: { id }, length, positionOffset }, frame) {
    const pairCount = entryAt(sine.shape, 1);
    return clocksScene({
      ...frame,
      title: strings.question,
      rowLabels: createPositionLabels(length, positionOffset),
      rowTitle: strings.position,
      rowAxis: 'query',
      groups: [
        {
          kind: 'dials',
          // NeRF orders pairs from slow to fast, and random Fourier frequencies are unordered.
          heading: id === 'nerf' || id === 'fourier' ? strings.pairsHeading : strings.fastToSlowHeading,
          axis: 'pair',
          columnLabels: Array.from({ length: pairCount }, (_, pair) => String(pair)),
          sine: toGrid(sine),
          cosine: toGrid(cosine),
        },
        {
          kind: 'digits',
          heading: strings.digitsHeading,
          axis: 'bit',
          columnLabels: Array.from({ length: entryAt(digits.shape, 1) }, (_, bit) => String(computeBitValue(bit))),
          digits: toGrid(digits),
        },
      ],
    });
  },
  readout({ sine, cosine, sinusoids, digits }, { length, positionOffset }, { query, pair, bit }) {
    const handCount = entryAt(sine.shape, 1);
    const digitCount = entryAt(digits.shape, 1);
    if (!isIndex(query, length)) return strings.rangeReadout(positionOffset, positionOffset + length - 1, handCount, digitCount);
    const readValue = (values: typeof sine, column: number): number => entryAt(values.data, query * entryAt(values.shape, 1) + column);
    if (isIndex(pair, handCount))
      return strings.handReadout(
        query + positionOffset,
        pair,
        formatNumber(readValue(sine, pair)),
        formatNumber(readValue(cosine, pair)),
        formatWavelength(sinusoids.wavelengths[pair]),
      );
    const binaryText = Array.from({ length: digitCount }, (_, digitIndex) => readValue(digits, digitCount - 1 - digitIndex)).join('');
    if (isIndex(bit, digitCount))
      return strings.digitReadout(query + positionOffset, computeBitValue(bit), readValue(digits, bit), binaryText);
    return strings.positionReadout(query + positionOffset, binaryText);
  },
  proof: ({ spread, sine }) => makeProof(strings.proof, spread, TOLERANCE * entryAt(sine.shape, 1)),
  tables({ sine, cosine, digits }, { length, positionOffset }) {
    const rows = createPositionLabels(length, positionOffset);
    const bitLabels = Array.from({ length: entryAt(digits.shape, 1) }, (_, bit) => String(computeBitValue(bit)));
    return [
      { name: 'sine', title: strings.sine, tensor: sine, rowTitle: strings.position, columnTitle: strings.pair, rows },
      { name: 'cosine', title: strings.cosine, tensor: cosine, rowTitle: strings.position, columnTitle: strings.pair, rows },
      {
        name: 'digits',
        title: strings.digitsTitle,
        tensor: digits,
        rowTitle: strings.position,
        columnTitle: strings.bitValue,
        rows,
        columns: bitLabels,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});

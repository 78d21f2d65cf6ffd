import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { computeTones } from './compute.ts';
import { tonesScene } from './scene.ts';
import { strings } from './strings.ts';
import { tonesSurface } from './surface.ts';
import { describeTone, describeTones } from './texts.ts';

export const fields = {
  encoding: encoding('rope', { ids: ['rope'] }),
  dim: count(64, 2, 256),
  step: count(1, 1, 64),
  /** With the default rate, the fastest pair is an A at 3,520 Hz. */
  rate: count(22_117, 100, 200_000),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'tones',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['base', 'scaling', 'dim', 'rate'],
  fields,
  aspect: 0.4,
  compute: (spec, { engine }) => computeTones(spec, engine),
  scene: (results, _, frame) => tonesScene(results, describeTones(results), frame),
  surface: tonesSurface,
  hasOwnReadout: true,
  readout: (results, _, { pair }) =>
    isIndex(pair, results.heardFrequencies.length) ? describeTone(results, pair) : describeTones(results),
  proof: ({ residual, tolerance }) => makeProof(strings.proof, residual, tolerance),
  tables({ invFreq, trainedFrequencies, heardFrequencies }) {
    const pairCount = heardFrequencies.length;
    const hertzTable = Float32Array.from({ length: 2 * pairCount }, (_, index) =>
      entryAt(index % 2 === 0 ? trainedFrequencies : heardFrequencies, Math.floor(index / 2)),
    );
    return [
      {
        name: 'inv_freq',
        title: strings.tableTitles.inv_freq,
        tensor: { shape: [pairCount], data: invFreq },
        rowTitle: strings.pair,
        columnTitle: strings.value,
      },
      {
        name: 'hertz',
        title: strings.tableTitles.hertz,
        tensor: { shape: [pairCount, 2], data: hertzTable },
        rowTitle: strings.pair,
        columnTitle: strings.value,
        columns: strings.columnNames,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});

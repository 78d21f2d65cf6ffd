import shipped from 'virtual:shipped-encodings';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { sentenceOrder, sentenceText } from '../../numbers/sentence-fields.ts';
import { actionsOf } from './actions.ts';
import type { BiasNumbers } from './bias.ts';
import type { FrequencyNumbers } from './frequencies.ts';
import { type HeadNumbers, headAt, headNumbers, headProof, headReadout, headTables, placeOf } from './heads.ts';
import { headsScene } from './heads-scene.ts';
import { SNAPSHOTS } from './snapshots.ts';
import { type TableNumbers, tableProof, tableReadout, tableTables } from './table.ts';
import { tableScene } from './table-scene.ts';
import { snapshotAt } from './training.ts';
import { words } from './words.ts';

/** Those of the models of characters that ship. */
export const [LAYERS, HEADS] = [2, 4];

const fields = {
  text: sentenceText,
  order: sentenceOrder(),
  encoding: encoding('rope', { ids: shipped }),
  show: choice('heads', 'table', 'frequencies'),
  layer: count(LAYERS, 1, LAYERS),
  head: count(3, 1, HEADS),
  colors: choice('linear', 'root'),
  task: choice('geometry_1d', 'geometry_2d'),
  run: choice('recorded', 'live'),
  seed: count(1, 0, 2 ** 32 - 1),
  snapshot: count(SNAPSHOTS, 0, SNAPSHOTS),
};
export type Spec = SpecOf<typeof fields>;
export type Numbers = HeadNumbers | TableNumbers | BiasNumbers | FrequencyNumbers;

export const kind = defineKind({
  id: 'inside',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  labels: words.labels,
  help: words.help,
  ownFields: ['head', 'seed'],
  isPaced: true,
  isTrained: true,
  aspect: 0.6,
  async compute(spec, means): Promise<Numbers> {
    if (spec.show === 'heads') return headNumbers(spec, means);
    if (spec.show === 'frequencies') return (await import('./frequencies-numbers.ts')).frequencyNumbers(spec, means);
    if (spec.encoding.id === 'learned') return (await import('./table-numbers.ts')).tableNumbers(spec, means);
    return (await import('./bias-numbers.ts')).biasNumbers(spec, means);
  },
  scene(numbers, spec, frame) {
    if (numbers.show === 'heads') return headsScene(numbers, spec, frame);
    if (numbers.show === 'frequencies') return numbers.view.scene(numbers, spec, frame);
    return numbers.show === 'table' ? tableScene(numbers, frame) : numbers.view.scene(numbers, frame);
  },
  choose(numbers, _, cursor) {
    const snapshot = snapshotAt(numbers, cursor.snapshot);
    if (snapshot !== undefined) return { snapshot };
    if (numbers.show !== 'heads' && numbers.show !== 'frequencies') return undefined;
    const head = headAt(numbers, cursor.head);
    return head === undefined ? undefined : placeOf(numbers, head);
  },
  actions: actionsOf,
  readout(numbers, spec, cursor) {
    if (numbers.show === 'heads') return headReadout(numbers, spec, cursor);
    if (numbers.show === 'frequencies') return numbers.view.readout(numbers, spec, cursor);
    return numbers.show === 'table' ? tableReadout(numbers, spec, cursor) : numbers.view.readout(numbers, cursor);
  },
  proof(numbers) {
    if (numbers.show === 'heads') return headProof(numbers);
    if (numbers.show === 'frequencies') return numbers.view.proof(numbers);
    return numbers.show === 'table' ? tableProof(numbers) : numbers.view.proof(numbers);
  },
  tables(numbers, spec) {
    if (numbers.show === 'heads') return headTables(numbers, spec);
    if (numbers.show === 'frequencies') return numbers.view.tables(numbers);
    return numbers.show === 'table' ? tableTables(numbers) : numbers.view.tables(numbers);
  },
  code: () => import('./code.ts'),
});

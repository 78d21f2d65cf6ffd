import shipped from 'virtual:shipped-encodings';
import { sentenceOrder, sentenceText } from '../../compute/sentence-fields.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { actionsOf } from './actions.ts';
import type { BiasNumbers } from './bias.ts';
import type { FrequencyNumbers } from './frequencies.ts';
import { type HeadNumbers, headAt, headNumbers, headProof, headReadout, headTables, placeOf } from './heads.ts';
import { headsScene } from './heads-scene.ts';
import type { LaterView } from './later-view.ts';
import { SNAPSHOTS } from './snapshots.ts';
import { words } from './strings.ts';
import type { TableNumbers } from './table.ts';
import { snapshotAt } from './training.ts';

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
type LaterNumbers = TableNumbers | BiasNumbers | FrequencyNumbers;
export type Numbers = HeadNumbers | LaterNumbers;

/** Whatever they are, their view is for them. */
const viewOf = ({ view }: LaterNumbers): LaterView<LaterNumbers> => view;

export const kind = defineKind({
  id: 'inside',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  labels: words.labels,
  help: words.help,
  ownFields: ['head', 'seed'],
  trainable: ({ run }) => (run === 'live' ? import('../../surface/paced.ts') : undefined),
  isTrained: true,
  aspect: 0.6,
  async compute(spec, means): Promise<Numbers> {
    if (spec.show === 'heads') return headNumbers(spec, means);
    if (spec.show === 'frequencies') return (await import('./frequencies-compute.ts')).frequencyNumbers(spec, means);
    if (spec.encoding.id === 'learned') return (await import('./table-compute.ts')).tableNumbers(spec, means);
    return (await import('./bias-compute.ts')).biasNumbers(spec, means);
  },
  scene: (numbers, spec, frame) =>
    numbers.show === 'heads' ? headsScene(numbers, spec, frame) : viewOf(numbers).scene(numbers, spec, frame),
  choose(numbers, _, cursor) {
    const snapshot = snapshotAt(numbers, cursor.snapshot);
    if (snapshot !== undefined) return { snapshot };
    if (numbers.show !== 'heads' && numbers.show !== 'frequencies') return undefined;
    const head = headAt(numbers, cursor.head);
    return head === undefined ? undefined : placeOf(numbers, head);
  },
  actions: actionsOf,
  readout: (numbers, spec, cursor) =>
    numbers.show === 'heads' ? headReadout(numbers, spec, cursor) : viewOf(numbers).readout(numbers, spec, cursor),
  proof: (numbers) => (numbers.show === 'heads' ? headProof(numbers) : viewOf(numbers).proof(numbers)),
  tables: (numbers, spec) => (numbers.show === 'heads' ? headTables(numbers, spec) : viewOf(numbers).tables(numbers)),
  code: () => import('./code.ts'),
});

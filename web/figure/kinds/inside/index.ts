import shipped from 'virtual:shipped-encodings';
import { createOrderField, sentenceField } from '../../compute/sentence-fields.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import { type Action, defineKind } from '../../contract/kind.ts';
import type { BiasNumbers } from './bias.ts';
import type { FrequencyNumbers } from './frequencies.ts';
import { computeHeadNumbers, type HeadNumbers, headAt, headIndex, headProof, headReadout, headTables, toLayerAndHead } from './heads.ts';
import { headsScene } from './heads-scene.ts';
import type { LazyView } from './later-view.ts';
import { snapshotAt } from './model.ts';
import { NUM_SNAPSHOTS, RECORDING_FIELDS } from './snapshots.ts';
import { strings } from './strings.ts';
import type { TableNumbers } from './table.ts';

/**
 * Returns the actions that change `show`. The learned table is from a different model than the heads, so switching to or
 * from it also returns to the recorded model.
 */
function viewActions(numbers: Numbers, { encoding }: Spec): Action[] {
  const viewAction = (label: string, show: Spec['show'], isOther = false): Action => ({
    label,
    fields: () => (isOther ? { show, ...RECORDING_FIELDS } : { show }),
  });
  if (numbers.show === 'table' && !numbers.hasHeads) return [];
  if (numbers.show !== 'heads') return [viewAction(strings.toHeads, 'heads', numbers.show === 'table')];
  return [
    ...(numbers.hasTable ? [viewAction(strings.toTable, 'table', encoding.id === 'learned')] : []),
    ...(numbers.hasFrequencies ? [viewAction(strings.toFrequencies, 'frequencies')] : []),
  ];
}

function headActions(numbers: Numbers, spec: Spec): Action[] {
  if (numbers.show !== 'heads' && numbers.show !== 'frequencies') return [];
  const count = numbers.layers * numbers.heads;
  const shiftHead = (by: number) => () => toLayerAndHead(numbers, (headIndex(numbers, spec) + by + count) % count);
  return [
    { label: strings.previousHead, keys: ['[', 'PageUp'], fields: shiftHead(-1) },
    { label: strings.nextHead, keys: [']', 'PageDown'], fields: shiftHead(1) },
  ];
}

function trainingActions(numbers: Numbers, spec: Spec): readonly Action[] {
  if (numbers.track) return numbers.track.actions(numbers, spec, numbers.show === 'heads' || numbers.show === 'frequencies');
  return numbers.canTrain ? [{ label: strings.train, keys: ['t'], fields: () => ({ run: 'live', snapshot: NUM_SNAPSHOTS }) }] : [];
}

/** Returns the available actions. During training, these are only the actions that do not interrupt it. */
export const createActions = (numbers: Numbers, spec: Spec): readonly Action[] =>
  numbers.isRunning
    ? headActions(numbers, spec)
    : [...headActions(numbers, spec), ...trainingActions(numbers, spec), ...viewActions(numbers, spec)];

/** Layers, and heads per layer, of the shipped character models. */
export const [LAYERS, HEADS] = [2, 4];

const fields = {
  text: sentenceField,
  order: createOrderField(),
  encoding: encoding('rope', { ids: shipped }),
  show: choice('heads', 'table', 'frequencies'),
  layer: count(LAYERS, 1, LAYERS),
  head: count(3, 1, HEADS),
  colors: choice('linear', 'root'),
  task: choice('geometry_1d', 'geometry_2d'),
  run: choice('recorded', 'live'),
  seed: count(1, 0, 2 ** 32 - 1),
  snapshot: count(NUM_SNAPSHOTS, 0, NUM_SNAPSHOTS),
};
export type Spec = SpecOf<typeof fields>;
type LazyNumbers = TableNumbers | BiasNumbers | FrequencyNumbers;
export type Numbers = HeadNumbers | LazyNumbers;

const viewOf = ({ view }: LazyNumbers): LazyView<LazyNumbers> => view;

export const kind = defineKind({
  id: 'inside',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  unlinkedFields: ['head', 'seed'],
  trainable: ({ run }) => (run === 'live' ? import('../../surface/paced.ts') : undefined),
  isTrained: true,
  aspect: 0.6,
  async compute(spec, context): Promise<Numbers> {
    if (spec.show === 'heads') return computeHeadNumbers(spec, context);
    if (spec.show === 'frequencies') return (await import('./frequencies-compute.ts')).computeFrequencyNumbers(spec, context);
    if (spec.encoding.id === 'learned') return (await import('./table.ts')).computeTableNumbers(spec, context);
    return (await import('./bias.ts')).computeBiasNumbers(spec, context);
  },
  scene: (numbers, spec, frame) =>
    numbers.show === 'heads' ? headsScene(numbers, spec, frame) : viewOf(numbers).scene(numbers, spec, frame),
  choose(numbers, _, cursor) {
    const snapshot = snapshotAt(numbers, cursor.snapshot);
    if (snapshot !== undefined) return { snapshot };
    if (numbers.show !== 'heads' && numbers.show !== 'frequencies') return undefined;
    const head = headAt(numbers, cursor.head);
    return head === undefined ? undefined : toLayerAndHead(numbers, head);
  },
  actions: createActions,
  readout: (numbers, spec, cursor) =>
    numbers.show === 'heads' ? headReadout(numbers, spec, cursor) : viewOf(numbers).readout(numbers, spec, cursor),
  proof: (numbers) => (numbers.show === 'heads' ? headProof(numbers) : viewOf(numbers).proof(numbers)),
  tables: (numbers, spec) => (numbers.show === 'heads' ? headTables(numbers, spec) : viewOf(numbers).tables(numbers)),
  loadPrograms: () => import('./code.ts'),
});

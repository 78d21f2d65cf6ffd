import shipped from 'virtual:shipped-encodings';
import { createOrderField, sentenceField } from '../../compute/sentence-fields.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import { type Action, defineKind } from '../../contract/kind.ts';
import type { BiasResults } from './bias.ts';
import type { FrequencyResults } from './frequencies.ts';
import {
  computeHeadResults,
  getCursorHead,
  getHeadIndex,
  type HeadResults,
  headProof,
  headReadout,
  headTables,
  toLayerAndHead,
} from './heads.ts';
import { headsScene } from './heads-scene.ts';
import type { LazyView } from './later-view.ts';
import { getCursorSnapshot } from './model.ts';
import { NUM_SNAPSHOTS, RECORDING_FIELDS } from './snapshots.ts';
import { strings } from './strings.ts';
import type { TableResults } from './table.ts';

/**
 * Returns the actions that change `show`. The learned table is from a different model than the heads, so switching to or
 * from it also returns to the recorded model.
 */
function viewActions(results: Results, { encoding }: Spec): Action[] {
  const createViewAction = (label: string, show: Spec['show'], isOtherModel = false): Action => ({
    label,
    fields: () => (isOtherModel ? { show, ...RECORDING_FIELDS } : { show }),
  });
  if (results.show === 'table' && !results.hasHeads) return [];
  if (results.show !== 'heads') return [createViewAction(strings.showHeads, 'heads', results.show === 'table')];
  return [
    ...(results.hasTable ? [createViewAction(strings.showTable, 'table', encoding.id === 'learned')] : []),
    ...(results.hasFrequencies ? [createViewAction(strings.showFrequencies, 'frequencies')] : []),
  ];
}

function headActions(results: Results, spec: Spec): Action[] {
  if (results.show !== 'heads' && results.show !== 'frequencies') return [];
  const count = results.layers * results.heads;
  const shiftHead = (offset: number) => () => toLayerAndHead(results, (getHeadIndex(results, spec) + offset + count) % count);
  return [
    { label: strings.previousHead, keys: ['[', 'PageUp'], fields: shiftHead(-1) },
    { label: strings.nextHead, keys: [']', 'PageDown'], fields: shiftHead(1) },
  ];
}

function trainingActions(results: Results, spec: Spec): readonly Action[] {
  if (results.track) return results.track.actions(results, spec, results.show === 'heads' || results.show === 'frequencies');
  return results.canTrain ? [{ label: strings.train, keys: ['t'], fields: () => ({ run: 'live', snapshot: NUM_SNAPSHOTS }) }] : [];
}

/** Returns the available actions. During training, these are only the actions that do not interrupt it. */
export const createActions = (results: Results, spec: Spec): readonly Action[] =>
  results.isRunning
    ? headActions(results, spec)
    : [...headActions(results, spec), ...trainingActions(results, spec), ...viewActions(results, spec)];

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
type LazyResults = TableResults | BiasResults | FrequencyResults;
export type Results = HeadResults | LazyResults;

const getView = ({ view }: LazyResults): LazyView<LazyResults> => view;

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
  async compute(spec, context): Promise<Results> {
    if (spec.show === 'heads') return computeHeadResults(spec, context);
    if (spec.show === 'frequencies') return (await import('./frequencies-compute.ts')).computeFrequencyResults(spec, context);
    if (spec.encoding.id === 'learned') return (await import('./table.ts')).computeTableResults(spec, context);
    return (await import('./bias.ts')).computeBiasResults(spec, context);
  },
  scene: (results, spec, frame) =>
    results.show === 'heads' ? headsScene(results, spec, frame) : getView(results).scene(results, spec, frame),
  choose(results, _, cursor) {
    const snapshot = getCursorSnapshot(results, cursor.snapshot);
    if (snapshot !== undefined) return { snapshot };
    if (results.show !== 'heads' && results.show !== 'frequencies') return undefined;
    const head = getCursorHead(results, cursor.head);
    return head === undefined ? undefined : toLayerAndHead(results, head);
  },
  actions: createActions,
  readout: (results, spec, cursor) =>
    results.show === 'heads' ? headReadout(results, spec, cursor) : getView(results).readout(results, spec, cursor),
  proof: (results) => (results.show === 'heads' ? headProof(results) : getView(results).proof(results)),
  tables: (results, spec) => (results.show === 'heads' ? headTables(results, spec) : getView(results).tables(results)),
  loadPrograms: () => import('./code.ts'),
});

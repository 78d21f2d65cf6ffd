import { choice, count, type SpecOf, text } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { createFileInput } from '../../files/drop.ts';
import { checkConfig, computeLayerResults, type LayerResults } from './compute.ts';
import { MODEL_IDS, MODELS } from './models.ts';
import { layersScene } from './scene.ts';
import { strings } from './strings.ts';
import { summarizeLayers } from './summary.ts';

const fields = {
  model: choice(...MODEL_IDS),
  config: text('', checkConfig),
  context: count(0, 0, 2 ** 31 - 1),
};
export type Spec = SpecOf<typeof fields>;

const MIN_NOTE_WIDTH = 560;

const createNotes = ({ context, isContextAssumed }: LayerResults, { config, model }: Spec, hasRoom: boolean): readonly string[] => [
  ...(hasRoom && config.trim() === '' ? [strings.configSource(MODELS[model].repository)] : []),
  ...(isContextAssumed ? [strings.assumedContext(context)] : []),
];

export const kind = defineKind({
  id: 'layers',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.6,
  compute: (spec, { engine }) => computeLayerResults(spec, engine),
  resolvedFields: ({ context }) => ({ context }),
  scene: (results, spec, frame) => layersScene(results, createNotes(results, spec, frame.width >= MIN_NOTE_WIDTH), frame),
  readout(results, _, { layer }) {
    const selectedLayer = layer === undefined ? undefined : results.layers[layer];
    return layer === undefined || selectedLayer === undefined
      ? summarizeLayers(results)
      : strings.layerReadout(layer, results.layers.length, selectedLayer, results.context);
  },
  proof: ({ residual }) => makeProof(strings.proof, residual, 0),
  tables({ table, layers }) {
    return [
      {
        name: 'layers',
        title: strings.tableTitle,
        tensor: table,
        rowTitle: strings.layerTitle,
        columnTitle: strings.propertyTitle,
        rows: layers.map((_, layer) => String(layer)),
        columns: strings.columnNames,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
  files: createFileInput(['.json']),
  accept({ json }) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    return { config: JSON.stringify(json) };
  },
});

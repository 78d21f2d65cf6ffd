import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { createModelFileInput } from '../../files/model-drop.ts';
import { computeHeadMeasures, fields } from './compute.ts';
import { RECOMPUTED_MEASURES } from './recomputed.ts';
import { headsScene } from './scene.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in sums over the weights of at most 300 tokens. */
const TOLERANCE = 1e-4;

export const kind = defineKind({
  id: 'model-heads',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['text', 'headMeasure', 'sorted'],
  unlinkedFields: ['text', 'head'],
  showsLanguageModel: true,
  aspect: 1,
  compute: computeHeadMeasures,
  scene: headsScene,
  resolvedFields: ({ chosenHead: { location } }) => ({ layer: location.layer + 1, head: location.head + 1 }),
  choose({ measure, model: { heads } }, _, { head }) {
    return isIndex(head, measure.data.length) ? { layer: Math.floor(head / heads) + 1, head: (head % heads) + 1 } : undefined;
  },
  detailFigure: ({ chosenHead: { location } }, { text }) => ({
    kind: 'model-attention',
    label: strings.showHead,
    fields: { layer: String(location.layer + 1), head: String(location.head + 1), text },
  }),
  readout({ measure, model, chosenHead, pieces, nextTokens }, { headMeasure }, { head, query, key }) {
    const { heads } = model;
    const headSentence = (index: number): string =>
      strings.describeHead(Math.floor(index / heads), index % heads, headMeasure, entryAt(measure.data, index));
    if (isIndex(query, pieces.length) && isIndex(key, pieces.length))
      return strings.weightReadout(
        pieces[query] as string,
        pieces[key] as string,
        formatNumber(entryAt(chosenHead.weights.data, query * pieces.length + key)),
      );
    if (isIndex(head, measure.data.length)) return headSentence(head);
    return [headSentence(chosenHead.location.index), strings.describeNextTokens(nextTokens)].filter(Boolean).join(' ');
  },
  proof: ({ residual }) => makeProof(strings.proof, residual, TOLERANCE),
  tables: ({ measure, model: { layers, heads }, chosenHead, pieces, chosenMeasures }, { headMeasure }) => [
    {
      name: 'measure',
      title: strings.measureTitle(headMeasure),
      tensor: measure,
      rowTitle: strings.tables.layer,
      columnTitle: strings.tables.head,
      rows: Array.from({ length: layers }, (_, layer) => String(layer + 1)),
      columns: Array.from({ length: heads }, (_, head) => String(head + 1)),
    },
    {
      name: 'attention',
      title: strings.tables.attention,
      tensor: chosenHead.weights,
      rowTitle: strings.queryTitle,
      columnTitle: strings.keyTitle,
      rows: pieces,
      columns: pieces,
    },
    {
      name: 'chosen',
      title: strings.tables.chosenMeasures,
      tensor: { shape: [RECOMPUTED_MEASURES.length], data: Float32Array.from(RECOMPUTED_MEASURES, (name) => chosenMeasures[name]) },
      rowTitle: strings.tables.measure,
      columnTitle: strings.tables.value,
      rows: strings.tables.measures,
    },
  ],
  files: createModelFileInput(),
  loadPrograms: () => import('./code.ts'),
});

import { colorScaleOf } from '../../../charts/color.ts';
import { composeScenes } from '../../../charts/compose.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { headMapsScene } from '../../../charts/heatmap/head-maps-scene.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import type { Tensor } from '../../../engine/index.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import { withMaskedAsNaN } from '../../compute/unmasked.ts';
import { OFF } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { computeAttention, fields, POSITION_SHIFT, type Results, type Spec } from './compute.ts';
import { createSinkColumn, measureRowSumError, type Sink, selectSinkWeights } from './sink.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in weights and scores. */
const TOLERANCE = 1e-5;

type MatrixChoice = Pick<Spec, 'matrix' | 'mask'>;

/** Minimum figure width in px for placing the maps of all heads beside the matrix. */
const MIN_WIDTH_BESIDE = 560;
const PANEL_GAP = 28;

/** Returns the displayed matrix. Masked weights are NaN, so that they are not drawn as 0. */
function selectMatrix({ weights, scores }: { readonly weights: Tensor; readonly scores: Tensor }, { matrix, mask }: MatrixChoice): Tensor {
  if (matrix === 'scores') return scores;
  return mask === 'none' ? weights : withMaskedAsNaN(weights, scores);
}

function findExtrema({ data }: Tensor, sink: Sink | undefined, matrix: Spec['matrix']): number[] {
  const { min, max } = extent(data);
  const sinkExtent = sink ? extent(matrix === 'scores' ? [sink.logit] : sink.weights.data) : { min, max };
  return [min, max, sinkExtent.min, sinkExtent.max];
}

export const kind = defineKind<typeof fields, Results>({
  id: 'attention',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.6,
  compute: computeAttention,
  scene(results, spec, frame) {
    const { matrix, heads, colors } = spec;
    const allMatrices = results.allHeads && selectMatrix(results.allHeads, spec);
    const colorScale = matrix === 'scores' ? 'diverging' : colors === 'root' ? 'root' : 'sequential';
    // All heads share one colour scale so that they are comparable.
    const { sink } = results;
    const range = allMatrices && colorScaleOf(colorScale, findExtrema(allMatrices, sink, matrix), frame.theme).domain;
    const areMapsBeside = allMatrices !== undefined && frame.width >= MIN_WIDTH_BESIDE;
    const mapsWidth = areMapsBeside ? Math.round((frame.width - PANEL_GAP) * 0.36) : frame.width;
    const matrixPanel = matrixScene({
      ...frame,
      width: areMapsBeside ? frame.width - PANEL_GAP - mapsWidth : frame.width,
      grid: toGrid(selectMatrix(results, spec)),
      scale: colorScale,
      range,
      title: strings.titles[matrix],
      quantity: strings.quantityNames[matrix],
      rowAxis: 'query',
      columnAxis: 'key',
      rowLabels: results.words,
      columnLabels: results.words,
      rowTitle: strings.query,
      columnTitle: strings.key,
      aside: sink && createSinkColumn(sink, allMatrices ? clampHeadIndex(spec) : 0, matrix),
      asideAxis: 'sink',
    });
    if (!allMatrices || !range) return matrixPanel;
    const maps = headMapsScene({
      maps: Array.from({ length: heads }, (_, head) => toGrid(allMatrices, head)),
      asideColumns: sink && Array.from({ length: heads }, (_, head) => createSinkColumn(sink, head, matrix).data),
      scale: colorScale,
      range,
      enlargedHead: clampHeadIndex(spec),
      title: strings.headsTitle,
      headAxis: 'head',
      rowAxis: 'query',
      columnAxis: 'key',
      width: mapsWidth,
      maxHeight: areMapsBeside ? Math.max(200, matrixPanel.picture.height) : 150,
      theme: frame.theme,
    });
    const mapsOrigin = areMapsBeside ? { x: frame.width - mapsWidth, y: 0 } : { x: 0, y: matrixPanel.picture.height + 16 };
    return composeScenes(
      [
        { scene: matrixPanel, x: 0, y: 0 },
        { scene: maps, ...mapsOrigin },
      ],
      { title: strings.titles[matrix] },
    );
  },
  // A linked figure may have more heads than this one.
  choose: (_, { heads }, { head }) => (head !== undefined && head >= 0 && head < heads ? { head: head + 1 } : undefined),
  actions(_, spec) {
    const { heads } = spec;
    const head = clampHeadIndex(spec) + 1;
    const removeSinkActions = spec.sink === OFF ? [] : [{ label: strings.sink.removeLabel, fields: () => ({ sink: OFF }) }];
    if (heads === 1) return removeSinkActions;
    const shiftHead = (headDelta: number) => () => ({ head: ((head - 1 + headDelta + heads) % heads) + 1 });
    return [
      { label: strings.previousHead, keys: ['[', 'PageUp'], fields: shiftHead(-1) },
      { label: strings.nextHead, keys: [']', 'PageDown'], fields: shiftHead(1) },
      ...removeSinkActions,
    ];
  },
  readout(results, spec, { query, key, head, sink: sinkColumn }) {
    const pointedHead = head !== undefined && results.allHeads && head >= 0 && head < spec.heads ? head : undefined;
    const headIndex = pointedHead ?? clampHeadIndex(spec);
    const matrices = results.allHeads ?? results;
    const sink = results.sink && createSinkColumn(results.sink, results.allHeads ? headIndex : 0, spec.matrix).data;
    const withHeadPrefix = (sentence: string): string =>
      pointedHead === undefined ? sentence : strings.withHead(pointedHead + 1, sentence);
    const { data } = toGrid(selectMatrix(matrices, spec), results.allHeads ? headIndex : 0);
    const wordCount = results.words.length;
    if (isIndex(query, wordCount) && !isIndex(key, wordCount)) {
      const queryWord = entryAt(results.words, query);
      const { max, argmax } = extent(data.subarray(query * wordCount, (query + 1) * wordCount));
      const sinkText = sink && formatNumber(entryAt(sink, query));
      if (sinkText !== undefined && sinkColumn === 0)
        return withHeadPrefix(strings.sink.cellReadout(queryWord, strings.quantityNames[spec.matrix], sinkText));
      const readoutText = strings.strongestKeyReadout(
        queryWord,
        results.words[argmax] as string,
        strings.quantityNames[spec.matrix],
        formatNumber(max),
      );
      return withHeadPrefix(sinkText === undefined ? readoutText : strings.sink.withSink(readoutText, sinkText));
    }
    if (!isIndex(query, wordCount) || !isIndex(key, wordCount)) {
      const { min, max } = extent(data);
      const readoutText = strings.rangeReadout(headIndex + 1, spec.heads, spec.matrix, formatRange(min, max));
      const sinkRange = sink && extent(sink);
      if (!sinkRange) return readoutText;
      return strings.sink.withSink(
        readoutText,
        sinkRange.min === sinkRange.max ? formatNumber(sinkRange.min) : formatRange(sinkRange.min, sinkRange.max),
      );
    }
    const value = entryAt(data, query * wordCount + key);
    const [queryWord, keyWord] = [entryAt(results.words, query), entryAt(results.words, key)];
    return withHeadPrefix(
      Number.isFinite(value)
        ? strings.cellReadout(queryWord, keyWord, strings.quantityNames[spec.matrix], formatNumber(value))
        : strings.maskedReadout(queryWord, keyWord),
    );
  },
  proof({ words: { length }, shiftResult, weights, allHeads, sink, trained }, { encoding, mask }) {
    if (trained) return makeProof(strings.trainedProof, trained.residual, TOLERANCE);
    if (!shiftResult)
      return makeProof(strings.sink.proof, sink ? measureRowSumError(allHeads?.weights ?? weights, sink) : Number.NaN, TOLERANCE);
    const { residual, rejectionMessage } = shiftResult;
    const chooseConclusion = (): string => {
      if (rejectionMessage !== undefined) return strings.proof.shiftRejected(rejectionMessage);
      if (residual > TOLERANCE) return strings.proof.fails;
      // With a single word, the proof would be trivial.
      if (length < 2) return strings.proof.singleWord;
      if (encoding.id === 'none') return mask === 'causal' ? strings.proof.causalMaskOnly : strings.proof.noEncoding;
      return strings.proof.passes;
    };
    return {
      quantity: strings.proof.quantity(POSITION_SHIFT),
      residual,
      tolerance: TOLERANCE,
      toleranceSource: strings.proof.toleranceSource,
      conclusion: chooseConclusion(),
    };
  },
  tables({ weights, scores, embeddings, words: rows, allHeads, sink }, spec) {
    const matrixLabels = { rowTitle: strings.query, columnTitle: strings.key, rows, columns: rows };
    return [
      { name: 'weights', title: strings.titles.weights, tensor: weights, ...matrixLabels },
      ...(sink
        ? [
            {
              name: 'sink_weights',
              title: strings.sink.tableTitle,
              tensor: selectSinkWeights(sink, allHeads ? clampHeadIndex(spec) : 0),
              rowTitle: strings.query,
              columnTitle: strings.sink.columnLabel,
              rows,
            },
          ]
        : []),
      { name: 'scores', title: strings.titles.scores, tensor: scores, ...matrixLabels },
      {
        name: 'embeddings',
        title: strings.embeddingsTitle,
        tensor: embeddings,
        rowTitle: strings.word,
        columnTitle: strings.channel,
        rows,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});

// The board of all heads beside the strongest heads, above a large map of the selected head.
import { scaleOf } from '../../../charts/color.ts';
import { composedScene, stacked } from '../../../charts/compose.ts';
import { tokenWeightsScene, weightsGrid } from '../../../charts/heatmap/token-weights-scene.ts';
import { type Frame, type Scene, sceneWithoutCursor } from '../../../charts/scene.ts';
import { LABEL_SIZE } from '../../../charts/text-metrics.ts';
import { wrappedText } from '../../../charts/wrapped-text.ts';
import { isLow } from '../../contract/kind.ts';
import { boardScene } from './board-scene.ts';
import type { Numbers, Spec } from './compute.ts';
import { strings } from './strings.ts';
import { strongestScene } from './strongest-scene.ts';

/** The minimum width for showing the board and the strongest heads side by side, CSS px. */
const MIN_WIDTH_BESIDE = 620;
const GAP = 28;
/** Space for labels and the legend around the squares of a board, CSS px. */
const LABEL_SPACE = 84;
const LEFT_MARGIN = 50;

export function headsScene(numbers: Numbers, { headMeasure, sorted }: Spec, { width, theme, maxHeight }: Frame): Scene {
  const { model, measure, ranked, strongest, chosen, pieces, next } = numbers;
  const { layers, heads, causal } = model;
  const isWide = width >= MIN_WIDTH_BESIDE;
  const columnWidth = isWide ? Math.floor((width - GAP) / 2) : width;
  const isSmall = isLow(maxHeight);
  // In low figures the board is narrower, so that it fits the height.
  const boardWidth = isSmall
    ? Math.min(columnWidth, Math.floor((heads * ((maxHeight ?? 0) - LABEL_SPACE)) / layers) + LEFT_MARGIN)
    : columnWidth;
  const maxMeasure = measure.data.reduce((most, value) => Math.max(most, value), 0);
  const scale = { ...scaleOf('sequential', [0], theme), domain: [0, maxMeasure > 0 ? maxMeasure : 1] as const };
  const weightScale = { ...scaleOf('root', [0], theme), domain: [0, 1] as const };
  const headBoard = boardScene({
    ...{ data: measure.data, layers, heads, scale, theme, width: boardWidth },
    ranked: sorted ? ranked : undefined,
    chosen: chosen.at.index,
    title: strings.titleOf(headMeasure),
  });
  const { layer, head, index } = chosen.at;
  const noteWidth = isSmall && isWide ? width - boardWidth - GAP : width;
  const sentences = [
    strings.says(layer, head, headMeasure, measure.data[index] as number),
    strings.next(next),
    strings.model(model.name, model.isShipped, layers, heads, pieces.length),
    ...(numbers.positions ? [strings.positions(numbers.positions)] : []),
    ...(model.tokenizerProblem ? [model.tokenizerProblem] : []),
  ].filter(Boolean);
  const text = wrappedText(sentences, noteWidth - 4, LABEL_SIZE, 'ink');
  const noteScene = sceneWithoutCursor({
    width: noteWidth,
    height: text.height,
    title: '',
    description: sentences.join(' '),
    rasters: [],
    marks: text.marks,
  });
  if (isSmall && isWide)
    return composedScene(
      [
        { scene: headBoard, x: 0, y: 0 },
        { scene: noteScene, x: boardWidth + GAP, y: 0 },
      ],
      { title: headBoard.picture.title },
    );
  if (isSmall) return headBoard;
  const strongestMaps = strongestScene({
    maps: strongest.map(({ at, weights }) => ({ at, grid: weightsGrid(weights, causal) })),
    chosen: chosen.at.index,
    scale: weightScale,
    width: columnWidth,
    theme,
  });
  const overviewScene = isWide
    ? composedScene(
        [
          { scene: headBoard, x: 0, y: 0 },
          { scene: strongestMaps, x: columnWidth + GAP, y: 0 },
        ],
        { title: headBoard.picture.title },
      )
    : stacked([headBoard, strongestMaps], { title: headBoard.picture.title }, 8);
  const chosenMap = tokenWeightsScene({
    grid: weightsGrid(chosen.weights, causal),
    pieces,
    rowTitle: strings.query,
    columnTitle: strings.key,
    title: strings.weights(layer, head),
    width,
    maxHeight: 560,
    theme,
  });
  return stacked([overviewScene, noteScene, chosenMap], { title: strings.titleOf(headMeasure) }, 12);
}

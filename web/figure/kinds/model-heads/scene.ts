// Draws all heads as squares, the attention of the strongest heads, and a large attention map of the selected head.
import { colorScaleOf } from '../../../charts/color.ts';
import { composeScenes, stackScenes } from '../../../charts/compose.ts';
import { createWeightsGrid, tokenWeightsScene } from '../../../charts/heatmap/token-weights-scene.ts';
import { type Frame, type Scene, sceneWithoutCursor } from '../../../charts/scene.ts';
import { LABEL_SIZE } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import { isLowHeight } from '../../contract/kind.ts';
import { boardScene } from './board-scene.ts';
import type { Results, Spec } from './compute.ts';
import { strings } from './strings.ts';
import { strongestScene } from './strongest-scene.ts';

const MIN_SIDE_BY_SIDE_WIDTH = 620;
const GAP = 28;
/** Space around the squares for labels and the legend, CSS px. */
const LABEL_SPACE = 84;
const LEFT_MARGIN = 50;

export function headsScene(results: Results, { headMeasure, sorted }: Spec, { width, theme, maxHeight }: Frame): Scene {
  const { model, measure, rankedHeads, strongestHeads, chosenHead, pieces, nextTokens } = results;
  const { layers, heads, causal } = model;
  const isWide = width >= MIN_SIDE_BY_SIDE_WIDTH;
  const columnWidth = isWide ? Math.floor((width - GAP) / 2) : width;
  const isSmall = isLowHeight(maxHeight);
  // If the figure is short, the squares are made smaller so that all rows fit.
  const boardWidth = isSmall
    ? Math.min(columnWidth, Math.floor((heads * ((maxHeight ?? 0) - LABEL_SPACE)) / layers) + LEFT_MARGIN)
    : columnWidth;
  const maxMeasure = measure.data.reduce((max, value) => Math.max(max, value), 0);
  const scale = { ...colorScaleOf('sequential', [0], theme), domain: [0, maxMeasure > 0 ? maxMeasure : 1] as const };
  const weightScale = { ...colorScaleOf('root', [0], theme), domain: [0, 1] as const };
  const headBoard = boardScene({
    ...{ data: measure.data, layers, heads, scale, theme, width: boardWidth },
    rankedHeads: sorted ? rankedHeads : undefined,
    chosenHead: chosenHead.location.index,
    title: strings.measureTitle(headMeasure),
  });
  const { layer, head, index } = chosenHead.location;
  const noteWidth = isSmall && isWide ? width - boardWidth - GAP : width;
  const sentences = [
    strings.describeHead(layer, head, headMeasure, measure.data[index] as number),
    strings.describeNextTokens(nextTokens),
    strings.describeModel(model.name, model.isShipped, layers, heads, pieces.length),
    ...(results.positionsText ? [strings.positionsNote(results.positionsText)] : []),
    ...(model.tokenizerProblem ? [model.tokenizerProblem] : []),
  ].filter(Boolean);
  const text = wrapText(sentences, noteWidth - 4, LABEL_SIZE, 'ink');
  const noteScene = sceneWithoutCursor({
    width: noteWidth,
    height: text.height,
    title: '',
    description: sentences.join(' '),
    rasters: [],
    marks: text.marks,
  });
  if (isSmall && isWide)
    return composeScenes(
      [
        { scene: headBoard, x: 0, y: 0 },
        { scene: noteScene, x: boardWidth + GAP, y: 0 },
      ],
      { title: headBoard.picture.title },
    );
  if (isSmall) return headBoard;
  const strongestMaps = strongestScene({
    maps: strongestHeads.map(({ location, weights }) => ({ location, grid: createWeightsGrid(weights, causal) })),
    chosenHead: chosenHead.location.index,
    scale: weightScale,
    width: columnWidth,
    theme,
  });
  const overviewScene = isWide
    ? composeScenes(
        [
          { scene: headBoard, x: 0, y: 0 },
          { scene: strongestMaps, x: columnWidth + GAP, y: 0 },
        ],
        { title: headBoard.picture.title },
      )
    : stackScenes([headBoard, strongestMaps], { title: headBoard.picture.title }, 8);
  const chosenMap = tokenWeightsScene({
    grid: createWeightsGrid(chosenHead.weights, causal),
    pieces,
    rowTitle: strings.queryTitle,
    columnTitle: strings.keyTitle,
    title: strings.weightsTitle(layer, head),
    width,
    maxHeight: 560,
    theme,
  });
  return stackScenes([overviewScene, noteScene, chosenMap], { title: strings.measureTitle(headMeasure) }, 12);
}

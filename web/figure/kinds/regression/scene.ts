// Draws the image and the outputs of two networks side by side, with the ratios below each output. The curves below the
// images are the ratios by sigma, or by step in a live run.

import { arrangeInGrid, fitColumns, stackScenes, translateMark } from '../../../charts/compose.ts';
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Frame, type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import type { Tensor } from '../../../engine/index.ts';
import { selectLine } from '../../compute/seeds.ts';
import { formatSource, withNote } from '../../compute/training-source.ts';
import { isLowHeight } from '../../contract/kind.ts';
import { findLastCompleteStep, findLatestRatio, type Results } from './compute.ts';
import { hasOutput, PIXEL_COUNT, SIDE, toRgba } from './pixels.ts';
import { strings } from './strings.ts';

const GAP = 16;
/** Minimum width of images that are side by side, CSS px. */
const MIN_IMAGE_WIDTH = 150;
const TITLE_HEIGHT = 24;
const CHART_HEIGHT = 190;
/** Minimum chart width in CSS px at which the lines have their full names. */
const FULL_NAMES_WIDTH = 400;
/** Upper end of the axis in dB. The axis is extended if a ratio reaches it. */
const MAX_DECIBELS = 50;
const LABEL_SPACE = TITLE_HEIGHT + 48;

const formatRatio = (value: number): string => formatNumber(value, { digits: 3 });

interface ImagePanel {
  readonly image: Tensor;
  readonly key: string;
  readonly title: string;
  readonly notes: readonly string[];
}

function imageScene({ image, key, title, notes }: ImagePanel, width: number, maxSide: number): Scene {
  const side = Math.min(width, maxSide);
  const pixelSize = side / SIDE;
  const plot = { x: 0, y: TITLE_HEIGHT, width: side, height: side };
  const notesText = wrapText(notes, width, LABEL_SIZE, 'ink');
  const outlineMarks = (pixel: number): Mark[] => {
    const box = {
      x: (pixel % SIDE) * pixelSize - 1,
      y: TITLE_HEIGHT + Math.floor(pixel / SIDE) * pixelSize - 1,
      width: pixelSize + 2,
      height: pixelSize + 2,
      outline: true,
    };
    return [
      { kind: 'rect', tone: 'halo', key: `${key}-halo`, ...box, stroke: 4 },
      { kind: 'rect', tone: 'cursor', key: `${key}-pointed`, ...box, stroke: 2 },
    ];
  };
  return {
    picture: {
      width,
      height: Math.ceil(TITLE_HEIGHT + side + 8 + notesText.height),
      title,
      description: notes.join(', '),
      rasters: hasOutput(image) ? [{ key, ...plot, columns: SIDE, rows: SIDE, rgba: toRgba(image) }] : [],
      marks: [
        { kind: 'text', tone: 'ink', bold: true, size: LABEL_SIZE, x: 0, y: 8, text: shorten(title, width, LABEL_SIZE, true) },
        { kind: 'rect', tone: 'hairline', ...plot, outline: true },
        ...notesText.marks.map((mark) => translateMark(mark, 0, TITLE_HEIGHT + side + 8)),
      ],
    },
    overlay: ({ pixel }) =>
      pixel !== undefined && Number.isInteger(pixel) && pixel >= 0 && pixel < PIXEL_COUNT ? outlineMarks(pixel) : [],
    hit(x, y) {
      const [row, column] = [Math.floor((y - TITLE_HEIGHT) / pixelSize), Math.floor(x / pixelSize)];
      return row >= 0 && column >= 0 && row < SIDE && column < SIDE ? { pixel: row * SIDE + column } : undefined;
    },
    step(cursor, columns, rows) {
      const { pixel } = cursor;
      if (pixel === undefined || pixel < 0 || pixel >= PIXEL_COUNT) return { ...cursor, pixel: 0 };
      return { ...cursor, pixel: stepIndex(Math.floor(pixel / SIDE), rows, SIDE) * SIDE + stepIndex(pixel % SIDE, columns, SIDE) };
    },
  };
}

function describeRatios(results: Results, first: number): readonly string[] {
  const [trainedRatio, testRatio] = [findLatestRatio(results, first), findLatestRatio(results, first + 1)];
  return Number.isFinite(trainedRatio)
    ? [strings.trainedRatio(formatRatio(trainedRatio)), strings.testRatio(formatRatio(testRatio))]
    : [strings.notMeasured];
}

function sigmaScene({ sigmas, ratiosBySigma, low, high, plainRatios, sigma }: Results, frame: Frame): Scene {
  const getRatios = ({ data }: Tensor, column: number): Float64Array =>
    Float64Array.from(sigmas, (_, row) => entryAt(data, 2 * row + column));
  const createSeries = (name: string, column: number) => ({
    name,
    y: getRatios(ratiosBySigma, column),
    low: getRatios(low, column),
    high: getRatios(high, column),
  });
  return curveScene({
    ...frame,
    x: sigmas,
    axis: 'sigma',
    xScale: 'log',
    height: CHART_HEIGHT,
    series: [
      createSeries(strings.curves.test, 1),
      createSeries(strings.curves.trained, 0),
      { name: strings.curves.plain, y: Float64Array.from(sigmas, () => entryAt(plainRatios.data, 1)) },
    ],
    guides: [{ axis: 'x', at: sigma, label: `σ = ${sigma}` }],
    title: strings.sigmaChartTitle,
    xTitle: strings.sigmaAxis,
    yTitle: strings.seedDecibelsAxis,
  });
}

function stepsScene({ steps, decibels }: Results, frame: Frame): Scene {
  const maxRatio = Math.max(...decibels.data.filter(Number.isFinite), 0);
  return curveScene({
    ...frame,
    x: steps,
    axis: 'step',
    height: CHART_HEIGHT,
    series: (frame.width < FULL_NAMES_WIDTH ? strings.shortLineNames : strings.lineNames).map((name, line) => ({
      name,
      y: selectLine(decibels, line),
    })),
    // With a fixed domain, the axis does not change during a run.
    ...(maxRatio < MAX_DECIBELS ? { yDomain: [0, MAX_DECIBELS] as const } : {}),
    title: strings.stepsChartTitle,
    xTitle: strings.stepAxis,
    yTitle: strings.decibelsAxis,
  });
}

export function regressionScene(results: Results, frame: Frame): Scene {
  const { target, plainOutput, featuresOutput, sigma, origin, isUserImage } = results;
  const source = formatSource(results, findLastCompleteStep(results));
  return withNote([source], frame, ({ width, maxHeight, theme }) => {
    const { columns, each } = fitColumns(3, width, MIN_IMAGE_WIDTH, GAP);
    const rows = Math.ceil(3 / columns);
    const hasChart = !isLowHeight(maxHeight);
    const maxSide =
      maxHeight === undefined ? 6 * SIDE : Math.max(96, (maxHeight - (hasChart ? CHART_HEIGHT + GAP : 0)) / rows - LABEL_SPACE);
    const image: ImagePanel = {
      image: target,
      key: 'target',
      title: isUserImage ? strings.userImageTitle : strings.photographTitle,
      notes: [strings.imageSize(SIDE), strings.trainedPixels],
    };
    const networkPanels: readonly ImagePanel[] = [
      { image: plainOutput, key: 'plain', title: strings.plainTitle, notes: describeRatios(results, 0) },
      {
        image: featuresOutput,
        key: 'features',
        title: (each < 200 ? strings.shortFeaturesTitle : strings.featuresTitle)(String(sigma)),
        notes: describeRatios(results, 2),
      },
    ];
    // With two columns, the image is last, so that both outputs are side by side.
    const panels = columns === 2 ? [...networkPanels, image] : [image, ...networkPanels];
    const heading = { title: strings.question, description: strings.imagesDescription(String(sigma)) };
    const panelScenes = panels.map((panel) => imageScene(panel, each, maxSide));
    const imagesScene = arrangeInGrid(panelScenes, heading, { columns, each }, GAP);
    if (!hasChart) return imagesScene;
    const chart = (origin === 'recorded' ? sigmaScene : stepsScene)(results, { width: Math.min(width, 3 * maxSide + 2 * GAP), theme });
    const description = `${heading.description} ${panelScenes.map(({ picture }) => `${picture.title}: ${picture.description}.`).join(' ')} ${chart.picture.description}`;
    return stackScenes([imagesScene, chart], { ...heading, description }, GAP);
  });
}

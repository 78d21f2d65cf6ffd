// Draws bars of the probe's error by model and layer, with a line at the error of guessing, and beside them curves of
// the error over the first n tokens.

import { arrangeInGrid, composeScenes, fitColumns } from '../../../charts/compose.ts';
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Frame, type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { TITLE_HEIGHT, withHeading } from '../../../charts/titled.ts';
import { selectLine } from '../../compute/seeds.ts';
import { formatSource, withNote } from '../../compute/training-source.ts';
import { isLowHeight } from '../../contract/kind.ts';
import { countLayers, getChanceError, getError, MODELS, type Results } from './compute.ts';
import { strings } from './strings.ts';

const GAP = 32;
/** Minimum width of a panel that is beside another panel, CSS px. */
const MIN_PANEL_WIDTH = 380;
/**
 * Heights in px of a bar with its gap, a model's name, and the gap between models. DENSE_SIZES is used if the default
 * sizes exceed the maximum height.
 */
const DEFAULT_SIZES = { barPitch: 22, headingHeight: 24, modelGap: 14 };
const DENSE_SIZES = { barPitch: 17, headingHeight: 20, modelGap: 6 };
const LABEL_SPACE = 20;

/** In a live run, the trained model's name includes its number of steps. */
export function modelName({ origin, probedStep }: Results, model: number): string {
  return origin === 'live' && model === 0 ? strings.liveModelName(probedStep) : strings.models[MODELS[model] ?? 'trained'];
}

function barScene(results: Results, width: number, { barPitch, headingHeight, modelGap }: typeof DEFAULT_SIZES): Scene {
  const layers = countLayers(results);
  const layerNames = Array.from({ length: layers }, (_, layer) => strings.layerName(layer));
  const left = Math.ceil(maxTextWidth(layerNames)) + 10;
  const chance = getChanceError(results);
  const maxBarWidth = width - left - Math.ceil(textWidth(strings.errorLabel('15.8'))) - 14;
  const maxError = Math.max(chance, ...results.errors.data.filter(Number.isFinite)) * 1.02;
  const barLength = (tokens: number): number => (maxBarWidth * tokens) / maxError;
  const modelHeight = headingHeight + layers * barPitch + modelGap;
  const height = LABEL_SPACE + MODELS.length * modelHeight;
  const barTop = (model: number, layer: number): number => LABEL_SPACE + model * modelHeight + headingHeight + layer * barPitch;
  const chanceX = left + barLength(chance);
  const marks: Mark[] = [
    { kind: 'text', tone: 'muted', x: chanceX, y: 8, anchor: 'middle', text: `${strings.chanceLabel}: ${formatNumber(chance)}` },
  ];
  const sentences: string[] = [];
  MODELS.forEach((_, model) => {
    const name = modelName(results, model);
    marks.push({
      kind: 'text',
      tone: 'ink',
      bold: true,
      x: 0,
      y: barTop(model, 0) - headingHeight / 2,
      text: shorten(name, chanceX - 8, LABEL_SIZE, true),
    });
    const values = layerNames.map((layer, index) => {
      const value = getError(results, model, index);
      const y = barTop(model, index);
      marks.push({ kind: 'text', tone: 'muted', x: left - 8, y: y + barPitch / 2, anchor: 'end', text: layer });
      if (!Number.isFinite(value)) {
        marks.push({ kind: 'text', tone: 'muted', x: left + 4, y: y + barPitch / 2, text: strings.notMeasured });
        return strings.layerError(layer, strings.notMeasured);
      }
      const box = { x: left, y: y + 3, width: Math.max(1, barLength(value)), height: barPitch - 6 };
      marks.push({
        kind: 'rect',
        tone: model === 0 ? 'series-1' : 'muted',
        key: `bar-${model}-${index}`,
        opacity: model === 0 ? 1 : 0.55,
        ...box,
      });
      // A label that would overlap the line at the error of guessing is moved to its right.
      const end = left + barLength(value) + 6;
      const text = strings.errorLabel(formatNumber(value));
      const x = end < chanceX + 6 && end + textWidth(text) > chanceX - 4 ? chanceX + 8 : end;
      marks.push({ kind: 'text', tone: 'ink', key: `value-${model}-${index}`, x, y: y + barPitch / 2, text });
      return strings.layerError(layer, text);
    });
    sentences.push(strings.modelReadout(name, values.join(', '), formatNumber(chance)));
  });
  marks.push({ kind: 'line', tone: 'ink', dashed: true, x1: chanceX, y1: LABEL_SPACE - 3, x2: chanceX, y2: height - modelGap });
  return {
    picture: {
      width,
      height,
      title: strings.layersTitle,
      description: strings.barsDescription(results.lengths.at(-1) ?? 0, sentences.join('. ')),
      rasters: [],
      marks,
    },
    overlay({ model, layer }) {
      if (!isIndex(model, MODELS.length) || !isIndex(layer, layers)) return [];
      const box = { x: left - 1, y: barTop(model, layer) + 2, width: maxBarWidth + 2, height: barPitch - 4 };
      return [{ kind: 'rect', tone: 'cursor', key: 'pointed', outline: true, stroke: 2, ...box }];
    },
    hit(x, y) {
      if (x < 0 || x > width) return undefined;
      const model = Math.floor((y - LABEL_SPACE) / modelHeight);
      const layer = Math.floor((y - LABEL_SPACE - model * modelHeight - headingHeight) / barPitch);
      return isIndex(model, MODELS.length) && isIndex(layer, layers) ? { model, layer } : undefined;
    },
    step({ model, layer, ...cursor }, columns, rows) {
      if (!isIndex(model, MODELS.length) || !isIndex(layer, layers)) return { ...cursor, model: 0, layer: 0 };
      const nextBar = stepIndex(model * layers + layer, rows + layers * columns, MODELS.length * layers);
      return { ...cursor, model: Math.floor(nextBar / layers), layer: nextBar % layers };
    },
  };
}

function curvesScene({ lengths, errorsByLength, chance }: Results, width: number, height: number): Scene {
  return curveScene({
    width,
    height,
    theme: 'light',
    x: lengths,
    axis: 'length',
    series: [
      ...strings.layers.map((name, layer) => ({ name, y: selectLine(errorsByLength, layer) })),
      { name: strings.chanceLabel, y: chance.data },
    ],
    yDomain: [0, 17],
    title: strings.lengthsTitle,
    xTitle: strings.lengthAxis,
    yTitle: strings.errorAxis,
  } as Parameters<typeof curveScene>[0]);
}

export function probeScene(results: Results, frame: Frame): Scene {
  return withNote([formatSource(results, results.probedStep)], frame, ({ width, maxHeight }) => {
    const { columns, each } = fitColumns(2, width, MIN_PANEL_WIDTH, GAP);
    const titledBars = (sizes: typeof DEFAULT_SIZES): Scene => withHeading(barScene(results, each, sizes), strings.layersTitle, each);
    const defaultBars = titledBars(DEFAULT_SIZES);
    const left = maxHeight !== undefined && defaultBars.picture.height > maxHeight ? titledBars(DENSE_SIZES) : defaultBars;
    const headingHeight = { title: strings.question };
    if (isLowHeight(maxHeight) || (maxHeight !== undefined && columns === 1))
      return composeScenes([{ scene: left, x: 0, y: 0 }], headingHeight);
    const right = withHeading(curvesScene(results, each, Math.min(left.picture.height - TITLE_HEIGHT, 290)), strings.lengthsTitle, each);
    return arrangeInGrid([left, right], headingHeight, { columns, each }, GAP);
  });
}

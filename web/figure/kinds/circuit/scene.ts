// Draws two charts over training steps, with a guide where a circuit emerges, and below them the heads of both models.
import { composeScenes, fitColumns, stackScenes } from '../../../charts/compose.ts';
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { headMapsScene } from '../../../charts/heatmap/head-maps-scene.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Tone } from '../../../charts/picture.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { LABEL_SIZE } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import { selectLine } from '../../compute/seeds.ts';
import { formatSource } from '../../compute/training-source.ts';
import { findCopiedPosition } from '../../compute/word-symbols.ts';
import { fields, findEmergencePoint, findLastCompletePoint, MAX_INPUT_TOKENS, NUM_POINTS, type Results, type Spec } from './compute.ts';
import { findLikeliestWord, getCompositionScore, type ModelPerformance, type ModelView } from './model.ts';
import { getEncodingName, strings } from './strings.ts';

const MODEL_TONES: readonly Tone[] = ['series-1', 'series-2'];
/** Cursor axes: heads of the first and of the second model. */
export const HEAD_AXES = ['head', 'otherHead'] as const;
/** Minimum width per model when models are side by side, CSS px. */
const MIN_MODEL_WIDTH = 300;
const MODEL_GAP = 24;
/** Space for line names to the right of both charts, CSS px. */
const NAMES_WIDTH = 130;

/** The loss of uniform guessing, and the mean weight that uniform attention gives any single earlier token. */
const CHANCE_LOSS = Math.log(26);
const UNIFORM_WEIGHT =
  Array.from({ length: MAX_INPUT_TOKENS - 1 }, (_, index) => 1 / (index + 2)).reduce((sum, weight) => sum + weight) /
  (MAX_INPUT_TOKENS - 1);

export const createModelNames = ({ encoding, other }: Spec): readonly [string, string] => {
  const [firstName, secondName] = [getEncodingName(encoding.id), getEncodingName(other.id)];
  return firstName === secondName ? [`${firstName} 1`, `${firstName} 2`] : [firstName, secondName];
};

export const describeSource = (results: Results): string => formatSource(results, results.steps[findLastCompletePoint(results)] ?? 0);

function curvesScene(results: Results, spec: Spec, frame: Frame): Scene {
  const { steps, loss, previous, matching, models } = results;
  const names = createModelNames(spec);
  const selectSeedCurves = (curve: 'loss' | 'previous' | 'matching', line: number) =>
    results.seedCurves[line]?.map((seedCurves) => seedCurves[curve]);
  const createEmergenceGuides = (isLabelled: boolean) =>
    names.flatMap((_, line) => {
      const emergence = findEmergencePoint(results, line);
      const step = emergence === undefined ? undefined : steps[emergence];
      return step === undefined
        ? []
        : [{ axis: 'x' as const, at: step, label: isLabelled ? strings.emergenceLabel(names[line] as string, step) : '' }];
    });
  const sharedOptions = {
    ...frame,
    maxHeight: undefined,
    x: steps,
    axis: 'step',
    xTitle: strings.step,
    margins: [36, NAMES_WIDTH] as const,
  };
  const displayedStep = models[0]?.step;
  const snapshot =
    !results.isRunning && displayedStep !== undefined && (results.origin === 'live' || displayedStep < (steps.at(-1) as number))
      ? [{ axis: 'x' as const, at: displayedStep, label: '' }]
      : [];
  const upperChart = curveScene({
    ...sharedOptions,
    height: Math.max(190, Math.min(280, frame.width * 0.32)),
    series: names.map((name, line) => ({
      name,
      y: selectLine(loss, line),
      otherValues: selectSeedCurves('loss', line),
      tone: MODEL_TONES[line],
    })),
    yDomain: [0, 4],
    guides: [{ axis: 'y', at: CHANCE_LOSS, label: strings.chance }, ...createEmergenceGuides(true), ...snapshot],
    title: strings.lossChartTitle,
    yTitle: strings.loss,
  });
  const lowerChart = curveScene({
    ...sharedOptions,
    height: Math.max(190, Math.min(280, frame.width * 0.32)),
    series: names.flatMap((name, line) => [
      {
        name: strings.previousTokenCurve(name),
        y: selectLine(previous, line),
        otherValues: selectSeedCurves('previous', line),
        tone: MODEL_TONES[line],
        dashed: true,
      },
      {
        name: strings.copyingCurve(name),
        y: selectLine(matching, line),
        otherValues: selectSeedCurves('matching', line),
        tone: MODEL_TONES[line],
      },
    ]),
    yDomain: [0, 1.04],
    guides: [...createEmergenceGuides(false), ...snapshot],
    title: strings.scoresChartTitle,
    yTitle: strings.scoreTitle,
  });
  return stackScenes([upperChart, lowerChart], { title: strings.figureTitle }, 8);
}

export function describeModel(results: Results, line: number, spec: Spec): readonly string[] {
  const { inputWords, inputStart, models, ablationEffect } = results;
  const model = models[line];
  if (!model) return [];
  const copiedPosition = findCopiedPosition(inputWords, 0);
  const distinctWords = [...new Set(inputWords.map((word) => word.toLocaleLowerCase('en')))];
  const hasCopiedWord = copiedPosition !== undefined;
  const lastWord = inputWords.at(-1) as string;
  const likeliestIndex = findLikeliestWord(model);
  const [writerName, readerName] = [model.previousTokenHead, model.copyingHead].map((head) => strings.headName(head + 1, model.heads)) as [
    string,
    string,
  ];
  const previousScore = model.previous[model.previousTokenHead] as number;
  const copyingScore = model.matching[model.copyingHead] as number;
  const formatScore = (value: number): string => formatNumber(value, { digits: 2 });
  const circuit =
    previousScore >= 0.5 && copyingScore >= 0.5
      ? strings.clearCircuit(capitalizeFirst(writerName), readerName, formatScore(getCompositionScore(model)), formatScore(model.baseline))
      : copyingScore >= 0.5
        ? strings.unclearCircuit(capitalizeFirst(writerName), formatScore(previousScore))
        : strings.noCircuit(formatScore(previousScore), formatScore(UNIFORM_WEIGHT));
  const noGuessReason = distinctWords.length === inputWords.length ? strings.noRepeatedWord : strings.newLastWord(lastWord);
  const isAblated = ablationEffect !== undefined && (spec.ablatedModel === 'second') === (line === 1);
  const percentText = (value: number): string => strings.percent(value);
  const effectText = (removal: string, { probabilities, accuracy, matching }: ModelPerformance): string =>
    strings.removalEffect(
      removal,
      hasCopiedWord
        ? strings.predictionChange(
            distinctWords[likeliestIndex] as string,
            model.probabilities[likeliestIndex] as number,
            probabilities[likeliestIndex] as number,
          )
        : '',
      [percentText(model.accuracy), percentText(accuracy)],
      [formatScore(copyingScore), formatScore(Math.max(...matching.slice(model.heads)))],
    );
  return [
    ...(line === 0 && inputStart > 0 ? [strings.omittedWords(inputStart)] : []),
    hasCopiedWord
      ? strings.prediction(
          inputWords.length > 8 ? `… ${inputWords.slice(-7).join(' ')}` : inputWords.join(' '),
          distinctWords[likeliestIndex] as string,
          model.probabilities[likeliestIndex] as number,
        )
      : noGuessReason,
    circuit,
    ...(isAblated
      ? [
          effectText(strings.withoutHead(strings.headName(ablationEffect.head + 1, model.heads)), ablationEffect.withoutHead),
          effectText(strings.withoutOtherHeads, ablationEffect.withoutOtherHeads),
        ]
      : []),
  ];
}

const capitalizeFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function headsScene(results: Results, line: number, spec: Spec, width: number, { theme }: Frame): Scene {
  const { models, ablationEffect } = results;
  const model = models[line] as ModelView;
  const { layers, heads, maps, step } = model;
  const wordCount = maps.shape[3] as number;
  const isAblated = ablationEffect !== undefined && (spec.ablatedModel === 'second') === (line === 1);
  const createGrid = (head: number) => ({
    rows: wordCount,
    columns: wordCount,
    data: maps.data
      .slice(head * wordCount ** 2, (head + 1) * wordCount ** 2)
      .map((weight, cell) => (cell % wordCount > Math.floor(cell / wordCount) ? Number.NaN : weight)),
  });
  const scene = headMapsScene({
    maps: Array.from({ length: layers * heads }, (_, head) => createGrid(head)),
    layers: Array.from({ length: layers }, (_, layer) => strings.layerLabel(layer + 1)),
    scale: 'sequential',
    range: [0, 1],
    enlargedHead: model.copyingHead,
    outlinedHeads: [model.previousTokenHead],
    crossedHeads: isAblated ? [ablationEffect.head] : [],
    title: strings.mapsTitle(createModelNames(spec)[line] as string, step),
    headAxis: HEAD_AXES[line] as string,
    rowAxis: 'query',
    columnAxis: 'key',
    width,
    maxHeight: 340,
    theme,
  });
  const text = wrapText(describeModel(results, line, spec), width - 4, LABEL_SIZE, 'ink');
  const note: Scene = {
    picture: {
      width,
      height: text.height + 4,
      title: '',
      description: describeModel(results, line, spec).join(' '),
      rasters: [],
      marks: text.marks,
    },
    overlay: () => [],
    hit: () => undefined,
    step: (cursor) => cursor,
  };
  return stackScenes([scene, note], { title: scene.picture.title }, 6);
}

export function circuitScene(results: Results, spec: Spec, frame: Frame): Scene {
  const { width } = frame;
  const upperChart = curvesScene(results, spec, frame);
  const { columns, each: modelWidth } = fitColumns(2, width, MIN_MODEL_WIDTH, MODEL_GAP);
  const parts = [{ scene: upperChart, x: 0, y: 0 }];
  let y = upperChart.picture.height + 14;
  const models = results.models.map((_, line) => headsScene(results, line, spec, modelWidth, frame));
  for (const [line, scene] of models.entries()) {
    parts.push({ scene, x: columns > 1 ? line * (modelWidth + MODEL_GAP) : 0, y });
    if (columns === 1) y += scene.picture.height + 14;
  }
  const notes = [
    ...(models.length > 0 ? [] : [results.hasModels || results.isRunning ? strings.pendingHeadsNote : strings.noModelsNote]),
    ...(results.hasOtherParams && results.origin === 'recorded' ? [strings.defaultParamsNote] : []),
    ...(results.origin === 'recorded' && !results.hasEarlierSteps && spec.snapshot < NUM_POINTS - 1
      ? [strings.earlierStepsNote(fields.text.initial)]
      : []),
    ...(results.seedCurves.length > 0 ? [strings.thinLinesNote([1, 2, 3].filter((seed) => seed !== spec.seed))] : []),
    describeSource(results),
  ];
  const text = wrapText(notes, width - 8, LABEL_SIZE, 'muted');
  const charts = composeScenes(parts, { title: strings.figureTitle });
  const note: Scene = {
    picture: { width, height: text.height, title: '', description: notes.join(' '), rasters: [], marks: text.marks },
    overlay: () => [],
    hit: () => undefined,
    step: (cursor) => cursor,
  };
  return stackScenes([charts, note], { title: strings.figureTitle }, 8);
}

// Draws loss curves by text length, the loss added by removing positions from each layer, and the most likely next
// tokens.
import { composeScenes, stackScenes } from '../../../charts/compose.ts';
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import type { Tone } from '../../../charts/picture.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { withNote } from '../../compute/training-source.ts';
import { isLowHeight } from '../../contract/kind.ts';
import type { LineId, Results, Spec } from './compute.ts';
import { guessesScene } from './guesses-scene.ts';
import { layersScene } from './layers-scene.ts';
import { TARGET_TOKEN_COUNT } from './losses.ts';
import { strings } from './strings.ts';

const MIN_SIDE_BY_SIDE_WIDTH = 760;
const LAYERS_WIDTH = 270;
const GAP = 32;

const TONES: { readonly [Line in LineId]: Tone } = { trained: 'ink', none: 'series-2', changed: 'accent' };

export function createSourceNote({ model, completedPassageCount, passageCount, isRunning }: Results): string {
  if (completedPassageCount > 0) return strings.sourceNote(model.name, model.isShipped, completedPassageCount, passageCount);
  return isRunning ? strings.measuringFirstPassage : strings.stoppedInFirstPassage;
}

export function changeScene(results: Results, spec: Spec, frame: Frame): Scene {
  const { lines, lengths, loss, trainedLength, change, amount, guesses, tokenTexts, layerCosts, totalCost } = results;
  const isSmall = isLowHeight(frame.maxHeight);
  const isWide = frame.width >= MIN_SIDE_BY_SIDE_WIDTH && !isSmall;
  const width = isWide ? frame.width - LAYERS_WIDTH - GAP : frame.width;
  const lineNames = lines.map((line) => strings.lineName(line, change, amount, spec));
  const height = Math.max(250, Math.min(340, width * 0.52));
  const [minLength = 0] = lengths;
  const ticks = Array.from({ length: 16 }, (_, power) => 2 ** power).filter(
    (length) => length >= minLength && length <= (lengths.at(-1) ?? 0),
  );
  const curvesPanel = curveScene({
    x: lengths,
    axis: 'length',
    seriesAxis: 'line',
    series: lines.map((line, index) => ({ name: lineNames[index] as string, y: loss[index] ?? [], tone: TONES[line] })),
    xScale: 'log',
    xTicks: ticks,
    regions:
      trainedLength === undefined
        ? []
        : [{ from: minLength, to: trainedLength, label: width < 560 ? strings.shortTrainedRange : strings.trainedRange(trainedLength) }],
    title: strings.question,
    xTitle: strings.lengthAxis,
    yTitle: strings.lossAxis(TARGET_TOKEN_COUNT),
    width,
    height,
    ...(isSmall ? { maxHeight: frame.maxHeight } : {}),
  });
  if (isSmall) return curvesPanel;
  const layers = layersScene({
    layerCosts,
    totalCost,
    chosenLayer: spec.layer > 0 ? spec.layer - 1 : undefined,
    width: isWide ? LAYERS_WIDTH : width,
    height: isWide ? height - 30 : (layerCosts.length + 1) * 26 + 26,
  });
  const guessPanel = guessesScene({
    text: tokenTexts.join(''),
    lists: lines.map((line, index) => ({ name: lineNames[index] as string, tone: TONES[line], guesses: guesses[index] ?? [] })),
    width: frame.width,
  });
  const heading = { title: strings.question };
  return withNote([createSourceNote(results)], frame, () =>
    isWide
      ? composeScenes(
          [
            { scene: curvesPanel, x: 0, y: 0 },
            { scene: layers, x: width + GAP, y: 0 },
            { scene: guessPanel, x: 0, y: Math.max(curvesPanel.picture.height, layers.picture.height) + 14 },
          ],
          heading,
        )
      : stackScenes([curvesPanel, guessPanel, layers], heading, 14),
  );
}

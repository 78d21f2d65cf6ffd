// Draws the results by text length. The trained lengths are shaded, a line marks chance level, and a note names the
// source of the results.

import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { selectLine } from '../../compute/seeds.ts';
import { formatSource, withNote } from '../../compute/training-source.ts';
import type { Results } from './lengths.ts';
import { strings } from './strings.ts';

export const describeSource = (results: Results): string =>
  results.evaluation
    ? strings.evaluationSource(results.evaluation.passages, results.completedSteps, results.evaluation.total)
    : formatSource(results, results.completedSteps);

export function createNotes(results: Results): readonly string[] {
  const errors = [...new Set(results.endErrors.flatMap((sentence) => (sentence === undefined ? [] : [strings.tableError(sentence)])))];
  return [...errors, describeSource(results)];
}

/** Returns the lengths on the axis that are the trained length times a power of two. */
function computeDoubledLengths({ lengths, trainedLength }: Results): number[] {
  const [low = trainedLength, high = trainedLength] = [lengths[0], lengths.at(-1)];
  const candidateLengths = Array.from({ length: 24 }, (_, index) => trainedLength * 2 ** (index - 12));
  return candidateLengths.filter((length) => length >= low && length <= high);
}

/** Below this width in CSS px, the figure has short labels. */
const NARROW_WIDTH = 560;

export function lengthScene(results: Results, names: readonly string[], frame: Frame): Scene {
  const { lengths, trainedLength, metric, low, high, chance, seeds, endErrors, evaluation } = results;
  const isLoss = metric === 'loss';
  const isNarrow = frame.width < NARROW_WIDTH;
  const endLabel = isNarrow ? strings.tableEndShort : strings.tableEnd;
  const title = isLoss ? strings.lossTitle : metric === 'last' ? strings.lastTokenTitle : strings.accuracy;
  return withNote(createNotes(results), frame, (inner) =>
    curveScene({
      ...inner,
      height: Math.max(290, Math.min(400, frame.width * 0.55)),
      x: lengths,
      axis: 'length',
      seriesAxis: 'line',
      series: names.map((name, line) => ({
        name,
        id: line,
        y: selectLine(results[metric], line),
        ...(seeds.length > 1 ? { low: selectLine(low, line), high: selectLine(high, line) } : {}),
        ...(endErrors[line] === undefined ? {} : { end: endLabel(name, trainedLength) }),
      })),
      xScale: 'log',
      xTicks: computeDoubledLengths(results),
      regions: [
        {
          from: entryAt(lengths, 0),
          to: trainedLength,
          label: isNarrow ? strings.trainedRegionShort : strings.trainedRegion(trainedLength),
        },
      ],
      guides: [{ axis: 'y', at: chance, label: strings.chance }],
      ...(isLoss ? {} : { yDomain: [0, 1.16] as const }),
      // Fixes the y axis, which would otherwise change during an evaluation.
      ...(evaluation ? { yDomain: [Math.floor(2 * evaluation.range[0]) / 2, Math.ceil(2 * evaluation.range[1]) / 2] as const } : {}),
      title: strings.question,
      xTitle: strings.lengthTitle,
      yTitle: title,
    }),
  );
}

// The results by text length. The trained lengths are shaded, a line marks chance, and a note below states the source.

import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { rowOf } from '../../compute/seeds.ts';
import { sourceText, withNote } from '../../compute/training-source.ts';
import type { Numbers } from './lengths.ts';
import { strings } from './strings.ts';

export const sourceOf = (numbers: Numbers): string =>
  numbers.evaluation
    ? strings.reading(numbers.evaluation.passages, numbers.doneSteps, numbers.evaluation.total)
    : sourceText(numbers, numbers.doneSteps);

export function createNotes(numbers: Numbers): readonly string[] {
  const errors = [...new Set(numbers.endErrors.flatMap((sentence) => (sentence === undefined ? [] : [strings.core(sentence)])))];
  return [...errors, sourceOf(numbers)];
}

/** The trained length times powers of two, within the axis. */
function computeDoubledLengths({ lengths, trained }: Numbers): number[] {
  const [low = trained, high = trained] = [lengths[0], lengths.at(-1)];
  const candidateLengths = Array.from({ length: 24 }, (_, at) => trained * 2 ** (at - 12));
  return candidateLengths.filter((length) => length >= low && length <= high);
}

/** A figure below this width in CSS px has short labels. */
const NARROW_WIDTH = 560;

export function lengthScene(numbers: Numbers, names: readonly string[], frame: Frame): Scene {
  const { lengths, trained, metric, low, high, chance, seeds, endErrors, evaluation } = numbers;
  const isLoss = metric === 'loss';
  const isNarrow = frame.width < NARROW_WIDTH;
  const endLabel = isNarrow ? strings.endsShort : strings.ends;
  const title = isLoss ? strings.lossAxis : metric === 'last' ? strings.atLast : strings.accuracy;
  return withNote(createNotes(numbers), frame, (inner) =>
    curveScene({
      ...inner,
      height: Math.max(290, Math.min(400, frame.width * 0.55)),
      x: lengths,
      axis: 'length',
      seriesAxis: 'line',
      series: names.map((name, line) => ({
        name,
        id: line,
        y: rowOf(numbers[metric], line),
        ...(seeds.length > 1 ? { low: rowOf(low, line), high: rowOf(high, line) } : {}),
        ...(endErrors[line] === undefined ? {} : { end: endLabel(name, trained) }),
      })),
      xScale: 'log',
      xTicks: computeDoubledLengths(numbers),
      regions: [{ from: entryAt(lengths, 0), to: trained, label: isNarrow ? strings.trainedShort : strings.trained(trained) }],
      guides: [{ axis: 'y', at: chance, label: strings.chance }],
      ...(isLoss ? {} : { yDomain: [0, 1.16] as const }),
      // The axis does not change during an evaluation.
      ...(evaluation ? { yDomain: [Math.floor(2 * evaluation.range[0]) / 2, Math.ceil(2 * evaluation.range[1]) / 2] as const } : {}),
      title: strings.question,
      xTitle: strings.length,
      yTitle: title,
    }),
  );
}

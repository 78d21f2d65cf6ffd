// Curves over the length of the text, the trained lengths shaded, the line of chance, and below them where they are from.

import { curveScene } from '../../../charts/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { rowOf } from '../../compute/seeds.ts';
import { sourceText, withNote } from '../../compute/training-source.ts';
import type { Numbers } from './lengths.ts';
import { words } from './strings.ts';

/** Where the curves are from. */
export const sourceOf = (numbers: Numbers): string =>
  numbers.reading ? words.reading(numbers.reading.passages, numbers.done, numbers.reading.total) : sourceText(numbers, numbers.done);

/** Where they are from, and what the core refused. */
export function notesOf(numbers: Numbers): readonly string[] {
  const refused = [...new Set(numbers.ends.flatMap((sentence) => (sentence === undefined ? [] : [words.core(sentence)])))];
  return [...refused, sourceOf(numbers)];
}

/** The trained length, halved and doubled as often as the axis has room. */
function doublings({ lengths, trained }: Numbers): number[] {
  const [low = trained, high = trained] = [lengths[0], lengths.at(-1)];
  const all = Array.from({ length: 24 }, (_, at) => trained * 2 ** (at - 12));
  return all.filter((length) => length >= low && length <= high);
}

/** CSS px. */
const NARROW = 560;

export function lengthScene(numbers: Numbers, names: readonly string[], frame: Frame): Scene {
  const { lengths, trained, measure, low, high, chance, seeds, ends, reading } = numbers;
  const isLoss = measure === 'loss';
  const isNarrow = frame.width < NARROW;
  const ending = isNarrow ? words.endsShort : words.ends;
  const title = isLoss ? words.lossAxis : measure === 'last' ? words.atLast : words.accuracy;
  return withNote(notesOf(numbers), frame, (inner) =>
    curveScene({
      ...inner,
      height: Math.max(290, Math.min(400, frame.width * 0.55)),
      x: lengths,
      axis: 'length',
      seriesAxis: 'line',
      series: names.map((name, line) => ({
        name,
        id: line,
        y: rowOf(numbers[measure], line),
        ...(seeds.length > 1 ? { low: rowOf(low, line), high: rowOf(high, line) } : {}),
        ...(ends[line] === undefined ? {} : { end: ending(name, trained) }),
      })),
      xScale: 'log',
      xTicks: doublings(numbers),
      regions: [{ from: entryAt(lengths, 0), to: trained, label: isNarrow ? words.trainedShort : words.trained(trained) }],
      guides: [{ axis: 'y', at: chance, label: words.chance }],
      ...(isLoss ? {} : { yDomain: [0, 1.16] as const }),
      // One axis from the beginning to the end.
      ...(reading ? { yDomain: [Math.floor(2 * reading.range[0]) / 2, Math.ceil(2 * reading.range[1]) / 2] as const } : {}),
      title: words.question,
      xTitle: words.length,
      yTitle: title,
    }),
  );
}

// Curves over steps with the line of chance, and below them where they are from.
import { movedMark } from '../../../views/compose.ts';
import { curveScene } from '../../../views/curve-scene.ts';
import type { Frame, Scene } from '../../../views/scene.ts';
import { LABEL } from '../../../views/text-metrics.ts';
import { wrappedText } from '../../../views/wrapped-text.ts';
import { doneOf, type Numbers } from './curves.ts';
import { words } from './words.ts';

export function sourceOf(numbers: Numbers): string {
  const { origin, command, seeds, total, isHidden, isOne } = numbers;
  if (origin === 'recorded') return words.recorded(command, seeds);
  const text = words.live(seeds, doneOf(numbers), total, isOne);
  return isHidden ? `${text}. ${words.hidden}` : text;
}

export function raceScene(numbers: Numbers, names: readonly string[], measure: 'accuracy' | 'loss', frame: Frame): Scene {
  const { steps, score, loss, low, high, chance, seeds } = numbers;
  const shown = measure === 'loss' ? loss : score;
  const note = wrappedText([sourceOf(numbers)], frame.width - 8, LABEL, 'muted');
  const points = steps.length;
  const row = (data: Float32Array, line: number) => data.subarray(line * points, (line + 1) * points);
  const scene = curveScene({
    ...frame,
    maxHeight: frame.maxHeight === undefined ? undefined : frame.maxHeight - note.height - 8,
    height: Math.max(220, Math.min(400, frame.width * 0.55)),
    x: steps,
    axis: 'step',
    seriesAxis: 'line',
    series: names.map((name, line) => ({
      name,
      id: line,
      y: row(shown.data, line),
      ...(seeds.length > 1 ? { low: row(low.data, line), high: row(high.data, line) } : {}),
    })),
    ...(measure === 'loss' ? {} : { yDomain: [0, 1.04] as const, guides: [{ axis: 'y' as const, at: chance, label: words.chance }] }),
    title: words.question,
    xTitle: words.step,
    yTitle: measure === 'loss' ? words.loss : words.accuracy,
  });
  const { picture } = scene;
  const marks = note.marks.map((mark) => movedMark(mark, 0, picture.height + 6));
  const height = Math.ceil(picture.height + note.height + 8);
  const description = `${picture.description} ${sourceOf(numbers)}`;
  return { ...scene, picture: { ...picture, height, description, marks: [...picture.marks, ...marks] } };
}

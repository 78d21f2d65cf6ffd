// Draws the accuracy or loss over training steps, with a line at chance accuracy. A note below the chart names the
// source of the curves.
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { selectLine } from '../../compute/seeds.ts';
import { formatSource, withNote } from '../../compute/training-source.ts';
import { findLastCompleteStep, type Results } from './curves.ts';
import { strings } from './strings.ts';

export const createSourceNote = (results: Results): string => formatSource(results, findLastCompleteStep(results));

export function raceScene(results: Results, names: readonly string[], measure: 'accuracy' | 'loss', frame: Frame): Scene {
  const { steps, score, loss, low, high, chance, seeds } = results;
  const metricTensor = measure === 'loss' ? loss : score;
  return withNote([createSourceNote(results)], frame, (inner) =>
    curveScene({
      ...inner,
      height: Math.max(220, Math.min(400, frame.width * 0.55)),
      x: steps,
      axis: 'step',
      seriesAxis: 'line',
      series: names.map((name, line) => ({
        name,
        id: line,
        y: selectLine(metricTensor, line),
        ...(seeds.length > 1 ? { low: selectLine(low, line), high: selectLine(high, line) } : {}),
      })),
      ...(measure === 'loss' ? {} : { yDomain: [0, 1.04] as const, guides: [{ axis: 'y' as const, at: chance, label: strings.chance }] }),
      title: strings.question,
      xTitle: strings.step,
      yTitle: measure === 'loss' ? strings.loss : strings.accuracy,
    }),
  );
}

// The statements of the tour, checked against its figures.
import { describe, expect, it } from 'vitest';
import { kind as rotation } from '../../web/figure/kinds/rotation/index.ts';
import { TOUR } from '../../web/lab/questions/tour.ts';
import { figureOf } from './kinds/table-figures.ts';

/** The rotation figure of a step, with the width of one head. */
const stepFigure = (step: number) => {
  const { figures = {}, dim = 64, heads = 4 } = TOUR[step - 1]?.state ?? {};
  const ownFields = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name.replace('rotation.', ''), value]));
  return figureOf(rotation, { encoding: 'rope', dim: String(dim / heads), ...ownFields });
};

describe('tour', () => {
  it('has the same score in its third step as in the first', async () => {
    const [first, thirdFigure] = await Promise.all([stepFigure(1), stepFigure(3)]);
    const [, oldPosition = '', newPosition = ''] = /q was at position (\d+) and k at (\d+)/.exec(TOUR[2]?.text ?? '') ?? [];
    expect([Number(oldPosition), Number(newPosition)]).toEqual([first.spec.query, first.spec.key]);
    expect([thirdFigure.spec.query, thirdFigure.spec.key, thirdFigure.spec.pair]).toEqual([
      Number(oldPosition) + 8,
      Number(newPosition) + 8,
      first.spec.pair,
    ]);
    expect(TOUR[2]?.text).toContain('8 positions farther');
    expect(thirdFigure.spec.from).toEqual([first.spec.query, first.spec.key]);
    expect(thirdFigure.results.previousState?.scores).toEqual(first.results.currentState.scores);
    expect(thirdFigure.results.scores.data[0]).toBeCloseTo(first.results.scores.data[0], 4);
  });
});

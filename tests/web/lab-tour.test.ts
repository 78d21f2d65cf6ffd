// The statements of the tour, checked against its figures.
import { describe, expect, it } from 'vitest';
import { kind as rotation } from '../../web/figure/kinds/rotation/index.ts';
import { TOUR } from '../../web/lab/questions/tour.ts';
import { figureOf } from './kinds/table-figures.ts';

/** The rotation figure of a step, with the width of one head. */
const stepFigure = (step: number) => {
  const { figures = {}, dim = 64, heads = 4 } = TOUR[step - 1]?.state ?? {};
  const own = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name.replace('rotation.', ''), value]));
  return figureOf(rotation, { encoding: 'rope', dim: String(dim / heads), ...own });
};

describe('tour', () => {
  it('has the same score in its third step as in the first', async () => {
    const [first, third] = await Promise.all([stepFigure(1), stepFigure(3)]);
    const [, from = '', to = ''] = /q was at position (\d+) and k at (\d+)/.exec(TOUR[2]?.text ?? '') ?? [];
    expect([Number(from), Number(to)]).toEqual([first.spec.query, first.spec.key]);
    expect([third.spec.query, third.spec.key, third.spec.pair]).toEqual([Number(from) + 8, Number(to) + 8, first.spec.pair]);
    expect(TOUR[2]?.text).toContain('8 positions farther');
    expect(third.spec.from).toEqual([first.spec.query, first.spec.key]);
    expect(third.results.previousState?.scores).toEqual(first.results.currentState.scores);
    expect(third.results.scores.data[0]).toBeCloseTo(first.results.scores.data[0], 4);
  });
});

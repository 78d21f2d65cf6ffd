// Line charts and points as scenes: hit testing, arrow keys, and highlights of the cursor.
import { describe, expect, it } from 'vitest';
import { curveScene } from '../../web/charts/curve/curve-scene.ts';
import type { CircleMark, Mark } from '../../web/charts/picture.ts';
import { textWidth } from '../../web/charts/text-metrics.ts';
import { pointsScene } from '../../web/figure/kinds/pca/points-scene.ts';

const words = { title: 'Weight by distance', xTitle: 'distance', yTitle: 'weight', width: 400 };
const texts = (marks: readonly Mark[]): string[] => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));

describe('curveScene', () => {
  const x = [-2, -1, 0, 1, 2];
  const scene = curveScene({
    ...words,
    x,
    axis: 'distance',
    firstIndex: -2,
    seriesAxis: 'head',
    series: [
      { name: 'head 1', id: 4, y: [0.1, 0.2, 0.9, 0.2, 0.1] },
      { name: 'head 2', id: 7, y: [0.3, Number.NaN, 0.5, 0.3, 0.3] },
    ],
  });

  it('hits the nearest x and line, and highlights the point that it hits', () => {
    const distances = new Set<number>();
    for (let x = 0; x < 400; x++) {
      const hit = scene.hit(x, 100);
      if (hit) distances.add(hit.distance as number);
    }
    expect([...distances].sort((a, b) => a - b)).toEqual(x);
    const dot = scene.overlay({ distance: 0, head: 7 }).find((mark): mark is CircleMark => mark.kind === 'circle');
    expect(scene.hit(dot?.cx ?? 0, dot?.cy ?? 0)).toEqual({ distance: 0, head: 7 });
    expect(scene.hit(200, 400)).toBeUndefined();
  });

  it('labels the values at the cursor, and the gap of a line as none', () => {
    expect(texts(scene.overlay({ distance: 0 }))).toEqual(['0.900', '0.500', '0']);
    expect(texts(scene.overlay({ distance: -1 }))).toEqual(['0.200', 'none', '−1']);
    expect(texts(scene.overlay({ distance: 0, head: 7 }))).toEqual(['head 2', '0.500', '0']);
    expect(scene.overlay({ distance: 3 })).toEqual([]);
    expect(scene.overlay({ query: 1 })).toEqual([]);
  });

  it('moves along x and between lines, and stops at the ends', () => {
    expect(scene.step({}, 1, 0)).toEqual({ distance: -2 });
    expect(scene.step({ distance: 2 }, 1, 0)).toEqual({ distance: 2 });
    expect(scene.step({ distance: 0 }, 0, 1)).toEqual({ distance: 0, head: 4 });
    expect(scene.step({ distance: 0, head: 4, query: 3 }, 0, 1)).toEqual({ distance: 0, head: 7, query: 3 });
    expect(scene.step({ distance: 0, head: 7 }, 0, 1)).toEqual({ distance: 0, head: 7 });
  });

  it('draws bands, steps, dots, regions and guides, and omits values without a logarithm from a logarithmic axis', () => {
    const { picture } = curveScene({
      ...words,
      x: [1, 10, 100],
      xScale: 'log',
      yScale: 'log',
      axis: 'pair',
      series: [
        { name: 'mean', y: [1, 10, 100], low: [0.5, 5, 50], high: [2, 20, 200] },
        { name: 'steps', y: [0, 10, 100], shape: 'step', dashed: true },
        { name: 'dots', y: [0, 1, 2], shape: 'dots' },
      ],
      regions: [{ from: 0.1, to: 10, label: 'seen in training' }],
      guides: [
        { axis: 'y', at: 10, label: 'ten' },
        { axis: 'x', at: 1e6, label: 'outside' },
      ],
    });
    expect(picture.marks.filter((mark) => mark.kind === 'path').map(({ key }) => key)).toEqual(['band-mean', 'line-mean', 'line-steps']);
    expect(picture.marks.filter((mark) => mark.kind === 'circle')).toHaveLength(2);
    expect(texts(picture.marks)).toEqual(expect.arrayContaining(['seen in training', 'ten', '1', '10', '100']));
    expect(texts(picture.marks)).not.toContain('outside');
    expect(JSON.stringify(picture)).not.toMatch(/NaN|null|Infinity/);
  });

  describe('guide label', () => {
    const createLabelledScene = (y: number[]) => {
      const { marks } = curveScene({
        ...words,
        x: y.map((_, index) => index),
        axis: 'step',
        yDomain: [0, 1],
        series: [{ name: 'one', y }],
        guides: [{ axis: 'y', at: 0.5, label: 'chance' }],
      }).picture;
      const guide = marks.find((mark) => mark.kind === 'line' && mark.dashed) as { y1: number };
      const index = marks.findIndex((mark) => mark.kind === 'text' && mark.text === 'chance');
      const { x, y: height } = marks[index] as { x: number; y: number };
      return { x, below: height - guide.y1, ground: marks[index - 1]?.kind === 'rect' };
    };

    it('is above the left end of the guide, or where no line crosses it', () => {
      const far = createLabelledScene([0.9, 0.9, 0.9, 0.9]);
      expect(far).toMatchObject({ below: -8, ground: false });
      // A line that starts just above the guide, and rises.
      const crossed = createLabelledScene([0.53, 0.55, 0.8, 1]);
      expect(crossed.ground).toBe(false);
      expect(crossed.below > 0 || crossed.x > far.x).toBe(true);
      // A line that starts below the guide does not collide with labels above it.
      expect(createLabelledScene([0.4, 0.2, 0.1, 0])).toMatchObject({ below: -8, x: far.x });
    });

    it.each([1, 3, 7])('stays in the plot for a vertical guide at %i of 8, on the side with enough space', (at) => {
      const x = Array.from({ length: 9 }, (_, step) => step);
      const label = 'RoPE: the head emerges here';
      const guides = [{ axis: 'x' as const, at, label }];
      for (const width of [200, 260, 400]) {
        const { marks } = curveScene({ ...words, width, x, axis: 'step', series: [{ name: 'one', y: x }], guides }).picture;
        const guide = marks.find((mark) => mark.kind === 'line' && mark.dashed) as { x1: number };
        const text = marks.find((mark) => mark.kind === 'text' && mark.text.startsWith('RoPE')) as Mark & { kind: 'text' };
        const [left, right] = text.anchor === 'end' ? [text.x - textWidth(text.text), text.x] : [text.x, text.x + textWidth(text.text)];
        expect(left, `width ${width}`).toBeGreaterThan(0);
        expect(right).toBeLessThan(width);
        expect(text.anchor === 'end' ? right : -left).toBeLessThan(text.anchor === 'end' ? guide.x1 : -guide.x1);
        if (width === 400) expect(text.text).toBe(label);
      }
    });

    it('has a background if lines are everywhere', () => {
      const noisyScene = createLabelledScene(Array.from({ length: 80 }, (_, index) => index % 2));
      expect(noisyScene.ground).toBe(true);
    });
  });

  it('draws no lines, a single point and a narrow frame', () => {
    for (const series of [[], [{ name: 'one', y: [3] }]]) {
      const narrowScene = curveScene({ ...words, width: 40, x: series.length ? [5] : [], axis: 'query', series });
      expect(JSON.stringify(narrowScene.picture)).not.toMatch(/NaN|null/);
      expect(narrowScene.step({}, 1, 0)).toEqual(series.length ? { query: 0 } : {});
    }
  });
});

describe('pointsScene', () => {
  const angles = Array.from({ length: 12 }, (_, index) => (index / 12) * 2 * Math.PI);
  const scene = pointsScene({
    ...words,
    theme: 'light',
    quantity: 'position',
    cursorAxis: 'query',
    isConnected: true,
    x: angles.map(Math.cos),
    y: angles.map(Math.sin),
    labels: angles.map((_, index) => `p${index}`),
  });
  const dots = scene.picture.marks.filter((mark): mark is CircleMark => mark.kind === 'circle' && mark.key !== undefined);

  it('draws points where they are hit, with the same scale on both axes', () => {
    expect(dots.map(({ cx, cy }) => scene.hit(cx, cy))).toEqual(angles.map((_, query) => ({ query })));
    const [right, , , top, , , left] = dots;
    expect((right?.cx ?? 0) - (left?.cx ?? 0)).toBeCloseTo(2 * ((right?.cy ?? 0) - (top?.cy ?? 0)), 6);
    expect(scene.hit(0, 0)).toBeUndefined();
  });

  it('labels points with text, also the point at the cursor', () => {
    expect(texts(scene.picture.marks)).toEqual(expect.arrayContaining(['p0', 'p3', 'position']));
    expect(texts(scene.overlay({ query: 5 }))).toEqual(['p5']);
    expect(scene.overlay({ query: 12 })).toEqual([]);
    expect(scene.step({ query: 11 }, 1, 0)).toEqual({ query: 11 });
    expect(scene.step({ query: 3, channel: 1 }, 0, 1)).toEqual({ query: 4, channel: 1 });
  });

  it('omits non-finite points, and accepts points without an extent', () => {
    const createScene = (x: number[], y: number[]) => pointsScene({ ...words, theme: 'dark', quantity: 'n', cursorAxis: 'query', x, y });
    for (const scene of [createScene([], []), createScene([1], [1]), createScene([0, Number.NaN, 2], [0, 1, 0])])
      expect(JSON.stringify(scene.picture)).not.toMatch(/NaN|null/);
    expect(createScene([0, Number.NaN], [0, 1]).overlay({ query: 1 })).toEqual([]);
  });
});

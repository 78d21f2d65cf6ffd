// Heatmaps: positions of cells and labels.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadLabels } from '../../web/charts/curve/line-labels.ts';
import { labelMarks } from '../../web/charts/heatmap/axis-labels.ts';
import { cellAt, heatmap, heatmapLayout } from '../../web/charts/heatmap/heatmap.ts';
import { selectLabelIndices } from '../../web/charts/heatmap/labels.ts';
import { cellBox } from '../../web/charts/heatmap/layout.ts';
import { shorten, textWidth } from '../../web/charts/text-metrics.ts';

const side = fc.integer({ min: 1, max: 600 });

const zeros = (rows: number, columns: number) => ({ rows, columns, data: new Float32Array(rows * columns) });

describe('heatmap layout', () => {
  it('finds every cell by its centre', () => {
    fc.assert(
      fc.property(side, side, fc.integer({ min: 60, max: 1200 }), fc.nat(), fc.nat(), fc.boolean(), (rows, columns, width, r, c, words) => {
        const columnLabels = words ? Array.from({ length: columns }, (_, i) => `word ${i}`) : undefined;
        const layout = heatmapLayout({ grid: { rows, columns, data: new Float32Array(0) }, width, columnLabels });
        const cell = { row: r % rows, column: c % columns };
        const box = cellBox(layout, cell);
        expect(cellAt(layout, box.x + box.width / 2, box.y + box.height / 2)).toEqual(cell);
        expect(layout.plot.width).toBeGreaterThan(0);
      }),
    );
  });

  it('keeps single-letter labels upright, and shows all of them if the cells are large enough', () => {
    const letters = [...'rohan killed the lion'];
    const shape = (labels: readonly string[]) =>
      ({ grid: zeros(21, 21), width: 21 * 13 + 24, maxHeight: 600, rowLabels: labels, columnLabels: labels }) as const;
    const layout = heatmapLayout(shape(letters));
    expect(layout.isSlanted).toBe(false);
    expect(layout.cellWidth).toBe(13);
    const texts = labelMarks(shape(letters), layout).map((mark) => (mark.kind === 'text' && mark.anchor === 'end' ? mark.text : ''));
    expect(texts.join('')).toBe(letters.join(''));
    expect(heatmapLayout(shape(letters.map((letter) => `${letter}word`))).isSlanted).toBe(true);
  });

  it('finds no cell outside the plot', () => {
    const layout = heatmapLayout({ grid: zeros(4, 4), width: 300 });
    const { x, y, width, height } = layout.plot;
    for (const [px, py] of [
      [x - 1, y + 1],
      [x + 1, y - 1],
      [x + width, y + 1],
      [x + 1, y + height],
    ] as const) {
      expect(cellAt(layout, px, py)).toBeUndefined();
    }
    expect(cellAt(heatmapLayout({ grid: zeros(0, 0), width: 300 }), 20, 20)).toBeUndefined();
  });

  it.each([
    [1, 1],
    [4, 4],
    [128, 64],
    [512, 512],
    [512, 64],
    [1, 512],
    [0, 0],
  ])('keeps a %i x %i matrix inside the width and height', (rows, columns) => {
    for (const width of [320, 390, 900]) {
      const picture = heatmap({ grid: zeros(rows, columns), title: 't', theme: 'light', scale: 'sequential', width, maxHeight: 400 });
      const { plot } = picture.layout;
      expect(plot.x + plot.width).toBeLessThanOrEqual(width);
      expect(picture.height).toBeLessThanOrEqual(401);
      for (const raster of picture.rasters) expect(raster.rgba.length).toBe(4 * raster.columns * raster.rows);
      if (rows > 0) expect(picture.rasters[0]).toMatchObject({ rows, columns });
    }
  });

  it('does not depend on the data or the cursor', () => {
    const spec = { title: 't', theme: 'light', scale: 'sequential', width: 300 } as const;
    const a = heatmap({ ...spec, grid: zeros(5, 5) });
    const b = heatmap({ ...spec, grid: { ...zeros(5, 5), data: new Float32Array(25).fill(-1e-9) }, cursor: { row: 1, column: 2 } });
    expect(b.layout).toEqual(a.layout);
  });

  it('rejects data that does not fill the grid', () => {
    expect(() =>
      heatmap({ grid: { rows: 2, columns: 2, data: new Float32Array(3) }, title: '', theme: 'light', scale: 'sequential', width: 100 }),
    ).toThrow(RangeError);
  });

  it('accepts a cursor outside the grid', () => {
    const picture = heatmap({
      grid: zeros(2, 2),
      title: '',
      theme: 'light',
      scale: 'sequential',
      width: 200,
      cursor: { row: 9, column: -1 },
    });
    expect(picture.marks.some(({ tone }) => tone === 'cursor')).toBe(false);
  });
});

describe('heatmap of a single value', () => {
  it('reports the value as text', () => {
    const message = (data: readonly number[]) =>
      heatmap({
        grid: { rows: 8, columns: 8, data: Float32Array.from({ length: 64 }, (_, i) => data[i % data.length] as number) },
        title: '',
        theme: 'light',
        scale: 'diverging',
        width: 200,
      }).marks.flatMap((mark) => (mark.kind === 'text' && mark.text.startsWith('every') ? [mark.text] : []));
    expect(message([0])).toEqual(['every value is 0']);
    expect(message([0.125])).toEqual(['every value is 0.125']);
    expect(message([0, 1])).toEqual([]);
  });
});

describe('labels', () => {
  it('keeps labels apart and includes the one at the cursor', () => {
    fc.assert(
      fc.property(
        side,
        fc.double({ min: 0.1, max: 60, noNaN: true }),
        fc.integer({ min: 5, max: 80 }),
        fc.nat(),
        (count, pitch, minDistance, c) => {
          const cursor = c % count;
          const indices = selectLabelIndices({ count, pitch, minDistance, cursor });
          expect(indices).toContain(cursor);
          indices.forEach((index, i) => {
            if (i > 0) expect((index - (indices[i - 1] ?? 0)) * pitch).toBeGreaterThanOrEqual(minDistance - 1e-6);
          });
        },
      ),
    );
  });

  it('truncates labels to fit, at grapheme boundaries', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 12, max: 100 }), (text, maxWidth) => {
        expect(textWidth(shorten(text, maxWidth))).toBeLessThanOrEqual(Math.max(maxWidth, textWidth('…')) + 1e-9);
      }),
    );
    expect(shorten('internationalisation', 72)).toBe('internati…');
    expect(shorten('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 60)).not.toMatch(/\u200d…/);
  });

  it('spreads labels without overlap', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 }), (positions) => {
        const sorted = spreadLabels(positions, 0, 300).sort((a, b) => a - b);
        for (const [i, y] of sorted.entries()) expect(y - (sorted[i - 1] ?? -100)).toBeGreaterThanOrEqual(14);
      }),
    );
  });
});

// Labels fit into their space, including the bold label at the cursor.
import { describe, expect, it } from 'vitest';
import { chainScene } from '../../web/charts/chain/chain-scene.ts';
import { renderClocks } from '../../web/charts/clocks/clocks.ts';
import { formatToFit } from '../../web/charts/fitted-number.ts';
import { headMapsScene } from '../../web/charts/heatmap/head-maps-scene.ts';
import { heatmap } from '../../web/charts/heatmap/heatmap.ts';
import type { Picture } from '../../web/charts/picture.ts';
import { LABEL_SIZE, textWidth } from '../../web/charts/text-metrics.ts';
import { createOutputChangePicture } from '../../web/figure/kinds/change/output-change.ts';
import { wavelengthScene } from '../../web/figure/kinds/frequencies/wavelength-scene.ts';
import { drawArcs } from '../../web/figure/words/arcs.ts';

describe('numbers in pictures', () => {
  // Widths of DejaVu Sans, in em.
  const faces: { readonly [letter: string]: number } = { '.': 0.318, '⁻': 0.528, '⁴': 0.401, '⁵': 0.401 };
  const measureWidth = (text: string): number =>
    [...text].reduce((sum, letter) => sum + (faces[letter] ?? (/\d/.test(letter) ? 0.636 : 0.838)), 0);

  it('reserves the width of the widest common font', () => {
    for (const sign of '−×→←↑↓=+±≤') expect(textWidth(sign, 1), sign).toBeGreaterThanOrEqual(0.838);
    for (const text of ['−×', '−+−', '→=']) expect(textWidth(text, 11)).toBeGreaterThanOrEqual(11 * measureWidth(text));
  });

  it('keeps numbers apart in the cells of a matrix, with fewer digits for a long one', () => {
    const data = Float32Array.of(-6.63e-4, -4.32e-4, 0.0567, -0.00901);
    const shape = { grid: { rows: 2, columns: 2, data }, title: '', theme: 'light', scale: 'diverging' } as const;
    for (let width = 100; width < 260; width += 3) {
      const { marks, layout } = heatmap({ ...shape, width, maxHeight: 400 });
      const texts = marks.flatMap((mark) => (mark.kind === 'text' && mark.color ? [mark.text] : []));
      for (const text of texts)
        expect(LABEL_SIZE * measureWidth(text), `${text}, ${layout.cellWidth} px`).toBeLessThan(layout.cellWidth - 2);
      if (layout.cellWidth > 65 && layout.cellHeight >= 18) expect(texts).toHaveLength(4);
    }
    expect(formatToFit(-6.63e-4, 100, 2)).toBe('−6.63×10⁻⁴');
    expect(formatToFit(-6.63e-4, 60, 2)).toBe('−6.6×10⁻⁴');
    expect(formatToFit(-6.63e-4, 10, 2)).toBe('−6.6×10⁻⁴');
  });

  it('prints a number in every cell of a row on a phone, with fewer digits for a long one', () => {
    const weights = Float32Array.of(0.0435, 0.0119, 9.12e-4, 0.195, 0.749);
    const scene = chainScene({
      rows: [[{ name: 'weight', note: '÷ their sum 1.34', scale: 'sequential', data: weights }]],
      rowLabels: ['man'],
      row: 0,
      columnLabels: ['the', 'dog', 'bites', 'the', 'man'],
      rowAxis: 'query',
      columnAxis: 'key',
      rowTitle: 'query:',
      columnTitle: 'key',
      title: '',
      description: '',
      masked: 'masked',
      width: 358,
      theme: 'light',
    });
    const texts = scene.picture.marks.flatMap((mark) => (mark.kind === 'text' && mark.color ? [mark.text] : []));
    expect(texts).toEqual(['0.0435', '0.0119', '9.1×10⁻⁴', '0.195', '0.749']);
  });
});

describe('line name', () => {
  it('is short in a narrow picture', () => {
    const line = { name: 'Llama 3: this model', shortName: 'this model', values: [6, 60, 600], tone: 'series-1', stroke: 3 } as const;
    const scene = (width: number) =>
      wavelengthScene({
        width,
        height: 300,
        title: '',
        description: '',
        xTitle: '',
        yTitle: '',
        lines: [line],
        shade: { upperLimits: [], label: '' },
        rules: [],
      });
    const texts = (width: number) => scene(width).picture.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts(358)).toContain('this model');
    expect(texts(700)).toContain('Llama 3: this model');
  });
});

describe('headMapsScene', () => {
  it('keeps the name of the selected head clear of its frame', () => {
    const grid = { rows: 2, columns: 2, data: Float32Array.of(0, 1, 1, 0) };
    const { marks } = headMapsScene({
      maps: [grid, grid],
      scale: 'sequential',
      range: [0, 1],
      enlargedHead: 1,
      title: '',
      headAxis: 'head',
      rowAxis: 'query',
      columnAxis: 'key',
      width: 300,
      maxHeight: 200,
      theme: 'light',
    }).picture;
    const frame = marks.find((mark) => mark.kind === 'rect' && mark.tone === 'accent');
    const name = marks.find((mark) => mark.kind === 'text' && mark.bold);
    if (frame?.kind !== 'rect' || name?.kind !== 'text') throw new Error('nothing is chosen');
    // Digits extend half their size below their middle.
    expect(frame.y - (frame.stroke ?? 0) / 2 - name.y).toBeGreaterThanOrEqual(5.5 + 0.5);
  });
});

describe('bold label', () => {
  // Widths of DejaVu Sans Bold, the widest of the common fonts, in em.
  const faces: { readonly [letter: string]: number } = { i: 0.343, l: 0.343, t: 0.478, r: 0.493, s: 0.595, a: 0.675, e: 0.678, o: 0.687 };
  const letters: { readonly [letter: string]: number } = {
    ...faces,
    n: 0.712,
    u: 0.712,
    d: 0.716,
    w: 0.924,
    m: 1.042,
    '.': 0.38,
    ' ': 0.348,
  };
  const measureWidth = (text: string, size: number): number =>
    [...text].reduce((sum, letter) => sum + (letters[letter] ?? 0.696), 0) * size;

  const words = ['turn', 'another', 'internationalisation', 'reordered', 'wander on'];
  const differences = [0.1, 12.345, 0.0012345, 1, 0];
  const grid = { rows: 5, columns: 5, data: Float32Array.from({ length: 25 }, (_, index) => index / 7) };

  it.each(words)('reserves the width of %j in a bold font', (word) => {
    expect(textWidth(word, 11, true) + 2).toBeGreaterThanOrEqual(measureWidth(word, 11));
    expect(textWidth(word, 11, true)).toBeGreaterThan(textWidth(word, 11));
  });

  const pictures: { readonly [view: string]: (width: number, at: number) => Picture } = {
    heatmap: (width, at) =>
      heatmap({
        grid,
        title: '',
        theme: 'light',
        scale: 'sequential',
        quantity: 'weight',
        rowLabels: words,
        columnLabels: words,
        width,
        cursor: { row: at, column: at },
      }),
    outputChange: (width, at) => createOutputChangePicture({ words, differences, title: '', width, cursor: at }),
    clocks: (width, at) => renderClocks({ frequencies: [1, 0.1, 0.01, 0.001, 0.0001], position: 3, title: '', width, cursor: at }),
    arcs: (width, at) =>
      drawArcs({
        wordPlaces: words.map((_, x) => ({ x: (width / 4) * x, y: 90 })),
        weights: differences,
        queryIndex: 0,
        width,
        height: 120,
        title: '',
        cursor: at,
      }),
  };

  it.each(Object.keys(pictures))('stays inside the picture for any cursor: %s', (view) => {
    for (const width of [260, 390]) {
      for (const at of words.keys()) {
        for (const mark of pictures[view]?.(width, at).marks ?? []) {
          if (mark.kind !== 'text' || !mark.bold) continue;
          const markWidth = measureWidth(mark.text, mark.size ?? 11) * (mark.rotation ? Math.SQRT1_2 : 1);
          const left = mark.anchor === 'end' ? mark.x - markWidth : mark.anchor === 'middle' ? mark.x - markWidth / 2 : mark.x;
          expect(left, `${mark.text} begins, ${width} px`).toBeGreaterThanOrEqual(-0.5);
          expect(left + markWidth, `${mark.text} ends, ${width} px`).toBeLessThanOrEqual(width + 0.5);
        }
      }
    }
  });

  it('has a background patch of its width', () => {
    const { marks } = createOutputChangePicture({ words, differences, title: '', width: 300, cursor: 1 });
    const patch = marks.find(({ key }) => key === 'patch-1');
    expect(patch?.kind === 'rect' && patch.width).toBeGreaterThan(measureWidth('12.3', 11) + 3);
  });
});

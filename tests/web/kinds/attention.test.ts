import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../../web/charts/number.ts';
import { kind } from '../../../web/figure/kinds/attention/index.ts';
import { FRAME, figureOf, phasor } from './sentence-means.ts';

describe('attention figure', () => {
  it('computes weights as the softmax of the scores', async () => {
    const { results } = await figureOf(kind, { encoding: 'alibi', projections: 'orthogonal', head: '2' });
    const n = results.words.length;
    expect(results.weights.shape).toEqual([n, n]);
    for (let query = 0; query < n; query++) {
      const scores = Array.from(results.scores.data.subarray(query * n, (query + 1) * n));
      const exponents = scores.map((score) => Math.exp(score - Math.max(...scores)));
      const sum = exponents.reduce((total, value) => total + value, 0);
      exponents.forEach((value, key) => {
        expect(results.weights.data[query * n + key]).toBeCloseTo(value / sum, 5);
      });
    }
  });

  it('shows words in the given order, and moves their weights with them without positions', async () => {
    const order = [3, 0, 2, 1];
    const { results: original } = await figureOf(kind, { encoding: 'none' });
    const { results: reordered } = await figureOf(kind, { encoding: 'none', order });
    expect(reordered.words).toEqual(['lion', 'Rohan', 'the', 'killed']);
    for (const [row, query] of order.entries())
      for (const [column, key] of order.entries())
        expect(reordered.weights.data[row * 4 + column]).toBeCloseTo(original.weights.data[query * 4 + key] as number, 6);
  });

  it('ignores an order for another number of words', async () => {
    const { results } = await figureOf(kind, { text: 'one two three', order: '3,0,2,1' });
    expect(results.words).toEqual(['one', 'two', 'three']);
  });

  it('shows the last head if the selected one does not exist', async () => {
    const [{ results: last }, { spec, results }] = await Promise.all([
      figureOf(kind, { heads: 2, head: 2 }),
      figureOf(kind, { heads: 2, head: 7 }),
    ]);
    expect(results.weights).toEqual(last.weights);
    expect(kind.readout(results, spec, {})).toMatch(/^Head 2 of 2: weights between/);
  });

  describe('maps of all heads', () => {
    it('have the weights and colours of each head when selected', async () => {
      const { spec, results } = await figureOf(kind, { encoding: 'alibi', heads: 8, head: 3, mask: 'causal' });
      const { picture } = kind.scene(results, spec, FRAME);
      for (let head = 1; head <= 8; head++) {
        const singleHeadFigure = await figureOf(kind, { encoding: 'alibi', heads: 8, head, mask: 'causal' });
        expect(singleHeadFigure.results.weights.data).toEqual(results.allHeads?.weights.data.subarray((head - 1) * 16, head * 16));
        const { rasters } = kind.scene(singleHeadFigure.results, singleHeadFigure.spec, FRAME).picture;
        expect(picture.rasters.find(({ key }) => key === `1-head-${head - 1}`)?.rgba).toEqual(rasters[0]?.rgba);
      }
    });

    it('highlight and select the head under the pointer, unlike the large map', async () => {
      const { spec, results } = await figureOf(kind, { encoding: 'alibi', heads: 4 });
      const scene = kind.scene(results, spec, FRAME);
      const thirdMap = scene.picture.rasters.find(({ key }) => key === '1-head-2');
      const hit = scene.hit((thirdMap?.x ?? 0) + 1, (thirdMap?.y ?? 0) + 1);
      expect(hit).toEqual({ head: 2, query: 0, key: 0 });
      expect(scene.hit((thirdMap?.x ?? 0) + 1, (thirdMap?.y ?? 0) - 3)).toEqual({ head: 2 });
      expect(kind.readout(results, spec, hit ?? {})).toMatch(/^Head 3: “Rohan” attends to “Rohan”: weight 0\.\d+$/);
      expect(kind.readout(results, spec, { head: 2 })).toMatch(/^Head 3 of 4: weights between/);
      expect(scene.overlay({ head: 2 })).not.toEqual([]);
      expect(kind.choose?.(results, spec, hit ?? {})).toEqual({ head: 3 });
      expect(kind.choose?.(results, spec, { query: 0, key: 0 })).toBeUndefined();
      // A linked figure may have more heads.
      expect(kind.choose?.(results, spec, { head: 9 })).toBeUndefined();
      expect(kind.readout(results, spec, { head: 9 })).toMatch(/^Head 1 of 4/);
    });

    it('highlight the row of a query, and name the word it attends to most', async () => {
      const { spec, results } = await figureOf(kind, { encoding: 'alibi', heads: 4, head: 2, mask: 'causal' });
      const overlayMarks = kind.scene(results, spec, FRAME).overlay({ query: 2 });
      const rows = overlayMarks.filter((mark) => mark.kind === 'rect' && mark.tone === 'cursor');
      // One row in the large map and one in each small map, as wide as the map.
      expect(rows).toHaveLength(5);
      expect(overlayMarks).toContainEqual(expect.objectContaining({ kind: 'text', text: 'the', bold: true }));
      const maps = kind.scene(results, spec, FRAME).picture.rasters.filter(({ key }) => key?.startsWith('1-head-'));
      for (const { x, width } of maps)
        expect(rows).toContainEqual(expect.objectContaining({ x: expect.closeTo(x - 0.75), width: expect.closeTo(width + 1.5) }));
      const row = [...results.weights.data.subarray(8, 12)];
      const topWord = results.words[row.indexOf(Math.max(...row))];
      expect(kind.readout(results, spec, { query: 2 })).toContain(
        `“the” attends most to “${topWord}”: weight ${formatNumber(Math.max(...row))}`,
      );
      expect(kind.readout(results, spec, { query: 2, head: 3 })).toMatch(/^Head 4: “the” attends most to “/);
      const scores = { ...spec, matrix: 'scores' } as const;
      expect(kind.readout(results, scores, { query: 0 })).toMatch(/^“Rohan” attends most to “Rohan”: score/);
      for (const query of [-1, 4]) {
        expect(kind.scene(results, spec, FRAME).overlay({ query })).toEqual([]);
        expect(kind.readout(results, spec, { query })).toMatch(/^Head 2 of 4/);
      }
    });

    it('are selected in a cycle by actions, which a single head lacks', async () => {
      const { spec, results } = await figureOf(kind, { heads: 4, head: 4 });
      expect(kind.actions?.(results, spec).map(({ label, fields }) => [label, fields({})])).toEqual([
        ['Previous head', { head: 3 }],
        ['Next head', { head: 1 }],
      ]);
      const oneHeadFigure = await figureOf(kind, { heads: 1 });
      expect(kind.actions?.(oneHeadFigure.results, oneHeadFigure.spec)).toEqual([]);
      expect(kind.scene(oneHeadFigure.results, oneHeadFigure.spec, FRAME).hit(590, 60)).toBeUndefined();
    });

    it.each([
      [64, 330],
      [64, 768],
      [4, 330],
      [16, 1000],
    ])('fit %i heads into %i px', async (heads, width) => {
      const { spec, results } = await figureOf(kind, { heads, encoding: 'none' });
      const { picture } = kind.scene(results, spec, { width, theme: 'dark' });
      expect(picture.rasters.filter(({ key }) => key?.includes('head-'))).toHaveLength(heads);
      for (const { x, y, width: w, height } of picture.rasters) {
        expect(x + w).toBeLessThanOrEqual(width);
        expect(y + height).toBeLessThanOrEqual(picture.height);
      }
    });

    it('are not computed for many heads of a long text', async () => {
      const { results } = await figureOf(kind, { text: 'a word '.repeat(100), heads: 64, encoding: 'none' });
      expect(results.allHeads).toBeUndefined();
    });
  });

  it('describes the cell at the cursor, and distinguishes masked cells from 0', async () => {
    const { spec, results } = await figureOf(kind, { mask: 'causal' });
    const scene = kind.scene(results, spec, FRAME);
    expect(scene.overlay({})).toEqual([]);
    let cursor = scene.step({}, 1, 0);
    expect(cursor).toEqual({ query: 0, key: 0 });
    expect(kind.readout(results, spec, cursor)).toBe('“Rohan” attends to “Rohan”: weight 1.00');
    cursor = scene.step(scene.step(cursor, 1, 0), 1, 0);
    expect(kind.readout(results, spec, cursor)).toBe('“Rohan” cannot attend to “the”: it is masked');
    expect(scene.overlay(cursor).filter((mark) => mark.kind === 'text')).toMatchObject([{ text: 'Rohan' }, { text: 'the' }]);
    expect(scene.picture.description).toContain('6 cells masked');
    expect(results.weights.data[1]).toBe(0);
    const { x, y, width, height } = scene.picture.rasters[0] as { x: number; y: number; width: number; height: number };
    expect(scene.hit(x + width - 1, y + height - 1)).toEqual({ query: 3, key: 3 });
    expect(scene.hit(0, 0)).toBeUndefined();
  });

  it.each([
    [{ text: '  ' }, 'text: has no words'],
    [{ text: 'word '.repeat(600) }, 'text: has 600 words and punctuation marks; expected at most 512'],
    [{ order: '0,0,1,2' }, 'order: does not contain every index exactly once; expected a permutation such as 3,0,1,2'],
    [{ order: 'NaN,1' }, 'order: “NaN” is not a number'],
    [{ heads: 5 }, /^heads: 5 does not divide embedDim; expected a divisor of 64/],
    [{ heads: 1, dim: 7 }, /^dim: /],
    [{ dim: 65 }, 'dim: 65 is outside 1 to 64'],
    [{ encoding: 'rope base=0' }, /^base: /],
    [{ sink: 'on' }, 'sink: “on” is not a number'],
    [{ sink: 11 }, 'sink: 11 is outside -10 to 10'],
    [{ sink: 'Infinity' }, /^sink: “Infinity” is not a number/],
    [{ sink: '' }, /^sink: “” is not a number/],
    [{ encoding: 'unknown' }, /^encoding: /],
  ])('rejects invalid fields with one sentence: case %#', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });

  it.each([
    ['one token', { text: '🦁' }],
    ['emoji and a repeated word', { text: 'lion 🦁 👩‍👩‍👧 lion', encoding: 'alibi' }],
    ['a width of 1', { dim: 1, heads: 1, encoding: 'none' }],
    ['heads of one channel', { dim: 7, heads: 7, encoding: 't5' }],
    ['300 words', { text: 'a word '.repeat(150), encoding: 'shaw' }],
  ])('draws %s', async (_, input) => {
    const { spec, results } = await figureOf(kind, input);
    expect(results.weights.data.every((weight) => weight >= 0 && weight <= 1.000001)).toBe(true);
    const { picture } = kind.scene(results, spec, FRAME);
    expect(picture.marks.every((mark) => mark.kind !== 'text' || !mark.text.includes('NaN'))).toBe(true);
    expect(picture.height).toBeLessThanOrEqual(480);
  });

  it('exports tables, and a phasor program that computes the same values', async () => {
    const fields = {
      encoding: 'sinusoidal base=500',
      projections: 'orthogonal',
      seed: 7,
      mask: 'causal',
      order: '3,0,2,1',
      positionOffset: 5,
      head: 3,
    };
    const { spec, results } = await figureOf(kind, fields);
    expect(kind.tables(results, spec).map(({ name, tensor }) => [name, tensor.shape])).toEqual([
      ['weights', [4, 4]],
      ['scores', [4, 4]],
      ['embeddings', [4, 64]],
    ]);
    const { phasor: program } = (await kind.loadPrograms()).code(spec, phasor.encodings, results);
    const body = program.replace(/^import .*$/m, '').replace(/^const phasor = .*$/m, '');
    const run = new Function('phasor', `${body}\nreturn { scores, weights };`);
    const created = run(phasor);
    expect(created.weights.data).toEqual(results.weights.data);
    expect(created.scores.data).toEqual(results.scores.data);
  });
});

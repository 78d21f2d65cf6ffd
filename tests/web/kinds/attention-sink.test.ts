import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../../web/charts/number.ts';
import { kind } from '../../../web/figure/kinds/attention/index.ts';
import { FRAME, figureOf, phasor } from './sentence-means.ts';

describe('attention figure with a sink', () => {
  it('includes the sink in the softmax of each row', async () => {
    const { spec, results } = await figureOf(kind, { sink: '1.5', heads: 4, head: 2, mask: 'causal', encoding: 'alibi' });
    expect(results.sink?.weights.shape).toEqual([4, 4]);
    const scores = results.scores.data;
    for (let query = 0; query < 4; query++) {
      const exponents = Array.from(scores.subarray(4 * query, 4 * query + 4), Math.exp);
      const sum = exponents.reduce((total, value) => total + value, Math.exp(1.5));
      expect(results.sink?.weights.data[4 + query]).toBeCloseTo(Math.exp(1.5) / sum, 6);
      for (let key = 0; key < 4; key++) expect(results.weights.data[4 * query + key]).toBeCloseTo((exponents[key] ?? 0) / sum, 6);
    }
    const proof = kind.proof(results, spec);
    expect(proof.residual).toBeLessThanOrEqual(proof.tolerance);
    expect(proof.conclusion).toContain('as in gpt-oss');
    // The proof fails without the weights of the sink.
    const none = { ...results, sink: { logit: 1.5, weights: { shape: [4, 4], data: new Float32Array(16) } } };
    expect(kind.proof(none, spec).conclusion).toBe('The weights of a row and its sink do not sum to 1.');
  });

  it('is identical to the figure without a sink when the sink is off', async () => {
    const [withoutSink, defaultFigure] = await Promise.all([figureOf(kind, { sink: 'off' }), figureOf(kind, {})]);
    expect(withoutSink).toEqual(defaultFigure);
    expect(defaultFigure.results.sink).toBeUndefined();
    const { picture } = kind.scene(defaultFigure.results, defaultFigure.spec, FRAME);
    expect(picture.rasters.some(({ key }) => key?.includes('aside'))).toBe(false);
    expect(kind.actions?.(defaultFigure.results, defaultFigure.spec).map(({ label }) => label)).toEqual(['Previous head', 'Next head']);
  });

  it.each([
    [1440, undefined],
    [600, 400],
    [330, undefined],
  ])('draws the sink to the left of the keys, with a gap, at %i px', async (width, maxHeight) => {
    const { spec, results } = await figureOf(kind, { sink: 2, heads: 4 });
    const scene = kind.scene(results, spec, { width, maxHeight, theme: 'light' });
    const [cells, sinkCells] = ['0-cells', '0-aside'].map((requested) => scene.picture.rasters.find(({ key }) => key === requested));
    if (!cells || !sinkCells) throw new Error('no column');
    expect(cells.x - sinkCells.x - sinkCells.width).toBeGreaterThan(8);
    expect([sinkCells.y, sinkCells.height, sinkCells.rows, sinkCells.columns]).toEqual([cells.y, cells.height, 4, 1]);
    expect(cells.x + cells.width).toBeLessThanOrEqual(width);
    expect(scene.picture.marks).toContainEqual(expect.objectContaining({ kind: 'text', text: 'sink' }));
    expect(scene.picture.description).toContain('Separate column “sink”, to the left of the others: between ');
    expect(scene.hit(sinkCells.x + 1, sinkCells.y + sinkCells.height - 1)).toEqual({ query: 3, sink: 0 });
    expect(scene.hit(sinkCells.x + sinkCells.width + 2, sinkCells.y + 5)).toBeUndefined();
    // The small maps of all heads include the sink too.
    for (let head = 0; head < 4; head++) {
      const [map, strip] = ['head', 'aside'].map((name) => scene.picture.rasters.find(({ key }) => key === `1-${name}-${head}`));
      if (!map || !strip) throw new Error('no map');
      expect(strip.x + strip.width).toBeLessThan(map.x);
      expect(map.x + map.width).toBeLessThanOrEqual(width);
      expect(scene.hit(map.x + map.width - 1, map.y + 1)).toEqual({ head, query: 0, key: 3 });
      expect(scene.hit(strip.x + 1, strip.y + 1)).toEqual({ head, query: 0 });
    }
  });

  it('moves to the sink with the arrow keys, and describes it', async () => {
    const { spec, results } = await figureOf(kind, { sink: 2 });
    const scene = kind.scene(results, spec, FRAME);
    let cursor = scene.step({ query: 1, key: 0 }, -1, 0);
    expect(cursor).toEqual({ query: 1, sink: 0 });
    cursor = scene.step(cursor, 0, 1);
    expect(cursor).toEqual({ query: 2, sink: 0 });
    expect(scene.step(cursor, -1, 0)).toEqual(cursor);
    const share = formatNumber(results.sink?.weights.data[2] as number);
    expect(kind.readout(results, spec, cursor)).toBe(`“the” and the sink: weight ${share}`);
    expect(kind.readout(results, { ...spec, matrix: 'scores' }, cursor)).toBe('“the” and the sink: score 2.00');
    expect(kind.readout(results, spec, { query: 2 })).toMatch(new RegExp(`; sink ${share}$`));
    expect(kind.readout(results, spec, {})).toMatch(/^Head 1 of 4: weights between .*; sink between .* and 0\./);
    const cursorMarks = scene.overlay(cursor).filter(({ kind: mark, tone }) => mark === 'rect' && tone === 'cursor');
    expect(cursorMarks.map(({ key }) => key)).toEqual([
      '0-cursor-row',
      '0-aside-cursor-row',
      '0-aside-cursor-column',
      '0-aside-cursor-cell',
      ...[0, 1, 2, 3].map(() => undefined),
    ]);
    expect(scene.step(cursor, 1, 0)).toEqual({ query: 2, key: 0 });
    expect(kind.actions?.(results, spec).at(-1)?.fields({})).toEqual({ sink: 'off' });
  });

  it('exports the sink in tables and programs', async () => {
    const { spec, results } = await figureOf(kind, { sink: -0.5, head: 3 });
    const [, table] = kind.tables(results, spec);
    expect([table?.name, table?.tensor.shape, table?.rows]).toEqual(['sink_weights', [4], results.words]);
    const { phasor: program } = (await kind.loadPrograms()).code(spec, phasor.encodings, results);
    expect(program).toContain('sinks: Array(4).fill(-0.5)');
    const body = program.replace(/^import .*$/m, '').replace(/^const phasor = .*$/m, '');
    const created = new Function('phasor', `${body}\nreturn { weights, sink_weights };`)(phasor);
    expect(created.weights.data).toEqual(results.weights.data);
    expect(created.sink_weights.data).toEqual(table?.tensor.data);
  });

  it('computes the sink of one head for very long sentences', async () => {
    const { spec, results } = await figureOf(kind, { text: 'a word '.repeat(100), heads: 64, encoding: 'none', sink: 5, head: 7 });
    expect(results.sink?.weights.shape).toEqual([1, 200]);
    expect(kind.proof(results, spec).residual).toBeLessThan(1e-5);
    expect(kind.readout(results, spec, { query: 3, sink: 0 })).toMatch(/^“word” and the sink: weight 0\.\d+$/);
  });
});

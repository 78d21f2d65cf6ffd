import { describe, expect, it } from 'vitest';
import type { Cursor } from '../../../web/charts/scene.ts';
import type { EncodingSpec } from '../../../web/figure/contract/fields.ts';
import type { RawFields } from '../../../web/figure/contract/spec.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { kind } from '../../../web/figure/kinds/attention-map/index.ts';
import { photographs } from './photographs.ts';
import { expectProgram, figureOf, phasor } from './table-figures.ts';

const smallFields = { length: 96, size: 16, period: 24, dim: 8 };

describe('attention-map figure', () => {
  it('shows the means of the weights of the full matrix', async () => {
    for (const fields of [
      {},
      { mask: 'none' },
      { encoding: 'alibi' },
      { encoding: 'none', window: 10 },
      { span: 40, query: 50, key: 31 },
    ]) {
      const { results, spec, proof } = await figureOf(kind, { ...smallFields, ...fields });
      const { data } = await phasor.randomNormal({ seed: 1, shape: [24, 8] });
      const x = { shape: [1, 96, 8], data: Float32Array.from({ length: 96 * 8 }, (_, index) => data[index % data.length] as number) };
      const { encoding, mask, window } = spec as { encoding: EncodingSpec; mask: 'causal' | 'none'; window: number };
      const { weights } = await phasor.attention({ q: x, k: x, v: x, encoding, mask, ...(window ? { window } : {}), outputs: ['weights'] });
      const [row, column, cell, cells] = 'span' in fields ? [50, 31, 3, 14] : [0, 0, 6, 16];
      expect(results.map.shape).toEqual([cells, cells]);
      for (const [rowOffset, columnOffset] of [
        [0, 0],
        [3, 2],
        [cells - 1, cells - 1],
        [cells - 2, 1],
      ] as const) {
        const [first, leftEdge] = [row + rowOffset * cell, column + columnOffset * cell];
        const windowLength = 'span' in fields ? 40 : 96;
        const windowWeights: number[] = [];
        for (let query = first; query < Math.min(first + cell, row + windowLength); query++)
          for (let key = leftEdge; key < Math.min(leftEdge + cell, column + windowLength); key++)
            windowWeights.push(weights.data[96 * query + key] as number);
        const mean = windowWeights.reduce((sum, weight) => sum + weight, 0) / windowWeights.length;
        expect(results.map.data[rowOffset * cells + columnOffset]).toBeCloseTo(mean, 6);
      }
      expect([fields, proof().good]).toEqual([fields, true]);
    }
  });

  it('shows one weight per cell when zoomed in', async () => {
    const { results, readout, proof } = await figureOf(kind, { ...smallFields, span: 8, query: 60, key: 30 });
    expect(results.map.shape).toEqual([8, 8]);
    expect(readout({ longQuery: 64, longKey: 32 })).toMatch(/^Query 64, key 32: weight 0\.0/);
    expect(readout()).toMatch(/^96 tokens, queries 60 to 67 and keys 30 to 37, one weight per cell: weight between/);
    expect(proof().good).toBe(true);
    expect(proof().quantity).toContain('a cell and its weight');
  });

  describe('zoom', () => {
    /** Presses keys, with the cursor at one place, and returns the figure. */
    const zoomedBy = async (input: RawFields, keys: string, cursor: Cursor = {}) => {
      let figure = await figureOf(kind, input);
      for (const key of keys) {
        const action = kind.actions?.(figure.results, figure.spec as never).find((candidate) => candidate.keys?.includes(key));
        expect([key, action?.disabled]).toEqual([key, false]);
        figure = await figureOf(kind, { ...figure.spec, ...action?.fields(cursor) });
      }
      return figure;
    };

    it('shows exact weights around the token at the cursor, and all tokens again', async () => {
      const start = { ...smallFields, length: 1000, size: 16 };
      const cursor = { longQuery: 700, longKey: 120 };
      const zoomedFigure = await zoomedBy(start, '+', cursor);
      expect(zoomedFigure.spec).toMatchObject({ span: 250, query: 575, key: 0 });
      expect(zoomedFigure.proof().good).toBe(true);
      const exact = await zoomedBy(start, '+++', cursor);
      expect(exact.spec).toMatchObject({ span: 16, query: 692, key: 112 });
      expect(exact.results.map.shape).toEqual([16, 16]);
      expect(exact.readout(cursor)).toMatch(/^Query 700, key 120: weight/);
      expect(exact.scene(500).overlay(cursor).length).toBeGreaterThan(0);
      expect((await zoomedBy(start, '++-', cursor)).spec).toMatchObject({ span: 252 });
      expect((await zoomedBy(start, '+-', cursor)).spec).toMatchObject({ span: 0, query: 0, key: 0 });
      expect((await zoomedBy(start, '+++0', cursor)).spec).toMatchObject({ span: 0 });
    });

    it('is limited to eight and to all tokens, and starts in the middle', async () => {
      const closest = await zoomedBy({ ...smallFields, length: 100, size: 16 }, '++');
      expect(closest.spec).toMatchObject({ span: 8, query: 46, key: 46 });
      const idle = (figure: typeof closest) => kind.actions?.(figure.results, figure.spec as never).map(({ disabled }) => disabled);
      expect(idle(closest)).toEqual([true, false, false]);
      expect(idle(await figureOf(kind, smallFields))).toEqual([false, true, true]);
      expect(idle(await figureOf(kind, { ...smallFields, length: 1 }))).toEqual([true, true, true]);
    });
  });

  describe('text', () => {
    const sentence = 'the cat saw the dog , and the dog saw the cat . ';

    it('has words as tokens, with equal vectors for equal words', async () => {
      const { results, spec, readout, proof, tables } = await figureOf(kind, { passage: sentence.repeat(200), size: 26, mask: 'none' });
      expect([results.length, results.words.slice(0, 5)]).toEqual([2600, ['the', 'cat', 'saw', 'the', 'dog']]);
      expect(proof().good).toBe(true);
      expect(readout()).toMatch(/^2,600 tokens, queries 0 to 2,599/);
      const zoomed = await figureOf(kind, { ...spec, span: 13, query: 1300, key: 13 });
      expect(zoomed.readout({ longQuery: 1301, longKey: 14 })).toMatch(/^Query 1,301 “cat”, key 14 “cat”: weight/);
      const weightAt = (query: number, key: number): number => zoomed.results.map.data[13 * query + key];
      // Without positions, equal words have equal weights.
      expect(weightAt(1, 0)).toBe(weightAt(1, 3));
      expect(weightAt(0, 5)).toBe(weightAt(3, 5));
      expect(tables().map(({ name, tensor }) => [name, tensor.shape])).toEqual([
        ['means', [26, 26]],
        ['embeddings', [2600, 64]],
      ]);
      expect((await zoomed.code()).python).toContain("np.load('embeddings.npy')");
    });

    it('is read from a file, and rejected if it is too long or too wide', async () => {
      expect(kind.accept?.({ name: 'a.txt', text: sentence })).toEqual({ passage: sentence, span: 0, query: 0, key: 0 });
      expect(kind.accept?.({ name: 'a.npy', tensors: {} })).toBeUndefined();
      await expect(figureOf(kind, { passage: sentence, dim: 65 })).rejects.toThrow(/^dim: 65 exceeds the 64 channels of the word vectors/);
      await expect(figureOf(kind, { passage: 'a '.repeat(65537) })).rejects.toThrow(
        /^passage: has 65,537 words and punctuation marks; expected at most 65,536$/,
      );
      // Text of only white space is ignored.
      expect((await figureOf(kind, { ...smallFields, passage: '  \n ' })).results.length).toBe(96);
    });
  });

  it('computes in blocks, reports progress, and stops when cancelled', async () => {
    const spec = readSpec(kind, { length: 9000, dim: 2, size: 8, encoding: 'none' });
    const shares: number[] = [];
    const end = new AbortController();
    const vocabulary = { meanNorm: 1, problem: undefined, prepare: async () => {}, vector: () => undefined };
    const context = {
      engine: phasor,
      vocabulary,
      photographs,
      signal: end.signal,
      progress: (share: number) => {
        shares.push(share);
        if (shares.length === 2) end.abort();
      },
    };
    await expect(kind.compute(spec, context)).rejects.toMatchObject({ code: 'cancelled' });
    expect(shares).toEqual([0, expect.closeTo(0.375, 1)]);
  });

  it('finds the cell under the pointer and moves with the arrow keys', async () => {
    const figure = await figureOf(kind, smallFields);
    const scene = figure.scene(500);
    const cell = scene.hit(250, 200);
    expect(Object.keys(cell ?? {})).toEqual(['longQuery', 'longKey']);
    expect(scene.overlay(cell ?? {}).length).toBeGreaterThan(0);
    // Cells cover six tokens. The cursor is a token and selects its cell.
    expect(scene.step({ longQuery: 6, longKey: 8 }, 1, 0)).toEqual({ longQuery: 6, longKey: 12 });
    expect(scene.overlay({ longQuery: 7, longKey: 8 })).toEqual(scene.overlay({ longQuery: 6, longKey: 6 }));
    expect(figure.readout({ longQuery: 7, longKey: 3 })).toBe(figure.readout({ longQuery: 6, longKey: 0 }));
    expect(figure.readout({ longQuery: 6, longKey: 0 })).toMatch(/^Queries 6 to 11, keys 0 to 5: mean weight 0\.\d+/);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { ...smallFields, span: 40, query: 50, window: 30 }));
  });

  it('shows a prefix that every query sees, also in its program', async () => {
    const figure = await figureOf(kind, { ...smallFields, length: 12, size: 12, prefixLength: 5 });
    const { data } = figure.results.map;
    for (let query = 0; query < 12; query += 1)
      for (let key = 0; key < 12; key += 1)
        expect([query, key, (data[query * 12 + key] as number) > 0]).toEqual([query, key, key < 5 || key <= query]);
    await expectProgram(await figureOf(kind, { ...smallFields, span: 40, query: 50, prefixLength: 60 }));
    // Without a mask every key is visible anyway.
    const free = await figureOf(kind, { ...smallFields, mask: 'none', prefixLength: 5 });
    expect(free.results.map).toEqual((await figureOf(kind, { ...smallFields, mask: 'none' })).results.map);
    await expect(figureOf(kind, { ...smallFields, length: 8193, prefixLength: 5 })).rejects.toThrow(
      /^prefixLength: unsupported for [\d,]+ tokens; expected at most 8,192 tokens with a prefix/,
    );
  });

  it('accepts few tokens, and rejects positions out of range', async () => {
    for (const fields of [{ length: 1 }, { length: 2, size: 1 }, { dim: 1, encoding: 'none', length: 3 }])
      expect([fields, (await figureOf(kind, fields)).proof().good]).toEqual([fields, true]);
    await expect(figureOf(kind, { length: 10, query: 10 })).rejects.toThrow('query: 10 is out of range; expected 0 to 9');
    await expect(figureOf(kind, { dim: 1, encoding: 'rope' })).rejects.toThrow(/dim/);
    await expect(figureOf(kind, { length: 'NaN' })).rejects.toThrow(/^length: /);
  });
});

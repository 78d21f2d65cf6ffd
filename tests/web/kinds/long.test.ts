import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/long.ts';
import { readSpec } from '../../../web/figure/spec.ts';
import { photographs } from './photographs.ts';
import { expectProgram, figureOf, phasor } from './table-figures.ts';

const small = { length: 96, size: 16, period: 24, width: 8 };

describe('a long sequence', () => {
  it('has the means of the weights that a whole matrix has', async () => {
    for (const given of [{}, { mask: 'none' }, { encoding: 'alibi' }, { encoding: 'none', window: 10 }, { span: 40, query: 50, key: 31 }]) {
      const { numbers, spec, proof } = await figureOf(kind, { ...small, ...given });
      const { data } = await phasor.gaussian({ seed: 1, shape: [24, 8] });
      const x = { shape: [1, 96, 8], data: Float32Array.from({ length: 96 * 8 }, (_, at) => data[at % data.length] as number) };
      const { encoding, mask, window } = spec as { encoding: { id: string }; mask: 'causal' | 'none'; window: number };
      const { weights } = await phasor.attention({ q: x, k: x, v: x, encoding, mask, ...(window ? { window } : {}), want: ['weights'] });
      const [row, column, cell, cells] = 'span' in given ? [50, 31, 3, 14] : [0, 0, 6, 16];
      expect(numbers.map.shape).toEqual([cells, cells]);
      for (const [down, across] of [
        [0, 0],
        [3, 2],
        [cells - 1, cells - 1],
        [cells - 2, 1],
      ] as const) {
        const [first, left] = [row + down * cell, column + across * cell];
        const shown = 'span' in given ? 40 : 96;
        const part: number[] = [];
        for (let query = first; query < Math.min(first + cell, row + shown); query++)
          for (let key = left; key < Math.min(left + cell, column + shown); key++) part.push(weights.data[96 * query + key] as number);
        const mean = part.reduce((sum, weight) => sum + weight, 0) / part.length;
        expect(numbers.map.data[down * cells + across]).toBeCloseTo(mean, 6);
      }
      expect([given, proof().good]).toEqual([given, true]);
    }
  });

  it('is shown weight by weight when zoomed into', async () => {
    const { numbers, readout, proof } = await figureOf(kind, { ...small, span: 8, query: 60, key: 30 });
    expect(numbers.map.shape).toEqual([8, 8]);
    expect(readout({ queryCell: 4, keyCell: 2 })).toMatch(/^Query 64, key 32: weight 0\.0/);
    expect(readout()).toMatch(/^96 tokens, queries 60 to 67 and keys 30 to 37, each weight by itself: weight between/);
    expect(proof().good).toBe(true);
    expect(proof().what).toContain('weights themselves');
  });

  it('is computed block by block, says how far it is, and stops when it is not wanted', async () => {
    const spec = readSpec(kind, { length: 9000, width: 2, size: 8, encoding: 'none' });
    const shares: number[] = [];
    const end = new AbortController();
    const vocabulary = { meanNorm: 1, problem: undefined, prepare: async () => {}, vector: () => undefined };
    const means = {
      engine: phasor,
      vocabulary,
      photographs,
      signal: end.signal,
      progress: (share: number) => {
        shares.push(share);
        if (shares.length === 2) end.abort();
      },
    };
    await expect(kind.compute(spec, means)).rejects.toMatchObject({ code: 'cancelled' });
    expect(shares).toEqual([0, expect.closeTo(0.375, 1)]);
  });

  it('answers the pointer and arrow keys', async () => {
    const figure = await figureOf(kind, small);
    const scene = figure.scene(500);
    const cell = scene.hit(250, 200);
    expect(Object.keys(cell ?? {})).toEqual(['queryCell', 'keyCell']);
    expect(scene.overlay(cell ?? {}).length).toBeGreaterThan(0);
    expect(scene.step({ queryCell: 1, keyCell: 1 }, 1, 0)).toEqual({ queryCell: 1, keyCell: 2 });
    expect(figure.readout({ queryCell: 1, keyCell: 0 })).toMatch(/^Queries 6 to 11, keys 0 to 5: mean weight 0\.\d+/);
  });

  it('is its own program', async () => {
    await expectProgram(await figureOf(kind, { ...small, span: 40, query: 50, window: 30 }));
  });

  it('has few tokens, and refuses places beyond them', async () => {
    for (const given of [{ length: 1 }, { length: 2, size: 1 }, { width: 1, encoding: 'none', length: 3 }])
      expect([given, (await figureOf(kind, given)).proof().good]).toEqual([given, true]);
    await expect(figureOf(kind, { length: 10, query: 10 })).rejects.toThrow('query: 10 is not one of the 10 tokens, 0 to 9');
    await expect(figureOf(kind, { width: 1, encoding: 'rope' })).rejects.toThrow(/width/);
    await expect(figureOf(kind, { length: 'NaN' })).rejects.toThrow(/^length: /);
  });
});

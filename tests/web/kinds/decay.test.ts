import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/decay/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('decay figure', () => {
  it('shows the mean cosine for equal vectors, and no decay for unrelated ones', async () => {
    const { results } = await figureOf(kind, { dim: 8, length: 40 });
    for (let distance = 0; distance < 40; distance++) {
      const cosines = [1, 0.1, 0.01, 0.001].map((frequency) => Math.cos(distance * frequency));
      expect(results.decay.data[3 * distance]).toBeCloseTo(cosines.reduce((sum, cosine) => sum + cosine) / 4, 5);
    }
    // At large distances, equal vectors have lost most of their score, and unrelated vectors nothing of their small score.
    const longFigure = await figureOf(kind, { length: 1024 });
    const meanOf = (column: number, start: number, end: number): number => {
      let sum = 0;
      for (let row = start; row < end; row++) sum += longFigure.results.decay.data[3 * row + column];
      return sum / (end - start);
    };
    expect(meanOf(0, 768, 1024)).toBeLessThan(0.4);
    expect(meanOf(1, 768, 1024)).toBeLessThan(0.5);
    expect(meanOf(2, 768, 1024) / meanOf(2, 0, 256)).toBeCloseTo(1, 0);
    expect(meanOf(2, 0, 1024)).toBeGreaterThan(0.8);
  });

  it('starts at 1 for every base', async () => {
    for (const base of [100, 10000, 1e6]) {
      const { results } = await figureOf(kind, { encoding: `rope base=${base}`, length: 600 });
      expect(results.decay.data[0]).toBeCloseTo(1, 6);
      expect(results.decay.data[1]).toBeCloseTo(1, 6);
      expect(Number.isFinite(results.decay.data[2])).toBe(true);
    }
  });

  it('agrees with the core for RoPE, but not for partial rotation or xPos', async () => {
    expect((await figureOf(kind)).proof().good).toBe(true);
    expect((await figureOf(kind, { encoding: 'rope layout=half_split base=500000', length: 2048 })).proof().good).toBe(true);
    expect((await figureOf(kind, { encoding: 'rope rotary_fraction=0.5' })).proof().good).toBe(false);
    expect((await figureOf(kind, { encoding: 'xpos' })).proof().good).toBe(false);
  });

  it('finds the distance under the pointer and moves with the arrow keys', async () => {
    const figure = await figureOf(kind);
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    expect(figure.readout({ distance: 0 })).toMatch(/^Distance 0: equal vectors 1\.00, bound 1\.00, unrelated vectors /);
    expect(figure.readout({ distance: 256 })).toMatch(/^The lowest score of equal vectors is /);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { length: 7, dim: 6, encoding: 'rope layout=half_split' }));
  });

  it('rejects an encoding without rotation, a length of 1 and an odd width', async () => {
    await expect(figureOf(kind, { encoding: 'alibi' })).rejects.toThrow(/^encoding: /);
    await expect(figureOf(kind, { length: 1 })).rejects.toThrow(/^length: /);
    await expect(figureOf(kind, { dim: 7 })).rejects.toThrow(/dim/);
  });
});

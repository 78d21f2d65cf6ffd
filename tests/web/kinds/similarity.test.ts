import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/similarity/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('similarity figure', () => {
  it('computes the mean cosine of the angles between two positions', async () => {
    const { results } = await figureOf(kind, { length: 6, dim: 8, positionOffset: 3 });
    expect(results.similarity.shape).toEqual([6, 6]);
    for (let a = 0; a < 6; a++)
      for (let b = 0; b < 6; b++) {
        const mean = [1, 10, 100, 1000].reduce((total, wavelength) => total + Math.cos((a - b) / wavelength), 0) / 4;
        expect(results.similarity.data[a * 6 + b]).toBeCloseTo(mean, 5);
      }
    const dot = await figureOf(kind, { length: 6, dim: 8, metric: 'dot' });
    expect(dot.results.similarity.data[0]).toBeCloseTo(4, 5);
  });

  it('proves that similarity depends only on the distance for sinusoids, but not for learned positions', async () => {
    for (const measure of ['cosine', 'dot']) {
      expect((await figureOf(kind, { metric: measure })).proof().good).toBe(true);
      expect((await figureOf(kind, { metric: measure, encoding: 'learned' })).proof().good).toBe(false);
    }
  });

  it('responds to the pointer and arrow keys by position', async () => {
    const figure = await figureOf(kind, { length: 12, positionOffset: 5 });
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    expect(figure.readout({ query: 2, key: 2 })).toMatch(/\b7\b.*\b7\b.*1\.00/);
    expect(figure.readout({ query: 12, key: 0 })).toBe(figure.readout());
    expect(figure.tables()[0]?.rows?.slice(0, 2)).toEqual(['5', '6']);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { length: 7, dim: 6, metric: 'dot', positionOffset: 2 }));
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { metric: 'angle' })).rejects.toThrow(/^metric: “angle” is not cosine or dot$/);
    for (const fields of [{ length: 1 }, { dim: 1 }, { dim: 7, length: 2 }]) expectAnswering((await figureOf(kind, fields)).scene(), 700);
  });
});

import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/table/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('table figure', () => {
  it('has the sinusoidal values of the paper', async () => {
    const { results } = await figureOf(kind, { length: 3, dim: 4 });
    const row = (p: number) => [Math.sin(p), Math.cos(p), Math.sin(p / 100), Math.cos(p / 100)];
    Array.from(results.table.data as Float32Array).forEach((value, index) => {
      expect(value).toBeCloseTo([0, 1, 2].flatMap(row)[index] as number, 6);
    });
  });

  it('responds to the pointer and arrow keys, wide and narrow', async () => {
    const figure = await figureOf(kind, { length: 5, dim: 6, positionOffset: 100 });
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    expect(figure.scene().step({ query: 2, channel: 3 }, 1, 1)).toEqual({ query: 3, channel: 4 });
    expect(figure.readout({ query: 0, channel: 1 })).toBe(`Position 100, channel 1: 0.862`);
    expect(figure.readout({ query: 9, channel: 1 })).toMatch(
      /^Values between −1\.00 and 0\.995\. No two rows are closer than 0\.960, the distance between the rows of positions 10\d and 10\d\.$/,
    );
  });

  it('proves whether the encoding of a position is independent of the text length', async () => {
    expect((await figureOf(kind)).proof()).toMatchObject({ good: true, residual: 0 });
    const shares = (await figureOf(kind, { encoding: 'normalised_index', length: 10 })).proof();
    expect(shares.good).toBe(false);
    expect(shares.residual).toBeGreaterThan(0.4);
    expect(shares.conclusion).toContain('depends on the length');
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { length: 4, dim: 6, positionOffset: 7 }));
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { dim: 'NaN' })).rejects.toThrow(/^dim: “NaN” is not a number$/);
    await expect(figureOf(kind, { length: 0 })).rejects.toThrow(/^length: 0 is outside 1 to 1,024$/);
    await expect(figureOf(kind, { encoding: 'rope' })).rejects.toThrow(/^encoding: rope has no table/);
    for (const fields of [{ length: 1 }, { dim: 1 }, { dim: 7, length: 2 }]) expectAnswering((await figureOf(kind, fields)).scene(), 700);
  });
});

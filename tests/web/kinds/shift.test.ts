import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/shift/index.ts';
import { runPython } from '../python/run.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('shift figure', () => {
  it('rotates each pair by its own angle', async () => {
    const { results } = await figureOf(kind, { shift: -3, position: 5, dim: 4 });
    const shiftAt = (row: number, column: number): number => results.shift.data[4 * row + column];
    for (const [pair, angle] of [-3, -0.03].entries()) {
      expect(shiftAt(2 * pair, 2 * pair)).toBeCloseTo(Math.cos(angle), 6);
      expect(shiftAt(2 * pair, 2 * pair + 1)).toBeCloseTo(Math.sin(angle), 6);
      expect(shiftAt(2 * pair + 1, 2 * pair)).toBeCloseTo(-Math.sin(angle), 6);
    }
    // The rows are those of positions 5 and 2, and the matrix moves one to the other.
    expect(results.rows.data[0]).toBeCloseTo(Math.sin(5), 6);
    expect(shiftAt(0, 0) * results.rows.data[0] + shiftAt(0, 1) * results.rows.data[1]).toBeCloseTo(Math.sin(2), 6);
    expect(results.rows.data[4]).toBeCloseTo(Math.sin(2), 6);
  });

  it('responds to the pointer and arrow keys in each part', async () => {
    const figure = await figureOf(kind);
    for (const width of [760, 330]) expectAnswering(figure.scene(width), width);
    expect(figure.readout({ row: 1, pair: 0 })).toBe('Position 10, pair 0: sine −0.544, cosine −0.839');
    expect(figure.readout({ row: 0, channel: 1 })).toBe('Position 3, channel 1: −0.990');
    expect(figure.readout({ target: 1, channel: 0 })).toBe('Channel 1 receives channel 0 times −0.657');
    expect(figure.readout()).toBe('The 8 × 8 matrix moves each position by 7: position 3 to 10');
  });

  it('passes its proof unless a row of the table is not sinusoidal', async () => {
    for (const encoding of ['sinusoidal', 'sinusoidal layout=concatenated', 'sin_cos', 'multi_frequency', 'fourier', 'nerf'])
      expect([encoding, (await figureOf(kind, { encoding })).proof().good]).toEqual([encoding, true]);
    const padded = (await figureOf(kind, { encoding: 'sinusoidal padding_idx=1' })).proof();
    expect(padded.good).toBe(false);
    expect(padded.residual).toBeGreaterThan(0.1);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind));
    await expectProgram(await figureOf(kind, { shift: -7, position: 9, length: 12 }));
  });

  it('exports a Python program that moves all rows and detects a wrong matrix', async () => {
    const figures = await Promise.all([{}, { shift: -7, position: 9, length: 12 }, { shift: 3 }].map((fields) => figureOf(kind, fields)));
    const programs = await Promise.all(figures.map((figure) => figure.code()));
    const wrongPrograms = programs.map(({ python, data }) => ({
      program: `${python}wrong = shift_residual(table, shift.T, 1)\n`,
      files: data,
      want: ['residual', 'wrong'],
    }));
    for (const { arrays } of runPython(wrongPrograms)) {
      expect(arrays.residual?.data[0]).toBeLessThan(1e-12);
      expect(arrays.wrong?.data[0]).toBeGreaterThan(0.1);
    }
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { encoding: 'sine', dim: 4 })).rejects.toThrow(
      /^encoding: channel 0 of sine at dim 4 is not in a sine-cosine pair/,
    );
    await expect(figureOf(kind, { shift: 64 })).rejects.toThrow(/^shift: 64 is out of range for 64 positions; expected −63 to 63$/);
    await expect(figureOf(kind, { shift: 0.5 })).rejects.toThrow(/^shift: 0.5 is not a whole number$/);
    await expect(figureOf(kind, { shift: -7 })).rejects.toThrow(/^position: 3 shifted by −7 is out of range; expected 7 to 63$/);
    await expect(figureOf(kind, { dim: 7 })).rejects.toThrow(/^encoding: channel 6 of sinusoidal at dim 7/);
    expectAnswering((await figureOf(kind, { length: 1, shift: 0, position: 0, dim: 2 })).scene(), 700);
  });
});

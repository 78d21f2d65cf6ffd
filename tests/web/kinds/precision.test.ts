import { describe, expect, it } from 'vitest';
import { selectKeyPositions, toBfloat16 } from '../../../web/figure/kinds/precision/compute.ts';
import { kind } from '../../../web/figure/kinds/precision/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('toBfloat16', () => {
  it('rounds to the nearest value, and ties to even', () => {
    for (const [value, nearest] of [
      [0, 0],
      [1, 1],
      [256, 256],
      [257, 256],
      [259, 260],
      [-257, -256],
      [1000, 1000],
      [1001, 1000],
      [1002, 1000],
      [1003, 1004],
      [0.1, 0.10009765625],
      [3.3e38, 248 * 2 ** 120],
    ] as const)
      expect([value, toBfloat16(value)]).toEqual([value, Math.fround(nearest)]);
  });

  it('has a relative error of at most 1/256', () => {
    for (let value = 0.001; value < 1e6; value *= 1.37) expect(Math.abs(toBfloat16(value) / value - 1)).toBeLessThanOrEqual(1 / 256);
  });
});

describe('precision figure', () => {
  it('shows large errors at high positions in bfloat16, and almost none in the core', async () => {
    const { results } = await figureOf(kind);
    const valuesAt = (position: number) => {
      const point = results.positions.indexOf(position);
      return Array.from(results.errors.data.subarray(5 * point, 5 * point + 5) as Float32Array);
    };
    const last = results.positions.at(-1);
    for (const position of [64, 1024, last]) {
      const [core, float32, cosines, frequencies, positions] = valuesAt(position) as [number, number, number, number, number];
      expect(core).toBeLessThan(1e-6);
      expect(float32).toBeLessThan(0.005);
      expect(cosines).toBeLessThan(0.01);
      expect(frequencies).toBeLessThan(0.01);
      if (position >= 1024) expect(positions).toBeGreaterThan(0.05);
    }
    // Rounded frequencies cause the same error at every position.
    expect(valuesAt(1024)[3]).toBeCloseTo(valuesAt(16)[3] as number, 4);
  });

  it('tests every position of a short text, and none twice', () => {
    expect(selectKeyPositions(6)).toEqual([[0], [1], [2], [3], [4], [5]]);
    const allPositions = selectKeyPositions(100_000).flat();
    expect(new Set(allPositions).size).toBe(allPositions.length);
    expect(Math.max(...allPositions)).toBeLessThan(100_000);
  });

  it('verifies the core for several parameters of RoPE', async () => {
    for (const encoding of ['rope layout=half_split', 'rope base=500000', 'rope scaling=yarn factor=4', 'rope rotary_fraction=0.5'])
      expect([encoding, (await figureOf(kind, { encoding, apart: 7 })).proof().good]).toEqual([encoding, true]);
  });

  it('finds the point under the pointer and moves with the arrow keys', async () => {
    const figure = await figureOf(kind);
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    expect(figure.readout({ query: 3 })).toMatch(/^Position 3: error Phasor /);
    expect(figure.readout({ query: 3, line: 4 })).toMatch(/^Position 3: error bf16 positions [^,]*$/);
    expect(figure.readout()).toMatch(/^Largest error: 0\.\d+ with bf16 positions, at position \d+$/);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { length: 300, dim: 6, apart: 2 }));
  });

  it('rejects an encoding other than RoPE, a length of 1 and an odd width', async () => {
    await expect(figureOf(kind, { encoding: 'xpos' })).rejects.toThrow(/^encoding: /);
    await expect(figureOf(kind, { length: 1 })).rejects.toThrow(/^length: /);
    await expect(figureOf(kind, { dim: 7 })).rejects.toThrow(/dim/);
  });
});

import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/clocks/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('clocks figure', () => {
  it('shows hands at the angles of a position, and its binary digits', async () => {
    const { results } = await figureOf(kind, { length: 4, positionOffset: 5 });
    for (let row = 0; row < 4; row++) {
      for (let pair = 0; pair < 4; pair++) {
        expect(results.sine.data[4 * row + pair]).toBeCloseTo(Math.sin((5 + row) / 2 ** pair), 6);
        expect(results.cosine.data[4 * row + pair]).toBeCloseTo(Math.cos((5 + row) / 2 ** pair), 6);
      }
      const digits: number[] = Array.from(results.digits.data.slice(4 * row, 4 * row + 4));
      expect(Number.parseInt(digits.reverse().join(''), 2)).toBe(5 + row);
    }
  });

  it('finds the mark under the pointer, and moves from hands to digits with the arrow keys', async () => {
    const figure = await figureOf(kind);
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    const scene = figure.scene();
    expect(scene.step({ query: 2, pair: 3 }, 1, 0)).toEqual({ query: 2, bit: 0 });
    expect(scene.step({ query: 2, bit: 0 }, -1, 0)).toEqual({ query: 2, pair: 3 });
    expect(scene.step({ query: 15, bit: 3 }, 1, 1)).toEqual({ query: 15, bit: 3 });
    expect(figure.readout({ query: 5, bit: 2 })).toBe('Position 5 is 0101 in binary: the digit worth 4 is 1');
    expect(figure.readout({ query: 1, pair: 0 })).toBe('Position 1, pair 0: sine 0.841, cosine 0.540, wavelength 6.28 positions');
    expect(figure.readout()).toBe('Positions 0 to 15: 4 hands and 4 binary digits');
  });

  it('reports an even rotation, unless the table has a padding row', async () => {
    expect((await figureOf(kind, { dim: 64, length: 64 })).proof().good).toBe(true);
    expect((await figureOf(kind, { encoding: 'sinusoidal frequencies=fairseq padding_idx=3' })).proof().good).toBe(false);
  });

  it.each(['sinusoidal layout=concatenated', 'sin_cos', 'multi_frequency', 'nerf include_input=true', 'fourier'])(
    'draws %s, and exports a program if it is sinusoidal',
    async (encoding) => {
      const figure = await figureOf(kind, { encoding, length: 6 });
      expectAnswering(figure.scene(), 700);
      if (encoding.startsWith('sinusoidal')) await expectProgram(figure);
    },
  );

  it('rejects encodings without sine–cosine pairs, and draws the smallest sizes', async () => {
    await expect(figureOf(kind, { encoding: 'learned' })).rejects.toThrow(
      /^encoding: the table of learned is not sinusoidal|^encoding: learned has no sine–cosine pairs/,
    );
    await expect(figureOf(kind, { encoding: 'sine' })).rejects.toThrow(/^encoding: sine has no sine–cosine pairs/);
    await expect(figureOf(kind, { dim: 1 })).rejects.toThrow(/^dim: 1 is too small/);
    for (const fields of [{ length: 1 }, { dim: 7 }, { dim: 2, length: 1, positionOffset: 1_000_000 }])
      expectAnswering((await figureOf(kind, fields)).scene(), 700);
  });
});

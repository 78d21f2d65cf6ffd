import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/waves/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('waves figure', () => {
  it('has the chosen channels in the given order', async () => {
    const { results, readout } = await figureOf(kind, { channels: '3,0', length: 4, dim: 4 });
    expect(results.waves.shape).toEqual([4, 2]);
    for (let p = 0; p < 4; p++) {
      expect(results.waves.data[2 * p]).toBeCloseTo(Math.cos(p / 100), 6);
      expect(results.waves.data[2 * p + 1]).toBeCloseTo(Math.sin(p), 6);
    }
    expect(readout({ query: 2, channel: 0 })).toBe('Position 2, channel 0: 0.909, wavelength 6.28 positions');
  });

  it('finds the closest positions: 44 steps of one radian are nearly 7 rotations', async () => {
    const figure = await figureOf(kind, { encoding: 'sin_cos', channels: [0, 1], length: 45 });
    expect(figure.results.statistics.closestPair).toEqual([0, 44]);
    expect(figure.results.statistics.closestDistance).toBeCloseTo(2 * Math.abs(Math.sin(22)), 6);
    expect(figure.readout()).toContain('positions 0 and 44 are the closest: 0.0177 apart');
  });

  it('reports the wavelength of a channel only if the table is sinusoidal', async () => {
    const fields = { channels: '0,1,2,3', dim: 4, length: 8 };
    const { results, scene } = await figureOf(kind, fields);
    expect(results.wavelengths.map((positions: number) => positions.toPrecision(4))).toEqual(['6.283', '6.283', '628.3', '628.3']);
    const texts = scene().picture.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts.filter((text) => /^every (6\.28|628) positions$/.test(text))).toHaveLength(4);
    const learned = await figureOf(kind, { ...fields, encoding: 'learned' });
    expect(learned.results.wavelengths).toEqual(Array(4).fill(undefined));
    expect(learned.readout({ query: 1, channel: 2 })).toMatch(/^Position 1, channel 2: −?[\d.]+$/);
  });

  it('responds to the pointer and arrow keys, wide and narrow', async () => {
    const figure = await figureOf(kind);
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    const scene = figure.scene();
    expect(scene.step({}, 1, 0)).toEqual({ query: 0, channel: 0 });
    expect(scene.step({ query: 0, channel: 0 }, 0, 1)).toEqual({ query: 0, channel: 2 });
    expect(scene.step({ query: 63, channel: 10 }, 1, 1)).toEqual({ query: 63, channel: 10 });
  });

  it('proves whether the values are bounded', async () => {
    expect((await figureOf(kind, { positionOffset: 1_000_000 })).proof().good).toBe(true);
    expect((await figureOf(kind, { encoding: 'index', channels: '0', length: 3 })).proof()).toMatchObject({ good: false, residual: 2 });
    expect((await figureOf(kind, { encoding: 'index', channels: '0', length: 2 })).proof().good).toBe(true);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { channels: '5,1,2', length: 9 }));
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { channels: '' })).rejects.toThrow(/^channels: the list is empty; expected at least one channel$/);
    await expect(figureOf(kind, { channels: '1.5' })).rejects.toThrow(/^channels: 1.5 is not a whole number from 0/);
    await expect(figureOf(kind, { channels: '0,1,0' })).rejects.toThrow(/^channels: 0 is listed twice; expected each channel once$/);
    await expect(figureOf(kind, { channels: '0,16' })).rejects.toThrow(/^channels: 16 is not a whole number from 0 to 15$/);
    await expect(figureOf(kind, { channels: 'a' })).rejects.toThrow(/^channels: “a” is not a number$/);
    await expect(figureOf(kind, { channels: Array.from({ length: 17 }, (_, i) => i), dim: 64 })).rejects.toThrow(
      /^channels: too many channels; expected at most 16/,
    );
    expectAnswering((await figureOf(kind, { channels: '0', length: 1, dim: 1 })).scene(), 700);
  });

  it('omits default channels that a narrow table lacks, and rejects requested ones', async () => {
    const narrow = await figureOf(kind, { encoding: 'sin_cos' });
    expect(narrow.results.channels).toEqual([0]);
    expect(narrow.scene().picture.description).not.toContain('undefined');
    await expect(figureOf(kind, { encoding: 'sin_cos', channels: '0,4' })).rejects.toThrow(
      /^channels: 4 is not a whole number from 0 to 1/,
    );
  });
});

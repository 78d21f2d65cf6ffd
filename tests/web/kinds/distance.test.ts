import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/distance/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('distance figure', () => {
  it('shows the sum of the cosines of all frequencies', async () => {
    const { results } = await figureOf(kind, { length: 10, dim: 8 });
    for (let distance = -9; distance <= 9; distance++) {
      const sum = [1, 10, 100, 1000].reduce((total, wavelength) => total + Math.cos(distance / wavelength), 0);
      expect(results.mean.data[distance + 9]).toBeCloseTo(sum, 5);
    }
  });

  it('finds the distance under the pointer and moves with the arrow keys', async () => {
    const figure = await figureOf(kind, { length: 16, encoding: 'learned' });
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    const scene = figure.scene();
    expect(scene.step({}, 1, 0)).toEqual({ distance: -15 });
    expect(scene.step({ distance: 15 }, 1, 0)).toEqual({ distance: 15 });
    expect(scene.picture.marks.some(({ key }) => key === 'band-mean')).toBe(true);
    const cosine = await figureOf(kind, { metric: 'cosine' });
    expect(cosine.readout({ distance: 0 })).toMatch(/^Distance 0: (mean )?cosine similarity 1\.00/);
    expect(cosine.readout({ distance: -3 })).toMatch(/^Distance −3: /);
    expect(cosine.readout({ distance: 64 })).toMatch(/^Mean cosine similarity between 0\.4/);
  });

  it('reports that sinusoids depend only on distance, unlike learned and binary tables', async () => {
    expect((await figureOf(kind)).proof().good).toBe(true);
    expect((await figureOf(kind, { metric: 'cosine', positionOffset: 1_000_000 })).proof().good).toBe(true);
    expect((await figureOf(kind, { encoding: 'learned', metric: 'cosine' })).proof().good).toBe(false);
    expect((await figureOf(kind, { encoding: 'binary' })).proof().conclusion).toContain('also depends on absolute position');
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { length: 7, dim: 6, metric: 'cosine' }));
  });

  it('rejects an unknown metric, and draws the smallest sizes', async () => {
    await expect(figureOf(kind, { metric: 'angle' })).rejects.toThrow(/^metric: “angle” is not dot or cosine$/);
    for (const fields of [{ length: 1 }, { dim: 1 }, { dim: 7, length: 2 }]) expectAnswering((await figureOf(kind, fields)).scene(), 700);
  });
});

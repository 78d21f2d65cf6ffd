// The rotation figure at extreme positions and sizes.
import { describe, expect, it } from 'vitest';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/rotation/index.ts';
import { FRAME, figureOf, textsOf } from './rotary-figure.ts';

describe('rotation figure', () => {
  it('passes its proof at distant positions', async () => {
    const { spec, results } = await figureOf(kind, { query: 1e6, key: -1e6 + 0.5 });
    expect(passes(kind.proof(results, spec))).toBe(true);
    expect(kind.readout(results, spec, {})).toContain('k at position −999999.5 ');
  });

  it('reports whether the encoding also scales vectors', async () => {
    const gain = await figureOf(kind, { encoding: 'rope scaling=yarn', show: 'three_ways' });
    expect(gain.results.scalesVectors).toBe(true);
    expect(textsOf(kind.scene(gain.results, gain.spec, FRAME).picture.marks)).toContain('As a matrix: a rotation multiplied by a gain');
    expect((await figureOf(kind)).results.scalesVectors).toBe(false);
  });

  it('never draws NaN or Infinity', async () => {
    for (const fields of [
      { dim: 2 },
      { encoding: 'rope kept_fraction=0' },
      { length: 1 },
      { dim: 256, query: 1e6, length: 128, show: 'three_ways' },
    ]) {
      const { spec, results } = await figureOf(kind, fields);
      for (const width of [60, 360, 1200])
        expect(JSON.stringify(kind.scene(results, spec, { ...FRAME, width }).picture)).not.toMatch(/NaN|Infinity|null|not a number/);
    }
  });
});

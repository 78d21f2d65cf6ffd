// The bias over distance, from the real core.
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/curve.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('curve', () => {
  it('falls by the slope of each head with every step away', async () => {
    const { numbers } = await figureOf(kind, { encoding: 'alibi', heads: 8, length: 33 });
    for (let head = 0; head < 8; head++)
      for (let key = 0; key < 33; key++)
        expect(numbers.curves.data[head * 33 + key]).toBeCloseTo(-(2 ** -(head + 1)) * Math.abs(key - 16), 5);
  });

  it.each([
    ['alibi', true],
    ['t5', true],
    ['kerple', true],
    ['fire', true],
    // Beyond its length it divides by the position of the query.
    ['fire init_l=8', false],
    ['shaw', false],
    ['deberta', false],
  ])('proves for %s whether only distance counts', async (encoding, good) => {
    const proof = (await figureOf(kind, { encoding })).proof();
    expect(proof.good, `${proof.residual}`).toBe(good);
    expect(proof.meaning).toMatch(good ? /^The bias is a function/ : /^The bias is not/);
  });

  it.each([{}, { length: 1, heads: 1 }, { encoding: 'shaw', heads: 16 }])('answers where it is pointed at %#', async (given) => {
    const figure = await figureOf(kind, given);
    expectAnswering(figure.scene(), 700);
    expectAnswering(figure.scene(330), 330);
  });

  it('leaves its numbers in a program of its own', async () => {
    for (const encoding of ['alibi', 'shaw']) await expectProgram(await figureOf(kind, { encoding }));
  });

  it('answers a bad number with one sentence', async () => {
    await expect(figureOf(kind, { heads: 'NaN' })).rejects.toThrow(/^heads: “NaN” is not a number$/);
  });
});

import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/remap/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

const METHODS = [
  'rope',
  'rope remap=self_extend window=8 group=4',
  'rope remap=rerope window=6',
  'rope remap=leaky_rerope window=6 leak=4 layout=half_split',
  'rope remap=lm_infinite window=8 sink_tokens=2 max_distance=8',
  'rope remap=dual_chunk chunk=8 max_position=11',
];

describe('remap figure', () => {
  it('uses the distances of the text for RoPE and limits them to the window for ReRoPE', async () => {
    const { results } = await figureOf(kind, { encoding: 'rope', length: 12 });
    for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) expect(results.distances.data[12 * i + j]).toBe(j > i ? Number.NaN : i - j);
    const shortFigure = await figureOf(kind, { encoding: 'rope remap=rerope window=5', length: 12 });
    for (let i = 0; i < 12; i++)
      for (let j = 0; j <= i; j++) expect(shortFigure.results.distances.data[12 * i + j]).toBe(Math.min(i - j, 5));
  });

  it('has no distance for keys that LM-Infinite cannot see', async () => {
    const { results, readout } = await figureOf(kind, {
      encoding: 'rope remap=lm_infinite window=4 sink_tokens=1 max_distance=6',
      length: 12,
    });
    expect(Array.from(results.distances.data.subarray(12 * 9, 12 * 10))).toEqual([
      6,
      ...Array(5).fill(Number.NaN),
      3,
      2,
      1,
      0,
      Number.NaN,
      Number.NaN,
    ]);
    expect(readout({ query: 9, key: 3 })).toBe('Query 9 cannot attend to key 3');
    expect(readout({ query: 9, key: 0 })).toBe('Query 9, key 0: distance 9 in the text, 6 for RoPE');
    expect(readout()).toBe('Largest distance: 6 for RoPE, 11 in the text');
  });

  it('proves for every method that attention uses these distances', async () => {
    for (const encoding of METHODS) expect([encoding, (await figureOf(kind, { encoding })).proof().good]).toEqual([encoding, true]);
    const scaledProof = (await figureOf(kind, { encoding: 'rope remap=rerope window=6 training_length=8' })).proof();
    expect(scaledProof.good).toBe(false);
    expect(scaledProof.conclusion).toContain('grow with the position of the query');
  });

  it('responds to the pointer and arrow keys', async () => {
    const figure = await figureOf(kind);
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
  });

  it('exports a program that computes the same values', async () => {
    for (const encoding of METHODS) await expectProgram(await figureOf(kind, { encoding, length: 20, dim: 8 }));
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { encoding: 'alibi' })).rejects.toThrow(/^encoding: /);
    await expect(figureOf(kind, { length: 1 })).rejects.toThrow(/^length: /);
    await expect(figureOf(kind, { encoding: 'rope remap=rerope window=0' })).rejects.toThrow(/window/);
  });
});

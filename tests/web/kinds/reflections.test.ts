// The reflections figure: keys transformed by PaTH, computed by the real core.
import { describe, expect, it } from 'vitest';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/reflections/index.ts';
import { runPython } from '../python/run.ts';
import { expectAnswering, expectProgram, figureOf, phasor } from './table-figures.ts';

/** The keys by the paper's formula: each word with unit vector w maps the key k to k - beta (k . w) w. */
function rotateByFormula(directions: Float32Array, beta: number): number[] {
  const keys = [0.6, 0.8];
  for (let channel = 0; channel < directions.length; channel += 2) {
    const [x, y, a, b] = [keys.at(-2), keys.at(-1), directions[channel], directions[channel + 1]] as [number, number, number, number];
    const along = beta * (x * a + y * b);
    keys.push(x - along * a, y - along * b);
  }
  return keys;
}

describe('reflections figure', () => {
  it.each([2, 1, 0.3, 0])('transforms the key by the formula with beta = %d', async (beta) => {
    const figure = await figureOf(kind, { beta, key: 0 });
    const { keys, directions } = figure.results;
    expect([keys.shape, directions.shape]).toEqual([
      [6, 2],
      [5, 2],
    ]);
    rotateByFormula(directions.data, beta).forEach((value, index) => {
      expect(keys.data[index]).toBeCloseTo(value, 6);
    });
    expect(figure.proof().good, String(figure.proof().residual)).toBe(true);
    const forgedProof = kind.proof({ ...figure.results, residual: 0.1 }, figure.spec as never);
    expect([passes(forgedProof), forgedProof.conclusion]).toEqual([
      false,
      'Transforming the key by all words at once differs from transforming it by one word at a time.',
    ]);
  });

  it('keeps the length of the key with beta = 2, and removes the direction of the word with beta = 1', async () => {
    const { results: rotatedResults } = await figureOf(kind, { key: 0 });
    const { results: erasedResults } = await figureOf(kind, { key: 0, beta: 1 });
    for (let word = 1; word < 6; word++) {
      expect(Math.hypot(rotatedResults.keys.data[2 * word], rotatedResults.keys.data[2 * word + 1])).toBeCloseTo(1, 6);
      const { keys, directions } = erasedResults;
      const remainder = keys.data[2 * word] * directions.data[2 * word - 2] + keys.data[2 * word + 1] * directions.data[2 * word - 1];
      expect(Math.abs(remainder)).toBeLessThan(1e-6);
    }
  });

  it('depends on the order of the words, whose directions move with them', async () => {
    const { results: originalResults } = await figureOf(kind, { text: 'one two three', key: 0 });
    const { results: swappedResults } = await figureOf(kind, { text: 'one two three', key: 0, order: '0,2,1' });
    expect(Array.from(swappedResults.directions.data)).toEqual([
      ...originalResults.directions.data.subarray(2),
      ...originalResults.directions.data.subarray(0, 2),
    ]);
    expect(swappedResults.placedWords).toEqual(['one', 'three', 'two']);
    expect(Math.abs(swappedResults.keys.data[4] - originalResults.keys.data[4])).toBeGreaterThan(0.01);
  });

  it('draws a dial for the key and for each later word with its mirror', async () => {
    const figure = await figureOf(kind);
    for (const width of [1440, 700, 330]) {
      const scene = figure.scene(width);
      expectAnswering(scene, width);
      const { marks } = scene.picture;
      expect(marks.filter((mark) => mark.kind === 'line' && mark.dashed)).toHaveLength(4);
      for (const text of ['key of “cat”', 'slept', '.', 'a', 'dog', '(0.6, 0.8)'])
        expect(marks).toContainEqual(expect.objectContaining({ text }));
    }
    const scene = figure.scene(700);
    expect([scene.step({}, 1, 0), scene.step({ query: 2 }, 1, 0), scene.step({ query: 5 }, 1, 0)]).toEqual([
      { query: 1 },
      { query: 3 },
      { query: 5 },
    ]);
    expect(scene.overlay({ query: 0 })).toEqual([]);
    expect(figure.readout()).toMatch(/^Key of “cat” after 4 words: \(/);
    expect(figure.readout({ query: 1 })).toBe('The key of “cat” is (0.6, 0.8)');
    expect(figure.readout({ query: 2 })).toMatch(/^“slept” moves the key of “cat” from \(0\.6, 0\.8\) to \(/);
    for (const query of [0, 6, 99, -1]) expect(figure.readout({ query })).toBe(figure.readout());
    expect(scene.picture.description).toMatch(/^The key of “cat” begins at \(0\.6, 0\.8\); 4 words later it is at \(/);
  });

  it.each([
    ['the last word', { key: 5 }],
    ['a place beyond the sentence', { key: 63 }],
    ['one word', { text: 'lion', key: 0 }],
    ['300 words', { text: 'a word '.repeat(150), key: 3 }],
    ['emoji', { text: 'lion 🦁 👩‍👩‍👧 lion', key: 0 }],
  ])('draws %s', async (_, fields) => {
    const figure = await figureOf(kind, fields);
    for (const width of [1440, 330]) {
      const { picture } = figure.scene(width);
      expect(picture.width).toBeLessThanOrEqual(width);
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
    }
    expect(figure.proof().good).toBe(true);
    expect(kind.scene(figure.results, figure.spec as never, { width: 700, maxHeight: 300, theme: 'dark' }).picture.height).toBeGreaterThan(
      40,
    );
  });

  it('reports how many words are left out', async () => {
    const figure = await figureOf(kind, { text: 'a word '.repeat(150), key: 0 });
    expect(figure.results.keys.shape).toEqual([24, 2]);
    expect(figure.scene().picture.description).toContain('These are the first 23 of 299 words after the key.');
  });

  it.each([
    [{ beta: 2.1 }, 'beta: 2.1 is outside 0 to 2'],
    [{ beta: 'all' }, 'beta: “all” is not a number'],
    [{ key: -1 }, 'key: -1 is outside 0 to 63'],
    [{ key: 1.5 }, 'key: 1.5 is not a whole number'],
    [{ text: '' }, 'text: has no words'],
  ])('rejects invalid fields with one sentence (case %#)', async (input, sentence) => {
    await expect(figureOf(kind, input)).rejects.toThrow(sentence);
  });

  it('exports programs that compute the same values', async () => {
    for (const fields of [{}, { beta: 0.7, key: 3, seed: 9 }, { key: 5 }]) {
      const figure = await figureOf(kind, fields);
      await expectProgram(figure);
      const { python, data } = (await kind.loadPrograms()).code(figure.spec as never, phasor.encodings, figure.results);
      const [created] = runPython([{ program: python, files: data, want: ['keys'] }]);
      expect(created?.error).toBeUndefined();
      figure.results.keys.data.forEach((value: number, index: number) => {
        expect(created?.arrays.keys?.data[index]).toBeCloseTo(value, 5);
      });
    }
  });
});

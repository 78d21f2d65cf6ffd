// The programs of chapter 0 compute the values of the chapter, which are those of the core.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { phasor } from './kinds/sentence-means.ts';
import { type Job, type Result, runPython } from './python/run.ts';
import { html } from './read-book.ts';

const text = readFileSync('web/book/chapters/00-short-way.md', 'utf8');
const programs = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, program = '']) => program);
const ORDER = [3, 1, 2, 0];
const WORDS = [
  [1, 0, 2, 1],
  [0, 1, 1, 2],
  [2, 1, 0, 1],
  [1, 2, 1, 0],
];

/** Attention with RoPE over four words of four channels, whose first position is `offset`. */
function attend(words: readonly (readonly number[])[], offset: number) {
  const x = { shape: [1, 4, 4], data: words.flat() };
  const positions = [0, 1, 2, 3].map((position) => position + offset);
  return phasor.attention({
    ...{ q: x, k: x, v: x, encoding: 'rope' },
    ...{ queryPositions: positions, keyPositions: positions },
    outputs: ['weights'],
  }) as { weights: { data: Float32Array }; output: { data: Float32Array } };
}

const expected = {
  weights: attend(WORDS, 0).weights.data,
  later: attend(WORDS, 1000).weights.data,
  output: attend(WORDS, 0).output.data,
  swapped: attend(
    ORDER.map((row) => WORDS[row] as number[]),
    0,
  ).output.data,
};

describe.each([
  ['NumPy', 0, false],
  ['PyTorch', 1, true],
] as const)('the program in %s', (_, programIndex, torch) => {
  const program = programs[programIndex] ?? '';
  let result: Result;
  beforeAll(() => {
    // Printed output would be read as the runner's result.
    const job: Job = { program: `print = lambda *_: None\n${program}`, want: Object.keys(expected) };
    [result] = runPython([job], torch) as [Result];
  });

  it('has at most 32 lines', () => {
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(32);
  });

  it('computes the values of the core', () => {
    expect(result.error).toBeUndefined();
    for (const [name, data] of Object.entries(expected)) {
      const actual = [...(result.arrays[name]?.data ?? [])];
      expect(actual, name).toHaveLength(data.length);
      actual.forEach((value, index) => {
        expect(Math.abs(value - (data[index] as number)), `${name}[${index}]`).toBeLessThan(2e-6);
      });
    }
  });

  it('shows weights that do not depend on the first position, and an output that depends on word order', () => {
    const { weights, later: laterWeights, output, swapped: swappedOutput } = result.arrays;
    const largest = (differences: number[]) => Math.max(...differences.map(Math.abs));
    expect(largest([...(weights?.data ?? [])].map((value, index) => value - (laterWeights?.data[index] as number)))).toBeLessThan(1e-6);
    const restoredOutput = ORDER.flatMap((row) => [...(swappedOutput?.data ?? [])].slice(4 * row, 4 * row + 4));
    expect(largest([...(output?.data ?? [])].map((value, index) => value - (restoredOutput[index] as number)))).toBeGreaterThan(0.1);
  });
});

it('the core block of the chapter uses the words of the programs', async () => {
  const [, core = ''] = /^```core\n(.*?)^```$/ms.exec(text) ?? [];
  const assignments = core.split('\n').filter((line) => /^const [xy] = /.test(line));
  const page = await html(['```core', ...assignments, '```', 'The core has {{core: x}} and {{core: y}}.'].join('\n'));
  const values = [...page.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
  expect(values).toEqual([WORDS.flat().join(','), ORDER.flatMap((row) => WORDS[row] as number[]).join(',')]);
  expect(programs).toHaveLength(2);
});

// The unseen figure: RoPE in texts longer than in training, with each extension method, computed by the real core.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/unseen/index.ts';
import { computeGroupSize, createMethodEncoding, METHODS, type MethodId } from '../../../web/figure/kinds/unseen/methods.ts';
import { RECORDING } from '../../../web/figure/kinds/unseen/recording.ts';
import { runPython } from '../python/run.ts';
import { type Computed, expectAnswering, expectProgram, figureOf } from './table-figures.ts';

const row = ({ results }: Computed, name: 'unseenFractions' | 'usedDistances' | 'weights', method: MethodId): number[] => {
  const methodIndex = results.methods.indexOf(method);
  return Array.from(results[name].data.subarray(methodIndex * results.length, (methodIndex + 1) * results.length) as Float32Array);
};
const share = ({ results }: Computed, method: MethodId): number => results.unseenMeans.data[results.methods.indexOf(method)];

describe('unseen figure', () => {
  it('counts for plain RoPE, beyond the trained length, every pair that has not completed a rotation', async () => {
    const figure = await figureOf(kind, { methods: 'rope' });
    // Of 8 pairs the first 3 complete a rotation in 64 tokens: 64, 20.2, 6.4 rad, then 2.02.
    expect(row(figure, 'unseenFractions', 'rope').slice(0, 65)).toEqual(Array(65).fill(0));
    expect(new Set(row(figure, 'unseenFractions', 'rope').slice(65))).toEqual(new Set([5 / 8]));
    // (512 - 65) (512 - 64) / 2 of 512 513 / 2 pairs of tokens are farther apart than 64.
    expect(share(figure, 'rope')).toBeCloseTo(((5 / 8) * 447 * 448) / (512 * 513), 6);
  });

  it('counts none with linear scaling or remapped distances, and fewer with NTK-aware and YaRN', async () => {
    for (const factor of [2, 8, 16]) {
      const figure = await figureOf(kind, { factor });
      for (const method of ['linear', 'self_extend', 'rerope', 'lm_infinite', 'dual_chunk'] as const)
        expect([factor, method, share(figure, method)]).toEqual([factor, method, 0]);
      for (const method of ['ntk', 'yarn'] as const) expect(share(figure, method)).toBeLessThan(share(figure, 'rope'));
    }
  });

  it('uses the distances of each method', async () => {
    const figure = await figureOf(kind);
    expect(Math.max(...row(figure, 'usedDistances', 'self_extend'))).toBeLessThan(64);
    expect(row(figure, 'usedDistances', 'self_extend').slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, distance) => distance));
    expect(row(figure, 'usedDistances', 'rerope').slice(16)).toEqual(Array(496).fill(16));
    expect(row(figure, 'usedDistances', 'lm_infinite').slice(64, 508)).toEqual(Array(444).fill(Number.NaN));
    expect(row(figure, 'usedDistances', 'lm_infinite').slice(508)).toEqual(Array(4).fill(64));
    expect(Math.max(...row(figure, 'usedDistances', 'dual_chunk'))).toBe(63);
    expect(row(figure, 'usedDistances', 'yarn')).toEqual(Array.from({ length: 512 }, (_, distance) => distance));
  });

  it('uses the smallest sufficient group of Self-Extend', () => {
    for (const trained of [8, 33, 64, 128])
      for (const factor of [2, 7, 16]) {
        const lengths = { trained, factor };
        const { window, group } = createMethodEncoding('self_extend', lengths) as unknown as { window: number; group: number };
        const farthest = (size: number) => Math.floor((trained * factor - 1) / size) + window - Math.floor(window / size);
        expect(group).toBe(computeGroupSize(lengths));
        expect(farthest(group)).toBeLessThan(trained);
        expect(farthest(group - 1)).toBeGreaterThanOrEqual(trained);
      }
  });

  it('proves that attention computes with these rotations, and has weights that sum to 1', async () => {
    for (const fields of [{}, { trained: 33, factor: 7, dim: 6 }, { trained: 8, factor: 2, dim: 4 }]) {
      const figure = await figureOf(kind, fields);
      expect(figure.proof()).toMatchObject({ good: true });
      for (const [method] of METHODS) {
        const sum = row(figure, 'weights', method).reduce((total, weight) => total + (weight || 0), 0);
        expect(sum).toBeCloseTo(1, 5);
      }
    }
  });

  it('reports the values of one key, of one method, and of all', async () => {
    const figure = await figureOf(kind, { methods: 'rope, self_extend, lm_infinite' });
    expect(figure.readout()).toBe('At 8 times the trained length, new rotations: RoPE 47.7%, Self-Extend 0%, and LM-Infinite 0%.');
    expect(figure.readout({ method: 0, distance: 300 })).toMatch(
      /^RoPE, a key 300 tokens back: 5 of 8 pairs with a new rotation; the weight of the key is 0\.\d+ times the uniform weight if all keys are equal$/,
    );
    expect(figure.readout({ method: 1, distance: 300 })).toMatch(
      /^Self-Extend, a key 300 tokens back, remapped to distance \d\d: 0 of 8 pairs/,
    );
    expect(figure.readout({ method: 2, distance: 300 })).toBe('LM-Infinite cannot attend to a key 300 tokens back');
    expect(figure.readout({ method: 0, distance: 1 })).toMatch(/^RoPE, a key 1 token back: 0 of 8 pairs/);
    expect(figure.readout({ method: 0, all: 0 })).toBe('RoPE, over all queries and keys: 47.7% of rotations are new');
    expect(figure.readout({ method: 3, distance: 0 })).toBe(figure.readout());
  });

  it('shows recorded losses of three models that fit the loss of the shipped one', async () => {
    const figure = await figureOf(kind, { show: 'loss' });
    const lossAt = (method: MethodId, length: number): number => RECORDING.loss[method][RECORDING.lengths.indexOf(length)] as number;
    // At the training length no method changes the loss; the shipped model is from the first of the three seeds.
    expect(RECORDING.seeds).toBe(3);
    const { models } = JSON.parse(readFileSync('public/models/index.json', 'utf8')) as {
      models: readonly { id: string; lengths: readonly { length: number; loss: number }[] }[];
    };
    const recordedLengths = models.find(({ id }) => id === 'text-rope')?.lengths ?? [];
    expect(recordedLengths.map(({ length }) => length)).toEqual([64, 128]);
    for (const { length, loss } of recordedLengths) {
      // Of three values none is farther from the mean than 2 / sqrt(3) sample deviations.
      const spread = RECORDING.deviation.rope[RECORDING.lengths.indexOf(length)] as number;
      expect(Math.abs(lossAt('rope', length) - loss)).toBeLessThan(1.16 * spread + 2e-3);
      expect(spread).toBeGreaterThan(0);
    }
    expect(new Set(METHODS.map(([method]) => lossAt(method, 64))).size).toBe(1);
    expect(figure.readout()).toMatch(/^Recorded, nats per character at 512 characters, 8 times the trained length: RoPE \d\.\d\d, linear /);
    expect(figure.readout({ method: 4, length: 0 })).toMatch(
      /^Recorded, nats per character at 64 characters, the trained length: Self-Extend \d\.\d\d ± 0\.\d+\.$/,
    );
    const texts = figure.scene().picture.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts.join(' ')).toContain('Recorded: the mean of 3 models, seeds 1 to 3,');
    expect((await figure.code()).python).toContain('recorded: npm run record -- unseen');
  });

  it('responds to the pointer and arrow keys in every view', async () => {
    for (const shows of ['rotations', 'attention', 'loss']) {
      const figure = await figureOf(kind, { show: shows });
      for (const width of [900, 340]) expectAnswering(figure.scene(width), width);
      const texts = figure.scene().picture.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
      expect(texts.includes('trained: 64')).toBe(shows !== 'loss');
      expect(texts).toEqual(expect.arrayContaining(['Self-Extend', 'LM-Infinite']));
    }
  });

  it('exports programs that compute the same values', async () => {
    const figures = await Promise.all(
      [{}, { trained: 33, factor: 7, dim: 6 }, { methods: 'yarn, dual_chunk', trained: 20 }].map((input) => figureOf(kind, input)),
    );
    for (const figure of figures) await expectProgram(figure);
    const want = ['unseen', 'shares', 'taken', 'weights', 'loss'];
    const programs = await Promise.all(figures.map((figure) => figure.code()));
    const results = runPython(programs.map(({ python, data }) => ({ program: python, files: data, want })));
    results.forEach(({ error, arrays }, i) => {
      expect(error).toBeUndefined();
      for (const { name, tensor } of (figures[i] as Computed).tables()) {
        const data = arrays[name]?.data as ArrayLike<number>;
        expect([name, data.length]).toEqual([name, tensor.data.length]);
        tensor.data.forEach((value: number, index: number) => {
          if (Number.isNaN(value)) expect(data[index]).toBeNaN();
          else expect(Math.abs((data[index] as number) - value)).toBeLessThan(2e-5);
        });
      }
    });
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { methods: '' })).rejects.toThrow(/is empty; expected at least one method/);
    await expect(figureOf(kind, { methods: 'rope, alibi' })).rejects.toThrow(/^methods: .*alibi/);
    await expect(figureOf(kind, { dim: 7 })).rejects.toThrow(/^dim: 7 is odd/);
    await expect(figureOf(kind, { factor: 17 })).rejects.toThrow(/^factor: /);
    await expect(figureOf(kind, { trained: 4 })).rejects.toThrow(/^trained: /);
  });
});

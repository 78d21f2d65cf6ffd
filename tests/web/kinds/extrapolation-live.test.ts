// Training at short and evaluation at long lengths: by the real trainer, with the shipped models, and as programs.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, type EvaluateOptions, type TrainConfig } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { kind, type Spec } from '../../../web/figure/kinds/extrapolation/index.ts';
import type { Results } from '../../../web/figure/kinds/extrapolation/lengths.ts';
import { ShippedModels } from '../../../web/figure/runtime/shipped-models.ts';
import { figureOf, phasor } from './table-figures.ts';

async function trainFigure(fields: object, options: object = {}) {
  const spec = readSpec(kind as never, { run: 'live', seeds: 1, ...fields });
  const partialResults: Results[] = [];
  const partial = (results: object): void => void partialResults.push(results as Results);
  const results = await kind.compute(spec as never, { engine: phasor, createTrainer: createTrainerWorker, partial, ...options } as never);
  return { results, partialResults, spec: spec as unknown as Spec };
}

const valueAt = (results: Results, line: number, length: number, quantity: 'score' | 'last' | 'loss' = 'score'): number =>
  results[quantity].data[line * results.lengths.length + results.lengths.indexOf(length)] as number;

describe('extrapolation figure, live', () => {
  it('trains a learned table, which falls to chance, and T5, which does not, and draws both', async () => {
    const { results, partialResults, spec } = await trainFigure({
      task: 'order_long',
      beyond: 'untrained',
      encodings: 'learned, t5',
      budget: '60',
    });
    expect(valueAt(results, 0, 16)).toBeGreaterThan(0.95);
    expect(valueAt(results, 0, 256)).toBeLessThan(0.65);
    expect(valueAt(results, 1, 256)).toBeGreaterThan(0.95);
    expect(partialResults.length).toBeGreaterThan(4);
    for (const partial of [partialResults[0], partialResults.at(-1)] as Results[]) {
      const { picture } = kind.scene(partial, spec as never, { width: 600, theme: 'light' });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(picture.description).toMatch(/Live, trained here, one seed \(1\): step \d+ of \d+/);
    }
    expect(results.isRunning).toBe(false);
  });

  it('ends the curve of a learned table with the core’s error, and keeps results when stopped', async () => {
    const { Pace } = await import('../../../web/figure/runtime/pace.ts');
    const pace = new Pace();
    const progress = (): void => pace.stop();
    const { results } = await trainFigure({ task: 'order_long', encodings: 'learned' }, { pace, progress });
    expect(results.endErrors[0]).toMatch(/^lengths: 17 tokens exceed the table of learned, whose last row is 15;/);
    expect(valueAt(results, 0, 16)).toBeGreaterThan(0);
    expect(valueAt(results, 0, 17)).toBeNaN();
    expect(results.completedSteps).toBeGreaterThan(0);
    expect(results.completedSteps).toBeLessThan(results.total);
  });

  it('evaluates texts of more than 256 tokens only at the end, and describes the longest length of all lines', async () => {
    const addresses: string[] = [];
    const evaluate = async ({ lengths = [], numSamples, onProgress }: EvaluateOptions) => {
      addresses.push(`${numSamples} of ${lengths[0]} to ${lengths.at(-1)}`);
      for (const length of lengths) onProgress?.({ length, loss: 1, score: 0.5, accuracyAt: [0.5] } as never);
    };
    const createTrainer = async () => ({ step: async () => ({ loss: 1 }), evaluate, dispose: () => {} });
    const { results, partialResults, spec } = await trainFigure(
      { task: 'copy', encodings: 'learned, t5', beyond: 'untrained' },
      { createTrainer },
    );
    const each = ['24 of 8 to 256', '24 of 8 to 256', '24 of 8 to 256', '100 of 8 to 256', '50 of 384 to 512'];
    expect(addresses.toSorted()).toEqual([...each, ...each].toSorted());
    const first = partialResults.find(({ completedSteps }) => completedSteps > 0) as Results;
    expect(valueAt(first, 0, 256)).toBe(0.5);
    expect(valueAt(first, 0, 512)).toBeNaN();
    expect(kind.readout(first, spec as never, {})).toMatch(/^256 tokens, 8 times the trained length: learned table 0\.5/);
    expect(kind.readout(results, spec as never, {})).toMatch(/^512 tokens, 16 times the trained length: learned table 0\.5/);
  });

  it('reproduces the recorded curves of seed 1 with the shipped weights', async () => {
    const file = async (address: string | URL) => new Response(readFileSync(new URL(address)));
    const shipped = new ShippedModels(new URL('../../../public/models/index.json', import.meta.url), createTrainer, file);
    const options = {
      createTrainer: createTrainerWorker,
      models: async () => shipped,
      corpus: async () => readFileSync('public/data/pride-and-prejudice.txt', 'utf8'),
    };
    const input = { task: 'text', encodings: 'rope, rope_yarn' };
    const { results, partialResults, spec } = await trainFigure(input, options);
    const { results: recordedResults } = await figureOf(kind, { ...input, seeds: 1 });
    // Shipped weights have 16 bits.
    const differences = [...results.loss.data].map((value, index) => Math.abs(value - (recordedResults as Results).loss.data[index]!));
    expect(Math.max(...differences)).toBeLessThan(0.01);
    expect(valueAt(results, 0, 512, 'loss')).toBeGreaterThan(valueAt(results, 1, 512, 'loss') + 1);
    expect(kind.proof(results, spec as never).residual).toBeLessThan(0.1);
    const expectDescription = ({ completedSteps }: Results, allResults: Results) => {
      const { picture } = kind.scene(allResults, spec as never, { width: 600, theme: 'light' });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(picture.description).toContain(
        `Live, evaluated here: shipped models, seed 1, on 128 passages of the novel; ${completedSteps} of 20 evaluations`,
      );
    };
    for (const partial of [partialResults[0], partialResults[5], results] as Results[]) expectDescription(partial, partial);
    // Short texts are evaluated first: the summary includes lengths that every line has completed.
    const half = partialResults[9] as Results;
    expect(kind.readout(half, spec as never, {})).toMatch(/^(64|80|96) tokens.*: RoPE [\d.]+, YaRN [\d.]+; chance 2\.97$/);
    expect(kind.readout(half, spec as never, { length: 9 })).toBe('512 tokens, 8 times the trained length: not measured yet');
    for (const [fields, sentence] of [
      [{ encodings: 'rope, learned' }, /^run: live: the shipped model with a learned table has 128 rows/],
      [{ seed: 2 }, /^run: live: the shipped models exist only for seed 1/],
      [{ seeds: 3 }, /^run: live: the shipped models exist only for seed 1/],
    ] as const) {
      await expect(trainFigure({ ...input, ...fields }, options)).rejects.toThrow(sentence);
    }
  });

  it('reproduces the recorded curve of removed RoPE', async () => {
    const file = async (address: string | URL) => new Response(readFileSync(new URL(address)));
    const shipped = new ShippedModels(new URL('../../../public/models/index.json', import.meta.url), createTrainer, file);
    const input = { task: 'text', encodings: 'rope_dropped' };
    const { results } = await trainFigure(input, {
      createTrainer: createTrainerWorker,
      models: async () => shipped,
      corpus: async () => readFileSync('public/data/pride-and-prejudice.txt', 'utf8'),
    });
    const { results: recordedResults } = await figureOf(kind, { ...input, seeds: 1 });
    const differences = [...results.loss.data].map((value, index) => Math.abs(value - (recordedResults as Results).loss.data[index]!));
    expect(Math.max(...differences)).toBeLessThan(0.02);
  });

  it('exports a program that removes RoPE', async () => {
    const figure = await figureOf(kind, { task: 'text', encodings: 'rope_dropped', seeds: 1 });
    const { phasor: program, python } = await figure.code();
    expect(python).toMatch(
      /^# One of the lines is rope_dropped; .* trained further without positions, which transformer\.py does not support\./m,
    );
    const shortProgram = program
      .replaceAll(/^import .*\n/gm, '')
      .replace(/\(await import.*'utf8'\)/, 'novel')
      .replaceAll(/steps: 500|step\(500\)/g, (text) => text.replace('500', '2'))
      .replace('"steps":25,"warmupSteps":5', '"steps":2,"warmupSteps":1')
      .replaceAll('extraMetrics: false', 'numSamples: 4, extraMetrics: false');
    const trainedEncodings: unknown[] = [];
    const countTrainer = async (config: TrainConfig) => {
      trainedEncodings.push((config.encoding as { id: string }).id);
      return createTrainer(config);
    };
    const body = `return (async () => { ${shortProgram}\nreturn loss; })();`;
    const loss = await new Function('createTrainer', 'novel', body)(
      countTrainer,
      readFileSync('public/data/pride-and-prejudice.txt', 'utf8'),
    );
    expect([...loss.data].every(Number.isFinite)).toBe(true);
    expect(trainedEncodings).toEqual(['rope', 'none', 'none']);
  });

  it('exports a program that evaluates the same weights with lower frequencies', async () => {
    const figure = await figureOf(kind, { task: 'text', encodings: 'rope_ntk', seeds: 1 });
    const { phasor: program, python } = await figure.code();
    expect(python).toMatch(
      /^# One of the lines is rope_ntk; .* evaluated with lower frequencies, which transformer\.py does not support\./m,
    );
    const shortProgram = program
      .replaceAll(/^import .*\n/gm, '')
      .replace(/\(await import.*'utf8'\)/, 'novel')
      .replaceAll(/steps: 500|step\(500\)/g, (text) => text.replace('500', '2'))
      .replaceAll('extraMetrics: false', 'numSamples: 4, extraMetrics: false');
    const body = `return (async () => { ${shortProgram}\nreturn { loss, readers }; })();`;
    const usedEncodings: unknown[] = [];
    const countTrainer = async (spec: TrainConfig) => {
      usedEncodings.push(spec.encoding);
      return createTrainer(spec);
    };
    const { loss } = await new Function('createTrainer', 'novel', 'readers', body)(
      countTrainer,
      readFileSync('public/data/pride-and-prejudice.txt', 'utf8'),
      usedEncodings,
    );
    expect([...loss.data].every(Number.isFinite)).toBe(true);
    expect(usedEncodings.at(-1)).toEqual({ id: 'rope', scaling: 'ntk_aware', factor: 8, original_length: 64 });
    expect(usedEncodings[1]).toEqual({ id: 'rope' });
  });

  it('exports a program that trains, and names the config for PyTorch', async () => {
    const figure = await figureOf(kind, { task: 'order_long', encodings: 'learned, t5', seeds: 2 });
    const { phasor: program, python } = await figure.code();
    const shortProgram = program
      .replace(/^import .*\n/, '')
      .replaceAll(/steps: 300|step\(300\)/g, (text) => text.replace('300', '3'))
      .replaceAll('extraMetrics: false', 'numSamples: 4, extraMetrics: false');
    const body = `return (async () => { ${shortProgram}\nreturn { score, low, loss }; })();`;
    const { score, low } = await new Function('createTrainer', body)(createTrainer);
    expect(score.shape).toEqual([2, 13]);
    // The table of 16 rows ends at the third length.
    expect([...score.data].map(Number.isNaN)).toEqual([...Array(3).fill(false), ...Array(10).fill(true), ...Array(13).fill(false)]);
    expect(low.data[0]).toBeLessThanOrEqual(score.data[0]);
    expect(python).toMatch(/^# One of the lines is t5;/m);
    expect(python).toContain('# Training in PyTorch: python transformer.py order_long_t5.json --fresh\n');
  });
});

// Positions that a probe finds in models without an encoding, recorded and trained live.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, type Trainer } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { getChanceError, getError, type Results } from '../../../web/figure/kinds/probe/compute.ts';
import { kind } from '../../../web/figure/kinds/probe/index.ts';
import { getRecording } from '../../../web/figure/kinds/probe/recording.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

const novel = readFileSync('public/data/pride-and-prejudice.txt', 'utf8');
const corpus = async () => novel;

async function trainFigure(fields: object, options: object = {}) {
  const spec = readSpec(kind as never, { run: 'live', ...fields });
  const partialResults: Results[] = [];
  const partial = (results: object): void => void partialResults.push(results as Results);
  const results = await kind.compute(
    spec as never,
    { engine: phasor, createTrainer: createTrainerWorker, corpus, partial, ...options } as never,
  );
  return { results, partialResults, spec };
}

describe('probe figure', () => {
  it.each([1, 2, 3])('is at chance level in the embeddings, and below it after a causal layer: seed %i', async (seed) => {
    const figure = await figureOf(kind, { seed });
    const { results } = figure;
    const chance = getChanceError(results);
    for (const model of [0, 1, 2]) expect(Math.abs(getError(results, model, 0) / chance - 1)).toBeLessThan(0.05);
    for (const layer of [1, 2]) {
      expect(getError(results, 0, layer)).toBeLessThan(0.55 * chance);
      expect(getError(results, 1, layer)).toBeLessThan(0.85 * chance);
      expect(Math.abs(getError(results, 2, layer) / chance - 1)).toBeLessThan(0.05);
    }
    expect(figure.proof()).toMatchObject({ good: true });
  });

  it('fails its proof if the errors of two models are swapped', async () => {
    const { results, spec } = await figureOf(kind, {});
    const { errors } = results;
    const changedResults = {
      ...results,
      errors: { ...errors, data: Float32Array.from([6, 7, 8, 3, 4, 5, 6, 7, 8], (at) => errors.data[at]) },
    };
    const { residual, tolerance } = kind.proof(changedResults as never, spec as never);
    expect(residual).toBeGreaterThan(tolerance);
  });

  it('has lower errors among the first tokens, and describes the recording', async () => {
    const figure = await figureOf(kind, {});
    const { errorsByLength, lengths } = figure.results as Results;
    for (const layer of [1, 2]) {
      const row = [...errorsByLength.data.subarray(layer * lengths.length, (layer + 1) * lengths.length)];
      expect(row).toEqual([...row].sort((a, b) => a - b));
      expect(row.at(-1)).toBe(getError(figure.results, 0, layer));
    }
    expect(figure.scene().picture.description).toMatch(/Recorded, one seed \(1\)$/);
    expect(figure.readout()).toMatch(/^Causal mask, trained: embeddings 16\.0, after layer 1 \d\.\d+, .*; chance level 15\.8$/);
    expect(figure.readout({ model: 2, layer: 1 })).toMatch(/^No mask, untrained, after layer 1: error 16\.0 tokens/);
    expect(figure.readout({ length: 0 })).toMatch(/^Among the first 8 tokens: embeddings 1\.\d+, .*; chance level 1\.75$/);
    expectAnswering(figure.scene(900), 900);
    expectAnswering(figure.scene(330), 330);
  });

  it('has a recording with the current config of the trainer', async () => {
    const trainer = await createTrainer({ task: 'probe', corpus: novel, seed: 2 });
    expect(getRecording(2)?.spec).toEqual(trainer.config);
    trainer.dispose();
  });

  it('trains live, draws intermediate results, and keeps them when stopped', async () => {
    const pace = new Pace();
    const created: Trainer[] = [];
    const countTrainer = async (spec: never) => {
      created.push(await createTrainerWorker(spec));
      return created.at(-1) as Trainer;
    };
    // A quarter of the steps suffices for positions to appear.
    const { results, partialResults, spec } = await trainFigure({}, { createTrainer: countTrainer, pace, progress: () => pace.stop() });
    expect(results.origin).toBe('live');
    expect(getError(results, 0, 0)).toBeGreaterThan(0.95 * getChanceError(results));
    expect(getError(results, 0, 1)).toBeLessThan(0.85 * getChanceError(results));
    expect(getError(results, 2, 1)).toBeGreaterThan(0.95 * getChanceError(results));
    expect(results.isRunning).toBe(false);
    for (const partial of [partialResults[0], partialResults[2], partialResults.at(-1), results] as Results[]) {
      const { picture } = kind.scene(partial, spec as never, { width: 600, theme: 'light' });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(picture.description).toMatch(/Live, trained here, one seed \(1\): step \d+ of \d+/);
    }
    expect(kind.readout(partialResults[0] as Results, spec as never, {})).toBe('Not measured yet.');
    expect(created.every(({ disposed }) => disposed)).toBe(true);
  });

  it('disposes all trainers when aborted', async () => {
    const result: Trainer[] = [];
    const countTrainer = async (spec: never) => {
      result.push(await createTrainerWorker(spec));
      return result.at(-1) as Trainer;
    };
    const end = new AbortController();
    const cancelledFigure = trainFigure({}, { createTrainer: countTrainer, signal: end.signal });
    cancelledFigure.catch(() => {});
    await expect.poll(() => result.length, { timeout: 30_000 }).toBeGreaterThan(1);
    end.abort();
    await expect(cancelledFigure).rejects.toThrow();
    expect(result.every(({ disposed }) => disposed)).toBe(true);
  });

  it('exports the config for PyTorch', async () => {
    const { python, data } = await (await figureOf(kind, {})).code();
    expect(python).toContain('# Recorded, one seed (1): npm run record -- probe');
    expect(python).toContain('python transformer.py probe_none.json --corpus pride-and-prejudice.txt --fresh\n');
    expect(JSON.parse(data['probe_none.json'] as string)).toMatchObject({ task: 'probe', encoding: { id: 'none' } });
    expect(python).toMatch(/^errors = /m);
  });

  it('exports a program that trains', async () => {
    const figure = await figureOf(kind, {});
    const { phasor: program } = await figure.code();
    const shortProgram = program.replace(/^import .*\n/, '').replaceAll('step(500)', 'step(2)');
    const fetched = async () => new Response(novel);
    const body = `return (async () => { ${shortProgram}\nreturn { errors, byLength, chance }; })();`;
    const { errors, byLength: errorsByLength, chance } = await new Function('createTrainer', 'fetch', body)(createTrainer, fetched);
    expect([...chance.data]).toEqual([...figure.results.chance.data]);
    // Untrained models agree with the recording.
    for (const index of [3, 4, 5, 6, 7, 8]) expect(Math.abs(errors.data[index] - figure.results.errors.data[index])).toBeLessThan(0.6);
    expect(errorsByLength.shape).toEqual([3, 4]);
  });

  it.each([
    [{ seed: 4 }, /^seed: only seeds 1 to 3 were recorded/],
    [{ run: 'live' }, /^run: live: training is unavailable on this page/],
  ])('rejects invalid fields with one sentence: case %#', async (input, sentence) => {
    await expect(figureOf(kind, input)).rejects.toThrow(sentence);
  });
});

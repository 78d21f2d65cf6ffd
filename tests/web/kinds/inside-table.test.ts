// A learned table and a learned bias, recorded and trained live.

import { describe, expect, it } from 'vitest';
import * as analysis from '../../../web/engine/analysis.ts';
import { createPhasor } from '../../../web/engine/node.ts';
import { createTrainer, createTrainerWorker, type Trainer } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import type { BiasResults } from '../../../web/figure/kinds/inside/bias.ts';
import { HEADS, kind } from '../../../web/figure/kinds/inside/index.ts';
import { getDisplayedStep } from '../../../web/figure/kinds/inside/model.ts';
import { NUM_SNAPSHOTS } from '../../../web/figure/kinds/inside/snapshots.ts';
import type { TableResults } from '../../../web/figure/kinds/inside/table.ts';
import { FigureCache } from '../../../web/figure/runtime/outcome.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { runPython } from '../python/run.ts';
import { models } from './shipped.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

/** Trains a learned table. */
async function trainFigure(fields: object, options: object = {}) {
  const spec = readSpec(kind as never, { encoding: 'learned', show: 'table', run: 'live', ...fields });
  const partialResults: TableResults[] = [];
  const partial = (results: object): void => void partialResults.push(results as TableResults);
  const context = { engine: phasor, models, createTrainer: createTrainerWorker, partial, ...options };
  return { results: (await kind.compute(spec as never, context as never)) as TableResults, partialResults, spec };
}

/** The mean cosine of positions at a distance. */
const along = ({ data, shape: [side = 1] }: TableResults['cosinesAfter'], distance: number): number => {
  let sum = 0;
  for (let i = 0; i + distance < side; i++) sum += data[i * side + i + distance] as number;
  return sum / (side - distance);
};

/** The largest difference. One `expect` per value would be slow. */
const maxAbsDiff = (expected: Float32Array, actual: ArrayLike<number> = []): number =>
  Math.max(...expected.map((value, index) => Math.abs(value - (actual[index] ?? Number.NaN))));

describe('inside figure, learned table', () => {
  it('is random before training, and has similar neighbours afterwards', async () => {
    const figure = await figureOf(kind, { encoding: 'learned', show: 'table' });
    const { cosinesBefore, cosinesAfter, neighbourCosine, recordedCosine } = figure.results as TableResults;
    expect(Math.abs(along(cosinesBefore, 1))).toBeLessThan(0.1);
    expect(along(cosinesAfter, 1)).toBeCloseTo(neighbourCosine, 4);
    expect(along(cosinesAfter, 1)).toBeGreaterThan(0.6);
    expect(along(cosinesAfter, 16)).toBeLessThan(0);
    expect(neighbourCosine).toBeCloseTo(recordedCosine, 3);
    expect(figure.proof()).toMatchObject({ good: true });
    expect(figure.scene().picture.description).toMatch(/Recorded, one seed \(1\)$/);
    expect(figure.readout()).toBe('After 400 steps: neighbouring positions have a mean cosine of 0.771');
    expect(figure.readout({ query: 1, key: 2 })).toMatch(/^Positions 1 and 2: cosine [−\d.]+ before training, [\d.]+ after 400 steps$/);
    expectAnswering(figure.scene(), 700);
    expectAnswering(figure.scene(330), 330);
  });

  it('trains live to the recorded result, and keeps its snapshots', async () => {
    const figureCache = new FigureCache();
    const created: Trainer[] = [];
    const countTrainer = async (spec: never) => {
      created.push(await createTrainerWorker(spec));
      return created.at(-1) as Trainer;
    };
    const { results, partialResults, spec } = await trainFigure({}, { cache: figureCache, createTrainer: countTrainer });
    expect(results.steps).toEqual(Array.from({ length: NUM_SNAPSHOTS + 1 }, (_, index) => 20 * index));
    expect(kind.proof(results, spec as never)).toMatchObject({ residual: expect.any(Number) });
    expect(Math.abs(results.neighbourCosine - results.recordedCosine)).toBeLessThan(0.01);
    expect(partialResults.length).toBeGreaterThan(NUM_SNAPSHOTS);
    expect(getDisplayedStep(partialResults[0] as TableResults)).toBe(0);
    const { picture } = kind.scene(partialResults[3] as TableResults, spec as never, { width: 600, theme: 'light' });
    expect(picture.description).toMatch(/Live, trained here, one seed \(1\): step \d+ of 400/);
    const earlyProof = kind.proof(partialResults[1] as TableResults, spec as never);
    expect(earlyProof.residual).toBeGreaterThan(earlyProof.tolerance);
    expect(created.every(({ disposed }) => disposed)).toBe(true);
    // An earlier snapshot needs no further step.
    const snapshotFigure = await trainFigure({ snapshot: 5 }, { cache: figureCache, createTrainer: countTrainer });
    expect([getDisplayedStep(snapshotFigure.results), snapshotFigure.partialResults.length, created.length]).toEqual([100, 0, 1]);
    expect(snapshotFigure.results.neighbourCosine).toBeLessThan(results.neighbourCosine);
    expect(kind.choose?.(snapshotFigure.results, snapshotFigure.spec as never, { snapshot: 7 })).toEqual({ snapshot: 7 });
    expectAnswering(kind.scene(snapshotFigure.results, snapshotFigure.spec as never, { width: 600, theme: 'light' }), 600);
    figureCache.dispose();
  });

  it('stops when aborted, and continues from there', async () => {
    const figureCache = new FigureCache();
    const result: Trainer[] = [];
    const countTrainer = async (spec: never) => {
      result.push(await createTrainerWorker(spec));
      return result.at(-1) as Trainer;
    };
    const end = new AbortController();
    const progress = (share: number): void => {
      if (share > 3 / 21) end.abort();
    };
    await expect(trainFigure({}, { cache: figureCache, createTrainer: countTrainer, signal: end.signal, progress })).rejects.toThrow(
      /cancelled/,
    );
    expect(result[0]?.disposed).toBe(false);
    const interruptedFigure = await trainFigure({ snapshot: 2 }, { cache: figureCache, createTrainer: countTrainer });
    expect([getDisplayedStep(interruptedFigure.results), result.length]).toEqual([40, 1]);
    const labels = kind.actions?.(interruptedFigure.results, interruptedFigure.spec as never).map(({ label }) => label);
    expect(labels).toContain('Continue training');
    const pace = new Pace();
    const stop = (share: number): void => {
      if (share > 7 / 21) pace.stop();
    };
    const resumedFigure = await trainFigure({}, { cache: figureCache, createTrainer: countTrainer, pace, progress: stop });
    expect(resumedFigure.results.steps.length).toBe(8);
    expect(result.length).toBe(1);
    // Another seed replaces the trainer.
    const otherPace = new Pace();
    await trainFigure({ seed: 2 }, { cache: figureCache, createTrainer: countTrainer, pace: otherPace, progress: () => otherPace.stop() });
    await new Promise((resolve) => setTimeout(resolve));
    expect(result.map(({ disposed }) => disposed)).toEqual([true, false]);
    figureCache.dispose();
    await new Promise((resolve) => setTimeout(resolve));
    expect(result.every(({ disposed }) => disposed)).toBe(true);
  });

  it('exports a Python program, and a program that trains', async () => {
    const { results, spec } = await trainFigure({ snapshot: 1 });
    const { python, phasor: program, data } = (await kind.loadPrograms()).code(spec as never, phasor.encodings, results);
    const [{ arrays }] = runPython([{ program: python, files: data, want: ['after'] }]) as [ReturnType<typeof runPython>[0]];
    expect(maxAbsDiff(results.cosinesAfter.data, arrays.after?.data)).toBeLessThan(0.5e-4);
    const body = program.replaceAll(/^import .*\n/gm, '');
    const variables = await new Function(
      'createPhasor',
      'createTrainer',
      'analysis',
      `return (async () => { ${body}\nreturn { before, after }; })();`,
    )(createPhasor, createTrainer, analysis);
    expect(maxAbsDiff(results.cosinesBefore.data, variables.before.data)).toBeLessThan(0.5e-3);
    expect(maxAbsDiff(results.cosinesAfter.data, variables.after.data)).toBeLessThan(0.5e-3);
    expect(python).toMatch(/^# Trained in the browser: --fresh/m);
    const recordedProgram = await (await figureOf(kind, { encoding: 'learned', show: 'table' })).code();
    expect(recordedProgram.python).toContain('as geometry_1d_learned.safetensors next to');
  });
});

describe('inside figure, learned bias', () => {
  it.each(['t5', 'kerple', 'fire', 'relative_bias'])('of %s depends on the distance, with the same curves in Python', async (encoding) => {
    const figure = await figureOf(kind, { encoding, show: 'table' });
    const { curves } = figure.results as BiasResults;
    expect(curves.shape).toEqual([HEADS, 64]);
    expect(figure.proof()).toMatchObject({ good: true });
    expectAnswering(figure.scene(), 700);
    const { python, data } = await figure.code();
    const [{ arrays, error }] = runPython([{ program: python, files: data, want: ['curves'] }]) as [ReturnType<typeof runPython>[0]];
    expect(error).toBeUndefined();
    const largest = Math.max(...curves.data.map(Math.abs));
    expect(maxAbsDiff(curves.data, arrays.curves?.data)).toBeLessThan(1e-4 * largest);
  });

  it('of T5 is largest for the previous one or two characters', async () => {
    const figure = await figureOf(kind, { encoding: 't5', show: 'table' });
    const { curves } = figure.results as BiasResults;
    expect(figure.readout()).toMatch(
      /^Largest bias: head 1 for the character before \([\d.]+\), head 2 for the one 2 characters back \([\d.]+\), head 3 /,
    );
    for (let head = 0; head < HEADS; head++) {
      const row = [...curves.data.subarray(head * 64, (head + 1) * 64)];
      expect([1, 2]).toContain(row.indexOf(Math.max(...row)));
      // Chapter 9 of the book says of all heads that the bias falls for about eight characters and then hardly changes.
      const farCosines = row.slice(8);
      expect(Math.max(...farCosines) - Math.min(...farCosines), `head ${head + 1}`).toBeLessThan(
        (Math.max(...row) - (row[8] as number)) / 3,
      );
    }
  });
});

// Attention of the heads of a model that is trained live.

import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, type Trainer } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import type { BiasResults } from '../../../web/figure/kinds/inside/bias.ts';
import type { HeadResults } from '../../../web/figure/kinds/inside/heads.ts';
import { HEADS, kind, LAYERS } from '../../../web/figure/kinds/inside/index.ts';
import { getDisplayedStep } from '../../../web/figure/kinds/inside/model.ts';
import { NUM_SNAPSHOTS } from '../../../web/figure/kinds/inside/snapshots.ts';
import { FigureCache } from '../../../web/figure/runtime/outcome.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { models } from './shipped.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

describe('inside figure, heads of a live model', () => {
  const novel = 'so it is said, and so it is that the lion and the rohan are in the tale. '.repeat(80);
  /** Trains, and stops `count` snapshots after the first. */
  async function trainFigure(fields: object, count: number, options: object = {}) {
    const spec = readSpec(kind as never, { encoding: 't5', run: 'live', text: 'so it is', ...fields });
    const partialResults: HeadResults[] = [];
    const pace = new Pace();
    const context = {
      engine: phasor,
      models,
      createTrainer: createTrainerWorker,
      corpus: async () => novel,
      partial: (results: object): void => void partialResults.push(results as HeadResults),
      pace,
      progress: (share: number): void => void (share >= (count + 1) / (NUM_SNAPSHOTS + 1) && pace.stop()),
      ...options,
    };
    return { results: (await kind.compute(spec as never, context as never)) as HeadResults, partialResults, spec };
  }
  /** A corpus that contains every symbol of the shipped models. */
  const withSymbols = async () => {
    const shipped = await models();
    const { text } = await shipped.find('text-t5');
    return `${novel}${text?.symbols ?? ''}`;
  };

  it('shows the heads of each snapshot, also for another text and in another view', async () => {
    const figureCache = new FigureCache();
    const corpus = await withSymbols();
    const created: Trainer[] = [];
    const createTrainer = async (spec: never) => {
      created.push(await createTrainerWorker(spec));
      return created.at(-1) as Trainer;
    };
    const options = { cache: figureCache, createTrainer, corpus: async () => corpus };
    const { results, partialResults, spec } = await trainFigure({ seed: 3 }, 2, options);
    expect(results).toMatchObject({ origin: 'live', steps: [0, 25, 50], snapshotIndex: 2, isRunning: false });
    expect(created.length).toBe(1);
    // Each intermediate result has the latest weights.
    expect(partialResults.map(getDisplayedStep)).toEqual([0, 25, 50]);
    expect(new Set(partialResults.map(({ maps }) => maps.data.join())).size).toBe(3);
    expect(partialResults.every((partial) => partial.isRunning && kind.proof(partial, spec as never).residual < 1e-5)).toBe(true);
    expect(kind.proof(results, spec as never).toleranceSource).toContain('on this page after 50 steps, with seed 3');
    // A separate trainer has the same weights.
    const trainer = await createTrainerWorker({ task: 'text', encoding: 't5', seed: 3, corpus });
    await trainer.step(25);
    const letters = [...'so it goes'];
    const { data } = await trainer.attentionWeights(await trainer.tokens('so it goes'));
    trainer.dispose();
    const untrained = await trainFigure({ seed: 3, snapshot: 1, text: 'so it goes' }, 9, options);
    expect([getDisplayedStep(untrained.results), untrained.partialResults.length, created.length]).toEqual([25, 0, 1]);
    expect(untrained.results.maps.shape).toEqual([LAYERS * HEADS, letters.length, letters.length]);
    untrained.results.maps.data.forEach((weight, index) => {
      if (!Number.isNaN(weight)) expect(weight).toBeCloseTo(data[index] as number, 5);
    });
    const biases = (await trainFigure({ seed: 3, show: 'table', snapshot: 0 }, 9, options)).results as unknown as BiasResults;
    expect([biases.show, getDisplayedStep(biases), created.length]).toEqual(['bias', 0, 1]);
    // Training continues where it stopped, with the same trainer.
    expect((await trainFigure({ seed: 3 }, 3, options)).results.steps).toEqual([0, 25, 50, 75]);
    expect(created.length).toBe(1);
    const labels = kind.actions?.(untrained.results, untrained.spec as never).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['Next head', 'Earlier', 'Later', 'Continue training', 'Show recording']));
    expect(kind.choose?.(results, spec as never, { snapshot: 1 })).toEqual({ snapshot: 1 });
    expect(kind.choose?.(results, spec as never, { snapshot: 3 })).toBeUndefined();
    expect(kind.readout(results, spec as never, { snapshot: 1 })).toBe('Show the model after 25 steps');
    for (const width of [700, 330]) expectAnswering(kind.scene(results, spec as never, { width, theme: 'light' }), width);
    const { description } = kind.scene(untrained.results, untrained.spec as never, { width: 700, theme: 'light' }).picture;
    expect(description).toContain('Live, trained here on “Pride and Prejudice” (Jane Austen, 1813), one seed (3): step 50 of 500.');
    expect(description).toContain('The model is shown after step 25.');
    figureCache.dispose();
    await new Promise((resolve) => setTimeout(resolve));
    expect(created.every(({ disposed }) => disposed)).toBe(true);
  });

  it('stays paused if another head is selected', async () => {
    const figureCache = new FigureCache();
    const corpus = await withSymbols();
    const options = { cache: figureCache, corpus: async () => corpus };
    const [pace, end] = [new Pace(), new AbortController()];
    const cancelledFigure = trainFigure({}, 9, {
      ...options,
      pace,
      signal: end.signal,
      progress: () => {},
      partial: () => pace.isPaused.peek() || pace.toggle(),
    });
    await expect.poll(() => pace.isPaused.peek()).toBe(true);
    end.abort();
    await expect(cancelledFigure).rejects.toThrow(/cancelled/);
    const next = new Pace();
    const drawnResults: HeadResults[] = [];
    const pendingFigure = trainFigure({ head: 1 }, 9, {
      ...options,
      pace: next,
      progress: () => {},
      partial: (partial: HeadResults) => void drawnResults.push(partial),
    });
    await expect.poll(() => drawnResults.length).toBe(1);
    expect(next.isPaused.peek()).toBe(true);
    next.stop();
    expect((await pendingFigure).results.steps).toEqual([0]);
    figureCache.dispose();
  });

  it('exports a program that trains to the same step and computes the same weights', async () => {
    const corpus = await withSymbols();
    const { results, spec } = await trainFigure({}, 1, { corpus: async () => corpus });
    const { phasor: program, python } = (await kind.loadPrograms()).code(spec as never, phasor.encodings, results);
    const body = program.replace(/^import .*\n/, '');
    const variables = await new Function('createTrainer', 'fetch', `return (async () => { ${body}\nreturn { weights }; })();`)(
      createTrainer,
      async (file: string) => new Response(file === 'pride-and-prejudice.txt' ? corpus : ''),
    );
    const [weights] = kind.tables(results, spec as never);
    (variables.weights.data as Float32Array).forEach((weight, index) => {
      const expected = weights?.tensor.data[index] as number;
      if (Number.isNaN(expected)) expect(weight).toBeNaN();
      else expect(weight).toBeCloseTo(expected, 5);
    });
    expect(python).toMatch(/^# Trained in the browser: --fresh/m);
  });

  it('is rejected on pages without the novel', async () => {
    await expect(trainFigure({}, 1, { corpus: undefined })).rejects.toThrow(/^run: live: this page does not include the novel/);
    const figure = await figureOf(kind, { encoding: 't5' });
    expect(kind.actions?.(figure.results, figure.spec as never).map(({ label }) => label)).not.toContain('Train');
  });
});

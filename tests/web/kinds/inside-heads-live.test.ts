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
  async function training(provided: object, count: number, more: object = {}) {
    const spec = readSpec(kind as never, { encoding: 't5', run: 'live', text: 'so it is', ...provided });
    const seen: HeadResults[] = [];
    const pace = new Pace();
    const context = {
      engine: phasor,
      models,
      createTrainer: createTrainerWorker,
      corpus: async () => novel,
      partial: (results: object): void => void seen.push(results as HeadResults),
      pace,
      progress: (share: number): void => void (share >= (count + 1) / (NUM_SNAPSHOTS + 1) && pace.stop()),
      ...more,
    };
    return { results: (await kind.compute(spec as never, context as never)) as HeadResults, seen, spec };
  }
  /** A corpus that contains every symbol of the shipped models. */
  const withSymbols = async () => {
    const shipped = await models();
    const { text } = await shipped.find('text-t5');
    return `${novel}${text?.symbols ?? ''}`;
  };

  it('shows the heads of each snapshot, also for another text and in another view', async () => {
    const stored = new FigureCache();
    const corpus = await withSymbols();
    const created: Trainer[] = [];
    const createTrainer = async (spec: never) => {
      created.push(await createTrainerWorker(spec));
      return created.at(-1) as Trainer;
    };
    const more = { cache: stored, createTrainer, corpus: async () => corpus };
    const { results, seen, spec } = await training({ seed: 3 }, 2, more);
    expect(results).toMatchObject({ origin: 'live', steps: [0, 25, 50], snapshotIndex: 2, isRunning: false });
    expect(created.length).toBe(1);
    // Each intermediate result has the latest weights.
    expect(seen.map(getDisplayedStep)).toEqual([0, 25, 50]);
    expect(new Set(seen.map(({ maps }) => maps.data.join())).size).toBe(3);
    expect(seen.every((one) => one.isRunning && kind.proof(one, spec as never).residual < 1e-5)).toBe(true);
    expect(kind.proof(results, spec as never).toleranceSource).toContain('on this page after 50 steps, with seed 3');
    // A separate trainer has the same weights.
    const alone = await createTrainerWorker({ task: 'text', encoding: 't5', seed: 3, corpus });
    await alone.step(25);
    const lettersOf = [...'so it goes'];
    const { data } = await alone.attentionWeights(await alone.tokens('so it goes'));
    alone.dispose();
    const before = await training({ seed: 3, snapshot: 1, text: 'so it goes' }, 9, more);
    expect([getDisplayedStep(before.results), before.seen.length, created.length]).toEqual([25, 0, 1]);
    expect(before.results.maps.shape).toEqual([LAYERS * HEADS, lettersOf.length, lettersOf.length]);
    before.results.maps.data.forEach((weight, at) => {
      if (!Number.isNaN(weight)) expect(weight).toBeCloseTo(data[at] as number, 5);
    });
    const biases = (await training({ seed: 3, show: 'table', snapshot: 0 }, 9, more)).results as unknown as BiasResults;
    expect([biases.show, getDisplayedStep(biases), created.length]).toEqual(['bias', 0, 1]);
    // Training continues where it stopped, with the same trainer.
    expect((await training({ seed: 3 }, 3, more)).results.steps).toEqual([0, 25, 50, 75]);
    expect(created.length).toBe(1);
    const labels = kind.actions?.(before.results, before.spec as never).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['Next head', 'Earlier', 'Later', 'Continue training', 'Show recording']));
    expect(kind.choose?.(results, spec as never, { snapshot: 1 })).toEqual({ snapshot: 1 });
    expect(kind.choose?.(results, spec as never, { snapshot: 3 })).toBeUndefined();
    expect(kind.readout(results, spec as never, { snapshot: 1 })).toBe('Show the model after 25 steps');
    for (const width of [700, 330]) expectAnswering(kind.scene(results, spec as never, { width, theme: 'light' }), width);
    const { description } = kind.scene(before.results, before.spec as never, { width: 700, theme: 'light' }).picture;
    expect(description).toContain('Live, trained here on “Pride and Prejudice” (Jane Austen, 1813), one seed (3): step 50 of 500.');
    expect(description).toContain('The model is shown after step 25.');
    stored.dispose();
    await new Promise((resolve) => setTimeout(resolve));
    expect(created.every(({ disposed }) => disposed)).toBe(true);
  });

  it('stays paused if another head is selected', async () => {
    const saved = new FigureCache();
    const corpus = await withSymbols();
    const more = { cache: saved, corpus: async () => corpus };
    const [pace, end] = [new Pace(), new AbortController()];
    const left = training({}, 9, {
      ...more,
      pace,
      signal: end.signal,
      progress: () => {},
      partial: () => pace.isPaused.peek() || pace.toggle(),
    });
    await expect.poll(() => pace.isPaused.peek()).toBe(true);
    end.abort();
    await expect(left).rejects.toThrow(/cancelled/);
    const next = new Pace();
    const drawn: HeadResults[] = [];
    const going = training({ head: 1 }, 9, {
      ...more,
      pace: next,
      progress: () => {},
      partial: (one: HeadResults) => void drawn.push(one),
    });
    await expect.poll(() => drawn.length).toBe(1);
    expect(next.isPaused.peek()).toBe(true);
    next.stop();
    expect((await going).results.steps).toEqual([0]);
    saved.dispose();
  });

  it('exports a program that trains to the same step and computes the same weights', async () => {
    const corpus = await withSymbols();
    const { results, spec } = await training({}, 1, { corpus: async () => corpus });
    const { phasor: program, python } = (await kind.loadPrograms()).code(spec as never, phasor.encodings, results);
    const body = program.replace(/^import .*\n/, '');
    const left = await new Function('createTrainer', 'fetch', `return (async () => { ${body}\nreturn { weights }; })();`)(
      createTrainer,
      async (file: string) => new Response(file === 'pride-and-prejudice.txt' ? corpus : ''),
    );
    const [weights] = kind.tables(results, spec as never);
    (left.weights.data as Float32Array).forEach((weight, at) => {
      const shown = weights?.tensor.data[at] as number;
      if (Number.isNaN(shown)) expect(weight).toBeNaN();
      else expect(weight).toBeCloseTo(shown, 5);
    });
    expect(python).toMatch(/^# Trained in the browser: --fresh/m);
  });

  it('is rejected on pages without the novel', async () => {
    await expect(training({}, 1, { corpus: undefined })).rejects.toThrow(/^run: live: this page does not include the novel/);
    const figure = await figureOf(kind, { encoding: 't5' });
    expect(kind.actions?.(figure.results, figure.spec as never).map(({ label }) => label)).not.toContain('Train');
  });
});

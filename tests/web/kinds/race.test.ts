// The race figure: encodings that learn the same task, recorded or trained live by the real trainer.

import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, type Trainer } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import type { Results } from '../../../web/figure/kinds/race/curves.ts';
import { getLastScores } from '../../../web/figure/kinds/race/curves.ts';
import { kind } from '../../../web/figure/kinds/race/index.ts';
import { trainRace } from '../../../web/figure/kinds/race/live.ts';
import { getRecording } from '../../../web/figure/kinds/race/recording.ts';
import { ENCODING_NAMES } from '../../../web/figure/kinds/race/strings.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

async function trainFigure(fields: object, options: object = {}) {
  const spec = readSpec(kind as never, { run: 'live', ...fields });
  const partialResults: Results[] = [];
  const partial = (results: object): void => void partialResults.push(results as Results);
  const results = await kind.compute(spec as never, { engine: phasor, createTrainer: createTrainerWorker, partial, ...options } as never);
  return { results, partialResults, spec };
}

describe('race figure', () => {
  it('shows the recorded results and labels them as recorded', async () => {
    const figure = await figureOf(kind, {});
    const last = ['none', 'alibi', 'learned', 'rope'].map((_, line) => getLastScores(figure.results, line)[0]);
    expect(Math.max(last[0] as number, last[1] as number)).toBeLessThan(0.65);
    expect(Math.min(last[2] as number, last[3] as number)).toBeGreaterThan(0.95);
    expect(figure.scene().picture.description).toMatch(/Recorded, one seed \(1\)$/);
    expect(figure.readout()).toMatch(/^Step 400: no encoding 0\.\d+, ALiBi .*; chance 0\.500$/);
    expect(figure.readout({ step: 0, line: 3 })).toMatch(/^Step 20: RoPE 0\.\d+; chance 0\.500$/);
    expect(figure.proof().good).toBe(true);
  });

  it('has a recording of every line and task with the config of the trainer', async () => {
    for (const task of ['order', 'copy'] as const) {
      const ids = ENCODING_NAMES.map(([id]) => id);
      const { lines, getTrainConfig } = getRecording(task, ids);
      expect(lines.every((line) => line?.score.length === 3)).toBe(true);
      const spec = getTrainConfig(6, 2);
      const trainer = await createTrainer({ task, encoding: 'rope', seed: 2 });
      expect(spec).toEqual(trainer.config);
      trainer.dispose();
    }
  });

  it.each([{}, { task: 'copy', metric: 'loss' }, { seeds: 3, encodings: 'none, none_causal, learned, sinusoidal, t5, rope' }])(
    'responds to the pointer and arrow keys (case %#)',
    async (input) => {
      const figure = await figureOf(kind, input);
      expectAnswering(figure.scene(), 700);
      expectAnswering(figure.scene(330), 330);
    },
  );

  it('draws three seeds as a mean with a band', async () => {
    const { results, proof, tables } = await figureOf(kind, { seeds: 3 });
    // The proof detects a seed whose scores are those of another line.
    expect(proof()).toMatchObject({ good: true });
    const { score } = results.values;
    const changedResults = {
      ...results,
      values: { ...results.values, score: [[score[0][0], score[0][1], score[3][2]], ...score.slice(1)] },
    };
    const { residual, tolerance } = kind.proof(changedResults as never, {} as never);
    expect(residual).toBeGreaterThan(tolerance);
    expect(tables().map(({ name }) => name)).toEqual(['score', 'loss', 'low', 'high']);
    results.score.data.forEach((mean: number, index: number) => {
      expect(mean).toBeGreaterThanOrEqual(results.low.data[index] - 1e-6);
      expect(mean).toBeLessThanOrEqual(results.high.data[index] + 1e-6);
    });
    expect([...results.low.data]).not.toEqual([...results.high.data]);
  });

  // tests/browser/race.spec.ts covers the end of training in a page.
  it('draws partial results of live training without missing values', async () => {
    const pace = new Pace();
    const progress = (share: number): void => {
      if (share > 0.2) pace.stop();
    };
    const { results, partialResults, spec } = await trainFigure({ encodings: 'none, rope', budget: '60' }, { pace, progress });
    expect(partialResults.length).toBeGreaterThan(2);
    for (const partial of [partialResults[0], partialResults.at(-1)] as Results[]) {
      const { picture } = kind.scene(partial, spec as never, { width: 600, theme: 'light' });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(picture.description).toMatch(/Live, trained here, one seed \(1\): step \d+ of \d+/);
    }
    expect(results.isRunning).toBe(false);
  });

  it('pauses, advances by single points, and keeps its points when stopped', async () => {
    const pace = new Pace();
    const completedSteps: number[] = [];
    const progress = (): void => {
      completedSteps.push(1);
      if (completedSteps.length === 2) pace.toggle();
    };
    const run = trainFigure({ encodings: 'none, rope' }, { pace, progress });
    while (completedSteps.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const settled = async (): Promise<number> => {
      for (let previousCount = -1; previousCount !== completedSteps.length; await new Promise((resolve) => setTimeout(resolve, 400)))
        previousCount = completedSteps.length;
      return completedSteps.length;
    };
    const paused = await settled();
    pace.step();
    while (completedSteps.length === paused) await new Promise((resolve) => setTimeout(resolve, 20));
    const next = await settled();
    expect(next).toBeGreaterThan(paused);
    expect(next).toBeLessThanOrEqual(paused + 2);
    pace.stop();
    const { results } = await run;
    expect(results.values.score.flat(2).length).toBe(completedSteps.length);
    expect(results.isRunning).toBe(false);
  });

  it('disposes of its workers when the signal aborts', async () => {
    const created: Trainer[] = [];
    const end = new AbortController();
    const countTrainer = async (spec: never) => {
      created.push(await createTrainerWorker(spec));
      return created.at(-1) as Trainer;
    };
    const progress = (): void => end.abort();
    await expect(trainFigure({}, { createTrainer: countTrainer, signal: end.signal, progress })).rejects.toThrow(/cancelled/);
    expect(created.length).toBe(8); // each line is timed first
    expect(created.every(({ disposed }) => disposed)).toBe(true);
  });

  it('trains one line at a time if no more workers start, and starts none after a stop', async () => {
    const pace = new Pace();
    const result: Trainer[] = [];
    const limitedTrainer = async (spec: never) => {
      if (result.some(({ disposed }) => !disposed)) throw new Error('no more workers');
      result.push(await createTrainerWorker(spec));
      return result.at(-1) as Trainer;
    };
    const reportProgress = (share: number): void => {
      if (share > 0.5) pace.stop(); // the second seed has started
    };
    const smallConfig = { task: 'order', embedDim: 8, heads: 1, sequenceLength: 8, batchSize: 4 };
    const configs = [smallConfig, { ...smallConfig, encoding: 'rope' }];
    const options = {
      configs,
      seeds: [1, 2],
      maxSteps: 400,
      maxSeconds: 60,
      createTrainer: limitedTrainer,
      context: { pace },
      reportProgress,
      onStateChange: () => {},
    };
    const { isSequential, values } = await trainRace(options as never);
    expect(isSequential).toBe(true);
    expect(values.score.map(([first = []]) => first.length)).toEqual([20, 20]);
    expect(result.length).toBe(2 + 2 + 1); // two timings, both lines of the first seed, and the stopped one
    expect(result.every(({ disposed }) => disposed)).toBe(true);
  });

  it('exports a training program with the same results, and the config for PyTorch', async () => {
    const figure = await figureOf(kind, { encodings: 'none, rope', seeds: 2 });
    const { phasor: program, python, data } = await figure.code();
    expect(python).toContain('# Recorded, seeds 1 and 2: npm run train -- order ');
    const shortProgram = program.replace(/^import .*\n/, '').replaceAll(/point < 20|length: 20/g, (text) => text.replace('20', '2'));
    const { score, low } = await new Function('createTrainer', `return (async () => { ${shortProgram}\nreturn { score, low }; })();`)(
      createTrainer,
    );
    expect(score.data.length).toBe(4);
    [0, 1].forEach((point) => {
      expect(score.data[2 + point]).toBeCloseTo(figure.results.score.data[20 + point], 1);
      expect(low.data[point]).toBeLessThanOrEqual(score.data[point]);
    });
    expect(python).toMatch(/^# One of the lines is rope;/m);
    expect(python).toContain('python transformer.py order_rope.json --fresh\n');
    expect(JSON.parse(data['order_rope.json'] as string)).toMatchObject({ task: 'order', encoding: { id: 'rope' } });
  });

  it('warns before and during 60 s of training, but not for less time or without a trainer', async () => {
    const message = async (fields: Record<string, unknown>, options: object, means: object = { createTrainer }) => {
      const spec = readSpec(kind as never, fields);
      const results = { ...(await kind.compute(spec as never, means as never)), ...options };
      return [kind.readout(results as never, spec as never, {}), kind.readout(results as never, spec as never, { step: 3 })];
    };
    const warning = /^Step \d+: .*\. Training uses all cores for 60 s. You can stop it$/;
    const longFields = { budget: '60' };
    for (const options of [{}, { origin: 'live', isRunning: true }]) {
      const [fullMessage, cursorMessage] = await message(longFields, options);
      expect(fullMessage).toMatch(warning);
      expect(cursorMessage).not.toContain('battery');
    }
    for (const silentFields of [
      await message(longFields, { origin: 'live' }),
      await message(longFields, {}, {}),
      await message({ budget: '30' }, {}),
      await message({}, {}),
    ]) {
      expect(silentFields.join()).not.toContain('battery');
    }
  });

  it.each([
    [{ encodings: 'rope' }, /has too few encodings; expected at least two/],
    [{ encodings: 'rope, nope' }, /nope. is not/],
    [{ seed: 7 }, /^seed: only seeds 1 to 3 were recorded/],
    [{ run: 'live' }, /^run: live: training is unavailable on this page/],
  ])('rejects %j with one sentence', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });
});

// The shipped language model with changed positions as a figure: losses, next tokens, costs of layers, and errors.
import { describe, expect, it } from 'vitest';
import { createPhasor } from '../../../web/engine/node.ts';
import type { PositionChange } from '../../../web/engine/types/model-changes.ts';
import type { KindContext, LanguageModel } from '../../../web/figure/contract/context.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { CHANGES } from '../../../web/figure/kinds/model-change/changes.ts';
import { code } from '../../../web/figure/kinds/model-change/code.ts';
import { kind } from '../../../web/figure/kinds/model-change/index.ts';
import { keepLastTokens } from '../../../web/figure/kinds/model-change/passages.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { toAsyncEngine } from '../../../web/figure/runtime/promised-engine.ts';
import { runPython } from '../python/run.ts';
import { languageModel, novel } from './language-model.ts';

const engine = toAsyncEngine(await createPhasor({ variant: 'simd' }));
const figure = async (fields: object = {}, contextFields: Partial<KindContext> = {}) => {
  const spec = readSpec(kind, fields as never);
  const context = { engine, languageModel, corpus: novel, ...contextFields } as KindContext;
  return { spec, results: await kind.compute(spec, context) };
};
const lossAt = (
  { lengths, loss }: { lengths: readonly number[]; loss: readonly (readonly number[])[] },
  line: number,
  length: number,
): number => loss[line]?.[lengths.indexOf(length)] as number;

/** Wraps the language model and reports each run to `onRun`. */
async function watchRuns(onRun: (changes: readonly PositionChange[], tokens: number) => void): Promise<LanguageModel> {
  const openedModel = await languageModel();
  const run = (ids: ArrayLike<number>, options: { changes?: readonly PositionChange[] }) => {
    onRun(options.changes ?? [], ids.length);
    return openedModel.model.run(ids, options as never);
  };
  return { ...openedModel, model: { info: openedModel.model.info, run } as never };
}

describe('model-change figure', () => {
  it('shows a loss that grows beyond the trained length and without positions, but not with clipped distances', async () => {
    const { spec, results } = await figure();
    expect(results.lines).toEqual(['trained', 'none', 'changed']);
    expect([results.trainedLength, results.amount, results.completedPassageCount, results.passageCount]).toEqual([128, 100, 8, 8]);
    const trained = lossAt(results, 0, 128);
    expect(lossAt(results, 0, 512) - trained).toBeGreaterThan(1);
    expect(lossAt(results, 1, 128) - trained).toBeGreaterThan(1);
    expect(Math.abs(lossAt(results, 2, 512) - trained)).toBeLessThan(0.1);
    // The clip of 100 does not affect 96 tokens.
    expect(lossAt(results, 2, 96)).toBeCloseTo(lossAt(results, 0, 96), 5);
    expect(results.totalCost).toBeCloseTo(lossAt(results, 1, 128) - trained, 6);
    expect(results.layerCosts).toHaveLength(4);
    for (const cost of results.layerCosts) expect(cost).toBeGreaterThan(0.05);
    expect(Math.max(...results.layerCosts)).toBeLessThan(results.totalCost);
    const [trainedGuess, noneGuess, clippedGuess] = results.guesses.map(([first]) => first);
    expect([trainedGuess?.text, noneGuess?.text, clippedGuess?.text]).toEqual([' you', ' to', ' you']);
    expect(Math.exp(trainedGuess?.logProbability as number)).toBeGreaterThan(0.9);
    expect(results.residual).toBeLessThan(1e-5);
    expect(kind.readout(results, spec, {})).toMatch(
      /^After 512 tokens the loss is [\d.]+ as trained; [\d.]+ without positions; .*Next token: “you” 98% as trained/,
    );
    expect(kind.readout(results, spec, { layer: 3 })).toMatch(
      /^With positions removed from layer 4 only, the loss after 128 tokens changes by \+0\.\d+ nats$/,
    );
    expect(kind.readout(results, spec, { line: 1, guess: 1 })).toMatch(/^Next token without positions: “you” with \d+%$/);
    expect(kind.choose?.(results, spec, { layer: 3 })).toEqual({ change: 'none', amount: 0, layer: 4 });
    expect(kind.choose?.(results, spec, { layer: 4 })).toBeUndefined();
  });

  it('has two lines without positions, and three if only one layer loses them', async () => {
    const unchangedFigure = await figure({ change: 'none', longest: 64 });
    expect(unchangedFigure.results.lines).toEqual(['trained', 'none']);
    const { results } = await figure({ change: 'none', layer: 2, longest: 128 });
    expect(results.lines).toEqual(['trained', 'none', 'changed']);
    // The line agrees with the cost of this layer.
    expect(lossAt(results, 2, 128) - lossAt(results, 0, 128)).toBeCloseTo(results.layerCosts[1] as number, 6);
  });

  it.each(CHANGES)('proves the identity of %s, and exports a program that computes the same values', async (change) => {
    const { spec, results } = await figure({ change, longest: 64, text: 'Elizabeth smiled' });
    expect(results.residual).toBeLessThan(1e-5);
    expect(kind.readout(results, spec, {})).not.toMatch(/NaN|undefined/);
    const { python, data } = code(spec, [], results);
    const tables = kind.tables(results, spec);
    const [result] = runPython([{ program: python, files: data, want: tables.map(({ name }) => name) }]);
    expect(result?.error).toBeUndefined();
    for (const { name, tensor } of tables) {
      expect(result?.arrays[name]?.shape, name).toEqual(tensor.shape);
      result?.arrays[name]?.data.forEach((value, index) => {
        expect(value, name).toBeCloseTo(tensor.data[index] as number, 5);
      });
    }
    expect(python).toContain('def changed(folder):');
  });

  it('has the same loss with shifted positions, and a higher one with reversed positions', async () => {
    const { results } = await figure({ change: 'shift', longest: 64 });
    expect(results.amount).toBe(1000);
    expect(lossAt(results, 2, 64)).toBeCloseTo(lossAt(results, 0, 64), 4);
    const { results: reversedResults } = await figure({ change: 'reverse', longest: 64 });
    expect(lossAt(reversedResults, 2, 64) - lossAt(reversedResults, 0, 64)).toBeGreaterThan(0.5);
  });
});

it('measures only new lines, and all lines of a length before the next length', async () => {
  const runs: [string, number][] = [];
  const model = await watchRuns((changes, tokens) => runs.push([changes[0]?.kind ?? 'trained', tokens]));
  const sharedContext = { languageModel: async () => model };
  await figure({ change: 'none', longest: 96 }, sharedContext);
  const losses = runs.filter(([, tokens]) => tokens >= 48);
  expect(losses.slice(0, 6).map(([change, tokens]) => `${change} ${tokens}`)).toEqual([
    'trained 48',
    'none 48',
    'trained 64',
    'none 64',
    'trained 96',
    'none 96',
  ]);
  const runCount = runs.length;
  const { results } = await figure({ change: 'window', longest: 96 }, sharedContext);
  expect(runs.slice(runCount).filter(([change, tokens]) => change === 'none' && tokens >= 48)).toEqual([]);
  expect(results.loss.flat().every(Number.isFinite)).toBe(true);
});

it('rejects when aborted, and keeps partial results when stopped', async () => {
  const controller = new AbortController();
  let runs = 0;
  const countingModel = await watchRuns(() => {
    runs += 1;
    if (runs === 12) controller.abort();
  });
  await expect(figure({ longest: 64 }, { languageModel: async () => countingModel, signal: controller.signal })).rejects.toThrow();
  expect(runs).toBe(12);

  const pace = new Pace();
  let runCount = 0;
  const abortingModel = await watchRuns(() => {
    runCount += 1;
    if (runCount === 30) pace.stop();
  });
  const { spec, results } = await figure({ longest: 64 }, { languageModel: async () => abortingModel, pace });
  expect(results.completedPassageCount).toBeLessThan(8);
  expect(results.isRunning).toBe(false);
  // The readout is for a length that all lines have completed.
  expect(kind.readout(results, spec, {})).toMatch(/^After (48|64) tokens the loss is/);
  expect(kind.readout(results, spec, {})).not.toMatch(/NaN|undefined/);
  expect(JSON.stringify(kind.scene(results, spec, { width: 400, theme: 'light' }).picture)).not.toMatch(/NaN|undefined/);
});

it('draws partial results from the first value on', async () => {
  const partialResults: object[] = [];
  const slowModel = await watchRuns(() => {
    const deadline = performance.now() + 320;
    while (performance.now() < deadline);
  });
  const pace = new Pace();
  const { spec } = await figure(
    { longest: 64 },
    {
      languageModel: async () => slowModel,
      pace,
      partial: (results) => {
        partialResults.push(results);
        if (partialResults.length === 3) pace.stop();
      },
    },
  );
  expect(partialResults).toHaveLength(3);
  for (const results of partialResults as Awaited<ReturnType<typeof figure>>['results'][]) {
    expect(results.isRunning).toBe(true);
    expect(JSON.stringify(kind.scene(results, spec, { width: 900, theme: 'dark' }).picture)).not.toMatch(/NaN|undefined/);
    expect(kind.readout(results, spec, {})).not.toMatch(/NaN|undefined/);
  }
});

it('keepLastTokens keeps a token that marks the beginning of a text', () => {
  const isSpecial = (id: number): boolean => id === 2;
  expect(keepLastTokens([2, 5, 6, 7, 8], 3, isSpecial)).toEqual([2, 7, 8]);
  expect(keepLastTokens([5, 6, 7, 8], 3, isSpecial)).toEqual([6, 7, 8]);
  expect(keepLastTokens([2, 5], 3, isSpecial)).toEqual([2, 5]);
});

it.each([
  [{ layer: 5 }, 'layer: 5 is too large; expected 0 to 4, the number of layers'],
  [{ head: 9 }, 'head: 9 is too large; expected 0 to 8, the number of heads per layer'],
  [{ change: 'none', amount: 3 }, 'amount: not used by the change none; expected 0'],
  [{ change: 'still_slow', amount: 9 }, 'amount: 9 is too large; expected at most 8, the number of pairs per head'],
  [{ change: 'clip', amount: 0.5 }, 'change: '],
  [{ change: 'linear', amount: 0.5 }, 'change: '],
  [{ text: '' }, 'text: has 0 tokens for this model; expected at least 1'],
  [{ text: 'It was. '.repeat(120) }, 'tokens for this model; expected at most 300'],
])('rejects %j with the name of the field', async (fields, sentence) => {
  await expect(figure(fields)).rejects.toThrow(sentence);
});

it('is rejected without a language model, next-token predictions or a tokenizer', async () => {
  await expect(figure({}, { languageModel: undefined })).rejects.toThrow('this page has no language model');
  const openedModel = await languageModel();
  const encoder = { ...openedModel, model: { info: { ...openedModel.model.info, causal: false, modelType: 'bert' } } } as never;
  await expect(figure({}, { languageModel: async () => encoder })).rejects.toThrow('model: bert does not predict the next token');
  const { tokenizer: _, ...modelWithoutTokenizer } = openedModel;
  await expect(
    figure({ text: '3 4' }, { languageModel: async () => ({ ...modelWithoutTokenizer, tokenizerProblem: 'There is none.' }) }),
  ).rejects.toThrow('longest: the novel cannot be read without a tokenizer. There is none.');
});

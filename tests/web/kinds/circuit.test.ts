// The emergence of a circuit, recorded and trained live, and the effect of removing a head.
import { describe, expect, it } from 'vitest';
import { largestDifference } from '../../../web/charts/grid.ts';
import { createTrainer, createTrainerWorker } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import {
  fields,
  findEmergencePoint,
  findLastCompletePoint,
  NUM_POINTS,
  type Results,
  type Spec,
} from '../../../web/figure/kinds/circuit/compute.ts';
import { kind } from '../../../web/figure/kinds/circuit/index.ts';
import { findLikeliestWord, type ModelView } from '../../../web/figure/kinds/circuit/model.ts';
import { createConfig, findRecordedLine, findRecordedView, STEPS } from '../../../web/figure/kinds/circuit/recording.ts';
import { describeModel } from '../../../web/figure/kinds/circuit/scene.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { models } from './shipped.ts';
import { phasor } from './table-figures.ts';

async function shown(provided: { readonly [field: string]: string }, more: object = {}) {
  const spec = readSpec(kind as never, provided) as Spec;
  const results = await kind.compute(spec, { engine: phasor, models, createTrainer: createTrainerWorker, ...more } as never);
  return { spec, results, scene: (width = 800) => kind.scene(results, spec, { width, theme: 'light' }) };
}

describe('recording of the circuit figure', () => {
  it('shows a circuit that emerges suddenly with RoPE, and none without positions', async () => {
    const { results } = await shown({});
    const at = findEmergencePoint(results, 0) as number;
    expect(STEPS[at]).toBeGreaterThan(100);
    expect(findEmergencePoint(results, 1)).toBeUndefined();
    const before = at - 3;
    const after = at + 2;
    // The loss drops from its plateau within five points.
    expect(results.loss.data[before]).toBeGreaterThan(2.3);
    expect(results.loss.data[after]).toBeLessThan(0.5);
    expect(results.previous.data[before]).toBeLessThan(0.15);
    expect(results.previous.data[after]).toBeGreaterThan(0.9);
    expect(kind.proof(results, {} as never).residual).toBeLessThan(0.05);
  });

  it('draws the second and third seed as thin lines behind the first', async () => {
    for (const id of ['none', 'rope', 'alibi', 'learned']) {
      const { seeds } = findRecordedLine(id);
      expect(seeds.map(({ loss, previous, matching }) => [loss.length, previous.length, matching.length])).toEqual(
        Array.from({ length: 3 }, () => [NUM_POINTS, NUM_POINTS, NUM_POINTS]),
      );
    }
    const { results, scene } = await shown({});
    expect(results.seedCurves.map((seeds) => seeds.length)).toEqual([2, 2]);
    // Two lines of loss and four of scores, for two seeds each.
    const thin = scene().picture.marks.filter((mark) => 'key' in mark && `${mark.key}`.includes('behind-'));
    expect(thin).toHaveLength(12);
    expect(scene().picture.description).toContain('Thin lines: recorded runs with seeds 2 and 3.');
    const otherBase = fields.encoding.print({ id: 'rope', base: 500 } as never) as string;
    expect((await shown({ encoding: otherBase })).results.seedCurves).toEqual([]);
  });

  it('has a view of the text at every point, close to the shipped models at the last', async () => {
    const { results: last } = await shown({});
    for (const [line, id] of ['rope', 'none'].entries()) {
      const [recorded, model] = [findRecordedView(id, NUM_POINTS - 1), last.models[line]] as [ModelView, ModelView];
      expect([recorded.previousTokenHead, recorded.copyingHead]).toEqual([model.previousTokenHead, model.copyingHead]);
      // The shipped models were trained natively, with sums in another order.
      expect(recorded.maps.shape).toEqual(model.maps.shape);
      for (const scores of ['previous', 'matching'] as const) expect(largestDifference(recorded[scores], model[scores])).toBeLessThan(0.1);
      expect(recorded.accuracy).toBeCloseTo(model.accuracy, 1);
      expect(findLikeliestWord(recorded)).toBe(findLikeliestWord(model));
    }
    const { results, spec, scene } = await shown({ snapshot: '2' });
    expect(results.models.map(({ step }) => step)).toEqual([STEPS[2], STEPS[2]]);
    expect(describeModel(results, 0, spec).join(' ')).toMatch(/No circuit: the best previous-token head/);
    expect(JSON.stringify(scene().picture.marks)).not.toMatch(/NaN|undefined/);
  });

  it('shows its text at every point, but other texts and removed heads only at the last', async () => {
    const { results, spec } = await shown({ ablatedHead: '1' });
    expect(kind.choose?.(results, spec, { step: 4 })).toEqual({ snapshot: 4, ablatedHead: 0 });
    const early = await shown({ snapshot: '4' });
    expect(kind.choose?.(early.results, early.spec, { head: 2 })).toEqual({
      ablatedHead: 3,
      ablatedModel: 'first',
      snapshot: NUM_POINTS - 1,
    });
    await expect(shown({ snapshot: '4', ablatedHead: '1' })).rejects.toThrow(
      'ablatedHead: requires the last snapshot, the only one with recorded weights; expected 0 for earlier snapshots',
    );
    const own = await shown({ snapshot: '4', text: 'sun moon sun' });
    expect(own.results.models[0]?.step).toBe(STEPS.at(-1));
    expect(own.scene().picture.description).toContain('Earlier steps were recorded with “to be or not to”');
    expect(kind.choose?.(own.results, own.spec, { step: 4 })).toBeUndefined();
  });

  it('has the current config of the trainer', async () => {
    expect(STEPS.length).toBe(NUM_POINTS);
    const trainer = await createTrainer({ task: 'induction', encoding: 'rope', seed: 3 });
    expect(createConfig(findRecordedLine('rope').encoding as never, 3)).toEqual(trainer.config);
    trainer.dispose();
  });
});

describe('removed head', () => {
  it('degrades the prediction, unlike the other heads of its layer', async () => {
    const { results } = await shown({});
    const { previousTokenHead, heads, matching } = results.models[0] as Results['models'][number];
    for (const ablation of ['zero', 'mean']) {
      const { results: less, spec } = await shown({ ablatedHead: String(previousTokenHead + 1), ablation });
      const { withoutHead, withoutOtherHeads } = less.ablationEffect as NonNullable<Results['ablationEffect']>;
      const best = (scores: readonly number[]): number => Math.max(...scores.slice(heads));
      expect(best(matching)).toBeGreaterThan(0.9);
      expect(best(withoutHead.matching)).toBeLessThan(0.3);
      expect(withoutHead.accuracy).toBeLessThan(0.5);
      expect(best(withoutOtherHeads.matching)).toBeGreaterThan(0.6);
      expect(withoutOtherHeads.accuracy).toBeGreaterThan(0.8);
      expect(describeModel(less, 0, spec).join(' ')).toMatch(/Without head 4 of layer 1: “be” \d+% → \d+%/);
      // The model without removed heads is unchanged.
      expect(less.models).toEqual(results.models);
    }
  });

  it('is selected and restored in the picture', async () => {
    const { results, spec } = await shown({});
    const second = { ablatedHead: 6, ablatedModel: 'second', snapshot: NUM_POINTS - 1 };
    expect(kind.choose?.(results, spec, { otherHead: 5 })).toEqual(second);
    const less = await shown({ ablatedHead: '6', ablatedModel: 'second' });
    expect(kind.choose?.(less.results, less.spec, { otherHead: 5 })).toEqual({ ablatedHead: 0 });
    expect(kind.choose?.(less.results, less.spec, { head: 5 })).toEqual({ ...second, ablatedModel: 'first' });
  });
});

describe('text of the circuit figure', () => {
  it.each([
    ['🙂 🙃 🙂', /Prediction after “.*”: “🙃”/],
    ['one two three', /No word occurs twice/],
    ['to be to or', /“or” is new/],
    [Array.from({ length: 300 }, (_, at) => `w${at % 9}`).join(' '), /Prediction after/],
  ] as const)('describes the prediction for %s', async (text, sentence) => {
    const { results, spec, scene } = await shown({ text: text.slice(0, 600) });
    expect(describeModel(results, 0, spec).join(' ')).toMatch(sentence);
    for (const width of [800, 340]) expect(JSON.stringify(scene(width).picture.marks)).not.toMatch(/NaN|undefined/);
  });

  it('rejects equal encodings, unrecorded seeds, and an encoding without a model', async () => {
    await expect(shown({ other: 'rope' })).rejects.toThrow('other: same as the first encoding; expected a different encoding');
    await expect(shown({ seed: '7' })).rejects.toThrow('seed: no model with seed 7 was recorded');
    await expect(shown({ other: 'shaw' })).rejects.toThrow(/^other: no model with “shaw” was recorded/);
  });
});

it('trains live, shows intermediate results, and keeps them when stopped', async () => {
  const pace = new Pace();
  const seen: Results[] = [];
  const progress = (share: number): void => {
    if (share > 0.03) pace.stop();
  };
  const { results, spec, scene } = await shown(
    { run: 'live', seed: '5' },
    { pace, progress, partial: (one: Results) => void seen.push(one) },
  );
  expect(seen.at(-1)?.isRunning).toBe(true);
  expect(results.isRunning).toBe(false);
  const last = findLastCompletePoint(results);
  expect(last).toBeGreaterThanOrEqual(0);
  expect(last).toBeLessThan(NUM_POINTS - 1);
  expect(results.models.map(({ step }) => step)).toEqual([STEPS[last], STEPS[last]]);
  expect(scene().picture.description).toMatch(/Live, trained here, one seed \(5\): step \d+ of 1,000/);
  expect(kind.proof(results, spec).residual).toBeGreaterThan(0.1);
});

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

async function computeView(fields: { readonly [field: string]: string }, more: object = {}) {
  const spec = readSpec(kind as never, fields) as Spec;
  const results = await kind.compute(spec, { engine: phasor, models, createTrainer: createTrainerWorker, ...more } as never);
  return { spec, results, scene: (width = 800) => kind.scene(results, spec, { width, theme: 'light' }) };
}

describe('recording of the circuit figure', () => {
  it('shows a circuit that emerges suddenly with RoPE, and none without positions', async () => {
    const { results } = await computeView({});
    const emergencePoint = findEmergencePoint(results, 0) as number;
    expect(STEPS[emergencePoint]).toBeGreaterThan(100);
    expect(findEmergencePoint(results, 1)).toBeUndefined();
    const earlierPoint = emergencePoint - 3;
    const laterPoint = emergencePoint + 2;
    // The loss drops from its plateau within five points.
    expect(results.loss.data[earlierPoint]).toBeGreaterThan(2.3);
    expect(results.loss.data[laterPoint]).toBeLessThan(0.5);
    expect(results.previous.data[earlierPoint]).toBeLessThan(0.15);
    expect(results.previous.data[laterPoint]).toBeGreaterThan(0.9);
    expect(kind.proof(results, {} as never).residual).toBeLessThan(0.05);
  });

  it('draws the second and third seed as thin lines behind the first', async () => {
    for (const id of ['none', 'rope', 'alibi', 'learned']) {
      const { seeds } = findRecordedLine(id);
      expect(seeds.map(({ loss, previous, matching }) => [loss.length, previous.length, matching.length])).toEqual(
        Array.from({ length: 3 }, () => [NUM_POINTS, NUM_POINTS, NUM_POINTS]),
      );
    }
    const { results, scene } = await computeView({});
    expect(results.seedCurves.map((seeds) => seeds.length)).toEqual([2, 2]);
    // Two lines of loss and four of scores, for two seeds each.
    const thinLines = scene().picture.marks.filter((mark) => 'key' in mark && `${mark.key}`.includes('behind-'));
    expect(thinLines).toHaveLength(12);
    expect(scene().picture.description).toContain('Thin lines: recorded runs with seeds 2 and 3.');
    const otherBase = fields.encoding.print({ id: 'rope', base: 500 } as never) as string;
    expect((await computeView({ encoding: otherBase })).results.seedCurves).toEqual([]);
  });

  it('has a view of the text at every point, close to the shipped models at the last', async () => {
    const { results: last } = await computeView({});
    for (const [line, id] of ['rope', 'none'].entries()) {
      const [recordedView, model] = [findRecordedView(id, NUM_POINTS - 1), last.models[line]] as [ModelView, ModelView];
      expect([recordedView.previousTokenHead, recordedView.copyingHead]).toEqual([model.previousTokenHead, model.copyingHead]);
      // The shipped models were trained natively, with sums in another order.
      expect(recordedView.maps.shape).toEqual(model.maps.shape);
      for (const scores of ['previous', 'matching'] as const)
        expect(largestDifference(recordedView[scores], model[scores])).toBeLessThan(0.1);
      expect(recordedView.accuracy).toBeCloseTo(model.accuracy, 1);
      expect(findLikeliestWord(recordedView)).toBe(findLikeliestWord(model));
    }
    const { results, spec, scene } = await computeView({ snapshot: '2' });
    expect(results.models.map(({ step }) => step)).toEqual([STEPS[2], STEPS[2]]);
    expect(describeModel(results, 0, spec).join(' ')).toMatch(/No circuit: the best previous-token head/);
    expect(JSON.stringify(scene().picture.marks)).not.toMatch(/NaN|undefined/);
  });

  it('shows its text at every point, but other texts and removed heads only at the last', async () => {
    const { results, spec } = await computeView({ ablatedHead: '1' });
    expect(kind.choose?.(results, spec, { step: 4 })).toEqual({ snapshot: 4, ablatedHead: 0 });
    const earlyView = await computeView({ snapshot: '4' });
    expect(kind.choose?.(earlyView.results, earlyView.spec, { head: 2 })).toEqual({
      ablatedHead: 3,
      ablatedModel: 'first',
      snapshot: NUM_POINTS - 1,
    });
    await expect(computeView({ snapshot: '4', ablatedHead: '1' })).rejects.toThrow(
      'ablatedHead: requires the last snapshot, the only one with recorded weights; expected 0 for earlier snapshots',
    );
    const ownTextView = await computeView({ snapshot: '4', text: 'sun moon sun' });
    expect(ownTextView.results.models[0]?.step).toBe(STEPS.at(-1));
    expect(ownTextView.scene().picture.description).toContain('Earlier steps were recorded with “to be or not to”');
    expect(kind.choose?.(ownTextView.results, ownTextView.spec, { step: 4 })).toBeUndefined();
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
    const { results } = await computeView({});
    const { previousTokenHead, heads, matching } = results.models[0] as Results['models'][number];
    for (const ablation of ['zero', 'mean']) {
      const { results: less, spec } = await computeView({ ablatedHead: String(previousTokenHead + 1), ablation });
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
    const { results, spec } = await computeView({});
    const second = { ablatedHead: 6, ablatedModel: 'second', snapshot: NUM_POINTS - 1 };
    expect(kind.choose?.(results, spec, { otherHead: 5 })).toEqual(second);
    const less = await computeView({ ablatedHead: '6', ablatedModel: 'second' });
    expect(kind.choose?.(less.results, less.spec, { otherHead: 5 })).toEqual({ ablatedHead: 0 });
    expect(kind.choose?.(less.results, less.spec, { head: 5 })).toEqual({ ...second, ablatedModel: 'first' });
  });
});

describe('text of the circuit figure', () => {
  it.each([
    ['🙂 🙃 🙂', /Prediction after “.*”: “🙃”/],
    ['one two three', /No word occurs twice/],
    ['to be to or', /“or” is new/],
    [Array.from({ length: 300 }, (_, index) => `w${index % 9}`).join(' '), /Prediction after/],
  ] as const)('describes the prediction for %s', async (text, sentence) => {
    const { results, spec, scene } = await computeView({ text: text.slice(0, 600) });
    expect(describeModel(results, 0, spec).join(' ')).toMatch(sentence);
    for (const width of [800, 340]) expect(JSON.stringify(scene(width).picture.marks)).not.toMatch(/NaN|undefined/);
  });

  it('rejects equal encodings, unrecorded seeds, and an encoding without a model', async () => {
    await expect(computeView({ other: 'rope' })).rejects.toThrow('other: same as the first encoding; expected a different encoding');
    await expect(computeView({ seed: '7' })).rejects.toThrow('seed: no model with seed 7 was recorded');
    await expect(computeView({ other: 'shaw' })).rejects.toThrow(/^other: no model with “shaw” was recorded/);
  });
});

it('trains live, shows intermediate results, and keeps them when stopped', async () => {
  const pace = new Pace();
  const partialResults: Results[] = [];
  const progress = (share: number): void => {
    if (share > 0.03) pace.stop();
  };
  const { results, spec, scene } = await computeView(
    { run: 'live', seed: '5' },
    { pace, progress, partial: (results: Results) => void partialResults.push(results) },
  );
  expect(partialResults.at(-1)?.isRunning).toBe(true);
  expect(results.isRunning).toBe(false);
  const last = findLastCompletePoint(results);
  expect(last).toBeGreaterThanOrEqual(0);
  expect(last).toBeLessThan(NUM_POINTS - 1);
  expect(results.models.map(({ step }) => step)).toEqual([STEPS[last], STEPS[last]]);
  expect(scene().picture.description).toMatch(/Live, trained here, one seed \(5\): step \d+ of 1,000/);
  expect(kind.proof(results, spec).residual).toBeGreaterThan(0.1);
});

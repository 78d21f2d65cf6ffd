// Losses with remapped distances, computed by scripts/train/remapped.mjs: without `remap` they equal those of a trainer with the same weights.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { remappedLoss, tensorsOf, testTokens } from '../../scripts/train/remapped.mjs';
import { createPhasor } from '../../web/engine/node.ts';
import { createTrainer } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';

const ITEMS = 3;

it('remappedLoss equals the loss of the trainer, within and beyond the training length, unless distances are remapped', async () => {
  const corpus = readFileSync('public/data/pride-and-prejudice.txt', 'utf8');
  const trainer = await createTrainer({ task: 'text', corpus, encoding: 'rope', seed: 5 });
  await trainer.step(3);
  const model = { spec: trainer.config, weights: tensorsOf(await trainer.saveWeights()), test: testTokens(corpus) };
  const phasor = await createPhasor();
  const loss = (encoding: { readonly id: string; readonly [param: string]: string | number }, length: number): number =>
    remappedLoss(phasor, model, encoding, length, ITEMS);
  const lengths = [20, 64, 96];
  const { lengths: expected } = await trainer.evaluate({ lengths, numSamples: ITEMS, extraMetrics: false });
  for (const [index, length] of lengths.entries())
    expect(Math.abs(loss({ id: 'rope' }, length) - (expected[index]?.loss ?? 0))).toBeLessThan(1e-5);
  // A window as long as the text has no effect, a shorter one does.
  expect(loss({ id: 'rope', remap: 'rerope', window: 96 }, 96)).toBeCloseTo(expected[2]?.loss ?? 0, 5);
  expect(Math.abs(loss({ id: 'rope', remap: 'rerope', window: 4 }, 96) - (expected[2]?.loss ?? 0))).toBeGreaterThan(1e-5);
  expect(() => remappedLoss(phasor, { ...model, spec: { ...model.spec, norm: 'rms_norm' } }, { id: 'rope' }, 64, 1)).toThrow(
    /is not read here/,
  );
  trainer.dispose();
});

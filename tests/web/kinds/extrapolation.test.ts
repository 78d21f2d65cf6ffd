// Training at short and evaluation at long lengths: recorded curves over the length of the text.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { experiments } from '../../../scripts/train/experiment-list.mjs';
import { createTrainer } from '../../../web/engine/train.node.ts';
import { LINE_NAMES } from '../../../web/figure/compute/training-strings.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { kind, type Spec } from '../../../web/figure/kinds/extrapolation/index.ts';
import type { Results } from '../../../web/figure/kinds/extrapolation/lengths.ts';
import { selectRecording } from '../../../web/figure/kinds/extrapolation/recording.ts';
import { CONTENT_DEPENDENT_NAMES, SCALED_ROPE_NAMES } from '../../../web/figure/kinds/extrapolation/strings.ts';
import { expectAnswering, figureOf } from './table-figures.ts';

const valueAt = (results: Results, line: number, length: number, quantity: 'score' | 'last' | 'loss' = 'score'): number =>
  results[quantity].data[line * results.lengths.length + results.lengths.indexOf(length)] as number;

/** Compares lines of the task text with rows of an experiment, and returns the results. */
async function rowsOf(experiment: string, rows: Readonly<Record<string, string>>) {
  const page = readFileSync('docs/experiments.md', 'utf8');
  const start = page.indexOf(`## ${experiment}:`);
  const section = page.slice(start, page.indexOf('\n## ', start)).split('\n');
  const { results } = await figureOf(kind, { task: 'text', encodings: Object.keys(rows).join(',') });
  Object.values(rows).forEach((name, line) => {
    const row = section.find((text) => text.startsWith(`| ${name} |`)) ?? '';
    const means = [...row.matchAll(/ ([\d.]+) ± /g)].map(([, mean]) => Number(mean));
    expect(means.length, row).toBe(4);
    [64, 128, 256, 512].forEach((length, column) => {
      expect(Math.abs(valueAt(results, line, length, 'loss') - (means[column] as number)), `${name} ${length}`).toBeLessThan(0.002);
    });
  });
  return results;
}

describe('extrapolation figure', () => {
  it('shows the recording: a learned table ends with the core’s error, and T5 continues', async () => {
    const figure = await figureOf(kind, {});
    const { results } = figure as { results: Results };
    expect(valueAt(results, 0, 32, 'last')).toBeGreaterThan(0.95);
    expect(valueAt(results, 0, 33, 'last')).toBeNaN();
    expect(valueAt(results, 3, 33, 'last')).toBeGreaterThan(0.95);
    const { description, marks } = figure.scene().picture;
    expect(description).toMatch(/33 tokens exceed the table of learned, whose last row is 31/);
    expect(description).toMatch(/Recorded, seeds 1, 2, and 3$/);
    expect((await figure.code()).python).toMatch(
      /^# Recorded, seeds 1, 2, and 3: npm run train -- copy --encoding ID --lengths 8,.* --seeds 3; learned table with /m,
    );
    expect(JSON.stringify(marks)).toContain('no row for position 32');
    expect(figure.readout()).toMatch(/^512 tokens, 16 times the trained length: learned table no row for position 32, sinusoidal 0\.\d+, /);
    expect(figure.readout({ length: 4, line: 3 })).toMatch(/^33 tokens, 1\.03 times the trained length: T5 [\d.]+; chance 0\.0625$/);
    expect(figure.proof().good).toBe(true);
  });

  it.each([
    [{ task: 'copy' }, 512],
    [{ task: 'order_long' }, 256],
    // Random positions are drawn from 128.
    [{ task: 'order_long', random: true }, 128],
    [{ task: 'text', beyond: 'untrained' }, 512],
  ])('shows for %j texts of up to %i tokens, and names the command of the recording', async (fields, longest) => {
    const figure = await figureOf(kind, fields);
    const { lengths, command, values } = figure.results as Results;
    expect(lengths.at(-1)).toBe(longest);
    expect(command).toContain(` --lengths ${lengths.join(',')} --seeds 3`);
    expect((await figure.code()).python).toContain(`: ${command}\n`);
    // The last line is T5's, which has no maximum length.
    expect(values.loss.at(-1)?.map(({ length }) => length)).toEqual([lengths.length, lengths.length, lengths.length]);
  });

  it('extends the table by its last row or by untrained rows, which both fail at position 32', async () => {
    for (const beyond of ['clamp', 'untrained']) {
      const { results, scene } = await figureOf(kind, { beyond });
      expect(valueAt(results, 0, 33, 'last'), beyond).toBeLessThan(0.15);
      expect(scene().picture.description).not.toContain('exceed the table');
    }
  });

  it('agrees with docs/experiments.md at common lengths', async () => {
    const rows = { order_long: 'E1b', copy: 'E2a', text: 'E2b' } as const;
    const page = readFileSync('docs/experiments.md', 'utf8');
    for (const [task, id] of Object.entries(rows)) {
      const section = page.slice(page.indexOf(`## ${id}:`), page.indexOf('\n## ', page.indexOf(`## ${id}:`) + 3));
      for (const random of task === 'order_long' ? [false, true] : [false]) {
        const encodings = ['learned', 'sinusoidal', 'rope', ...(random ? [] : ['t5'])];
        const { results } = await figureOf(kind, { task, beyond: 'untrained', random, encodings: encodings.join(',') });
        encodings.forEach((name, line) => {
          const row = section.split('\n').find((text) => text.startsWith(`| ${name}${random ? ', random positions' : ''} |`)) ?? '';
          const means = [...row.matchAll(/ ([\d.]+) ± /g)].map(([, mean]) => Number(mean));
          const columns = experiments[id]?.columns as number[];
          expect(means.length, `${id} ${row}`).toBe(columns.length);
          columns.forEach((length, column) => {
            const recordedValue = valueAt(results, line, length, task === 'text' ? 'loss' : 'score');
            expect(Math.abs(recordedValue - (means[column] as number)), `${id} ${name} ${length}`).toBeLessThan(0.002);
          });
        });
      }
    }
  });

  it('agrees with E6 for RoPE with scaled frequencies', async () => {
    const results = await rowsOf('E6', {
      rope: 'as trained',
      rope_linear: 'linear',
      rope_ntk: 'ntk_aware',
      rope_parts: 'by parts, 1 to 32 turns',
      rope_yarn: 'yarn',
    });
    // Up to the trained length, frequencies are not scaled.
    for (const length of [32, 48, 64]) {
      for (const line of [1, 2, 3, 4]) expect(valueAt(results, line, length, 'loss')).toBeCloseTo(valueAt(results, 0, length, 'loss'), 3);
    }
  });

  it('agrees with E14 for RoPE, removed RoPE and no positions', async () => {
    await rowsOf('E14', { rope: 'RoPE kept', rope_dropped: 'removed, then 25 steps', none: 'never positions' });
    await expect(figureOf(kind, { task: 'copy', encodings: 'rope_dropped' })).rejects.toThrow(
      'encodings: RoPE removed: recorded only for the task text',
    );
  });

  it('has a recording of every line with the current config of the trainer', async () => {
    const ids = LINE_NAMES.map(([id]) => id);
    for (const input of [
      { task: 'copy' },
      { task: 'copy', beyond: 'untrained' },
      { task: 'order_long', random: true },
      { task: 'counting' },
    ]) {
      const spec = readSpec(kind as never, input) as unknown as Spec;
      const { createConfig, selectValues } = selectRecording(spec, ids);
      expect(selectValues([1, 2, 3]).loss.map((seeds) => seeds.length)).toEqual(ids.map(() => 3));
      for (const line of ids.keys()) {
        const fullConfig = createConfig(line, 1);
        const { encoding, randomizedPositions } = fullConfig;
        const trainer = await createTrainer({ task: spec.task, encoding, randomizedPositions, seed: 1 });
        expect(fullConfig).toEqual(trainer.config);
        trainer.dispose();
      }
    }
  });

  it.each([
    {},
    { task: 'copy', metric: 'loss', beyond: 'clamp' },
    { task: 'order_long', random: true, seeds: 1 },
    { task: 'text', encodings: 'none, alibi, learned, sinusoidal, t5, rope', beyond: 'untrained' },
    { task: 'text', encodings: 'rope, rope_linear, rope_ntk, rope_yarn' },
    { task: 'text', encodings: 'rope, rope_dropped, none' },
    { task: 'counting', metric: 'whole_text', encodings: 'rope, alibi, forgetting, path' },
  ])('finds the mark under the pointer and moves with the arrow keys: case %#', async (fields) => {
    const figure = await figureOf(kind, fields);
    expectAnswering(figure.scene(), 700);
    expectAnswering(figure.scene(330), 330);
  });

  it('explains why a page that trains but lacks the novel does not evaluate', async () => {
    const spec = readSpec(kind as never, { task: 'text' });
    const noteOf = async (means: object) => {
      const results = await kind.compute(spec as never, means as never);
      expect(kind.actions?.(results, spec as never)?.map(({ label }) => label)).not.toContain('Evaluate on the novel');
      // The note is about the page, so it is not part of the picture.
      expect(kind.scene(results, spec as never, { width: 600, theme: 'light' }).picture.description).not.toContain('novel, so');
      return kind.readout(results, spec as never, {});
    };
    expect(await noteOf({ createTrainer })).toContain('This page does not include the training text');
    expect(await noteOf({})).not.toContain('This page does not include the training text');
  });

  it('warns of the battery for training of 60 s, but not for evaluation', async () => {
    const message = async (fields: object) => {
      const spec = readSpec(kind as never, { budget: '60', ...fields });
      return kind.readout(await kind.compute(spec as never, { createTrainer } as never), spec as never, {});
    };
    expect(await message({})).toMatch(/\. Training uses all cores for 60 s/);
    expect(await message({ task: 'text' })).not.toContain('battery');
  });

  it.each(SCALED_ROPE_NAMES)('has %s only for the task text', async (id, name) => {
    await expect(figureOf(kind, { encodings: `rope, ${id}` })).rejects.toThrow(`encodings: ${name}: recorded only for the task text`);
  });

  it.each(CONTENT_DEPENDENT_NAMES)('has %s only for copying and counting, and agrees with the experiments', async (id, name) => {
    for (const fields of [{ task: 'text' }, { task: 'order_long' }, { task: 'order_long', random: true }]) {
      const rejected = figureOf(kind, { ...fields, encodings: `rope, ${id}` });
      await expect(rejected).rejects.toThrow(`encodings: ${name}: recorded only for the tasks copy and counting`);
    }
    const page = readFileSync('docs/experiments.md', 'utf8');
    for (const [task, experiment] of [
      ['counting', 'E12a'],
      ['copy', 'E12b'],
    ] as const) {
      const { results } = await figureOf(kind, { task, metric: 'whole_text', encodings: `rope, ${id}` });
      const section = page.slice(page.indexOf(`## ${experiment}`));
      for (const [line, expected] of ['rope', id].entries()) {
        const row = new RegExp(`^\\| ${expected} \\|.*$`, 'm').exec(section)?.[0] ?? '';
        const means = [...row.matchAll(/ ([\d.]+) ± /g)].map(([, mean]) => Number(mean));
        expect(means.length, row).toBe(4);
        [32, 64, 128, 256].forEach((length, column) => {
          expect(
            Math.abs(valueAt(results, line, length, 'score') - (means[column] as number)),
            `${task} ${expected} ${length}`,
          ).toBeLessThan(0.002);
        });
      }
    }
  });

  it.each([
    [{ encodings: '' }, /is empty; expected at least one encoding/],
    [{ encodings: 'rope, nope' }, /nope. is not/],
    [{ seed: 7 }, /^seed: only seeds 1 to 3 were recorded/],
    [{ random: true }, /^random: random positions do not help the task copy, .*; use order_long$/],
    [{ task: 'text', random: true }, /^random: random positions are available only for the task order_long/],
    [{ run: 'live' }, /^run: live: training is unavailable on this page/],
    [{ run: 'live', task: 'text' }, /^run: live: this page does not include the models for the task text/],
  ])('rejects %j with one sentence', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });
});

// Train short, test long: curves over the length of the text as they were recorded, and by the real trainer.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { experiments } from '../../../scripts/train/experiment-list.mjs';
import type * as Train from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { kind, type Spec } from '../../../web/figure/kinds/length/index.ts';
import type { Numbers } from '../../../web/figure/kinds/length/lengths.ts';
import { recordingOf } from '../../../web/figure/kinds/length/recording.ts';
import { CONTENT_NAMES, STRETCHED_NAMES } from '../../../web/figure/kinds/length/words.ts';
import { ENCODING_NAMES } from '../../../web/figure/numbers/training-words.ts';
import { ShippedModels } from '../../../web/figure/runtime/shipped-models.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

const { createTrainer, createTrainerWorker }: typeof Train = await import('../../../dist/npm/train.node.js' as string);

async function trained(given: object, more: object = {}) {
  const spec = readSpec(kind as never, { run: 'live', seeds: 1, ...given });
  const seen: Numbers[] = [];
  const early = (numbers: object): void => void seen.push(numbers as Numbers);
  const numbers = await kind.compute(spec as never, { engine: phasor, createTrainer: createTrainerWorker, early, ...more } as never);
  return { numbers, seen, spec: spec as unknown as Spec };
}

/** The value of a line at a length. */
const at = (numbers: Numbers, line: number, length: number, of: 'score' | 'last' | 'loss' = 'score'): number =>
  numbers[of].data[line * numbers.lengths.length + numbers.lengths.indexOf(length)] as number;

describe('length', () => {
  it('shows what was recorded: a learned table ends in the core’s sentence, and T5 goes on', async () => {
    const figure = await figureOf(kind, {});
    const { numbers } = figure as { numbers: Numbers };
    expect(at(numbers, 0, 32, 'last')).toBeGreaterThan(0.95);
    expect(at(numbers, 0, 33, 'last')).toBeNaN();
    expect(at(numbers, 3, 33, 'last')).toBeGreaterThan(0.95);
    const { description, marks } = figure.scene().picture;
    expect(description).toMatch(/33 tokens are more than the table of learned has rows, whose last is 31/);
    expect(description).toMatch(
      /Recorded, seeds 1, 2, and 3: npm run train -- copy --encoding ID --lengths 8,.* --seeds 3; learned table with /,
    );
    expect(JSON.stringify(marks)).toContain('no row for position 32');
    expect(figure.readout()).toMatch(/^512 tokens, 16 times the trained length: learned table no row for position 32, sinusoidal 0\.\d+, /);
    expect(figure.readout({ length: 4, line: 3 })).toMatch(/^33 tokens, 1\.03 times the trained length: T5 [\d.]+; chance 0\.0625$/);
    expect(figure.proof().good).toBe(true);
  });

  it.each([
    [{ task: 'copy' }, 512],
    [{ task: 'order_long' }, 256],
    // Positions were drawn from 128.
    [{ task: 'order_long', random: true }, 128],
    [{ task: 'text', beyond: 'untrained' }, 512],
  ])('of %j reads texts of up to %i tokens, and names the command that did', async (given, longest) => {
    const figure = await figureOf(kind, given);
    const { lengths, command, values } = figure.numbers as Numbers;
    expect(lengths.at(-1)).toBe(longest);
    expect(command).toContain(` --lengths ${lengths.join(',')} --seeds 3`);
    expect(figure.scene().picture.description).toContain(command);
    // The last line is T5's, which has no end.
    expect(values.loss.at(-1)?.map(({ length }) => length)).toEqual([lengths.length, lengths.length, lengths.length]);
  });

  it('gives the table its last row again, or rows that were never trained, when asked: neither knows position 32', async () => {
    for (const beyond of ['clamp', 'untrained']) {
      const { numbers, scene } = await figureOf(kind, { beyond });
      expect(at(numbers, 0, 33, 'last'), beyond).toBeLessThan(0.15);
      expect(scene().picture.description).not.toContain('are more than the table');
    }
  });

  it('has the numbers of docs/experiments.md where both have a length', async () => {
    const rows = { order_long: 'E1b', copy: 'E2a', text: 'E2b' } as const;
    const page = readFileSync('docs/experiments.md', 'utf8');
    for (const [task, id] of Object.entries(rows)) {
      const section = page.slice(page.indexOf(`## ${id}:`), page.indexOf('\n## ', page.indexOf(`## ${id}:`) + 3));
      for (const random of task === 'order_long' ? [false, true] : [false]) {
        const encodings = ['learned', 'sinusoidal', 'rope', ...(random ? [] : ['t5'])];
        const { numbers } = await figureOf(kind, { task, beyond: 'untrained', random, encodings: encodings.join(',') });
        encodings.forEach((name, line) => {
          const row = section.split('\n').find((text) => text.startsWith(`| ${name}${random ? ', random positions' : ''} |`)) ?? '';
          const means = [...row.matchAll(/ ([\d.]+) ± /g)].map(([, mean]) => Number(mean));
          const columns = experiments[id]?.columns as number[];
          expect(means.length, `${id} ${row}`).toBe(columns.length);
          columns.forEach((length, column) => {
            const found = at(numbers, line, length, task === 'text' ? 'loss' : 'score');
            expect(Math.abs(found - (means[column] as number)), `${id} ${name} ${length}`).toBeLessThan(0.002);
          });
        });
      }
    }
  });

  it('has the rows of E6 as lines of RoPE that are read with slower pairs', async () => {
    const page = readFileSync('docs/experiments.md', 'utf8');
    const section = page.slice(page.indexOf('## E6:'), page.indexOf('## E7:'));
    const rows = {
      rope: 'as trained',
      rope_linear: 'linear',
      rope_ntk: 'ntk_aware',
      rope_parts: 'by parts, 1 to 32 turns',
      rope_yarn: 'yarn',
    };
    const { numbers } = await figureOf(kind, { task: 'text', encodings: Object.keys(rows).join(',') });
    Object.values(rows).forEach((name, line) => {
      const row = section.split('\n').find((text) => text.startsWith(`| ${name} |`)) ?? '';
      const means = [...row.matchAll(/ ([\d.]+) ± /g)].map(([, mean]) => Number(mean));
      expect(means.length, row).toBe(4);
      [64, 128, 256, 512].forEach((length, column) => {
        expect(Math.abs(at(numbers, line, length, 'loss') - (means[column] as number)), `${name} ${length}`).toBeLessThan(0.002);
      });
    });
    // Up to the trained length nothing is slowed down.
    for (const length of [32, 48, 64]) {
      for (const line of [1, 2, 3, 4]) expect(at(numbers, line, length, 'loss')).toBeCloseTo(at(numbers, 0, length, 'loss'), 3);
    }
  });

  it('has a recording of every line, which the trainer takes for the same spec', async () => {
    const ids = ENCODING_NAMES.map(([id]) => id);
    for (const given of [
      { task: 'copy' },
      { task: 'copy', beyond: 'untrained' },
      { task: 'order_long', random: true },
      { task: 'counting' },
    ]) {
      const spec = readSpec(kind as never, given) as unknown as Spec;
      const { specOf, valuesOf } = recordingOf(spec, ids);
      expect(valuesOf([1, 2, 3]).loss.map((seeds) => seeds.length)).toEqual(ids.map(() => 3));
      for (const line of ids.keys()) {
        const whole = specOf(line, 1);
        const { encoding, randomizedPositions } = whole;
        const trainer = await createTrainer({ task: spec.task, encoding, randomizedPositions, seed: 1 });
        expect(whole).toEqual(trainer.spec);
        trainer.dispose();
      }
    }
  });

  it.each([
    {},
    { task: 'copy', measure: 'loss', beyond: 'clamp' },
    { task: 'order_long', random: true, seeds: 1 },
    { task: 'text', encodings: 'none, alibi, learned, sinusoidal, t5, rope', beyond: 'untrained' },
    { task: 'text', encodings: 'rope, rope_linear, rope_ntk, rope_yarn' },
    { task: 'counting', measure: 'whole_text', encodings: 'rope, alibi, forgetting, path' },
  ])('answers where it is pointed at %#', async (given) => {
    const figure = await figureOf(kind, given);
    expectAnswering(figure.scene(), 700);
    expectAnswering(figure.scene(330), 330);
  });

  it('trains here: the learned table falls to chance and T5 holds, in pictures that are whole', async () => {
    const { numbers, seen, spec } = await trained({ task: 'order_long', beyond: 'untrained', encodings: 'learned, t5', budget: '60' });
    expect(at(numbers, 0, 16)).toBeGreaterThan(0.95);
    expect(at(numbers, 0, 256)).toBeLessThan(0.65);
    expect(at(numbers, 1, 256)).toBeGreaterThan(0.95);
    expect(seen.length).toBeGreaterThan(4);
    for (const one of [seen[0], seen.at(-1)] as Numbers[]) {
      const { picture } = kind.scene(one, spec as never, { width: 600, theme: 'light' });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(picture.description).toMatch(/Live, trained here, one seed \(1\): step \d+ of \d+/);
    }
    expect(numbers.isRunning).toBe(false);
  }, 120_000);

  it('ends a curve here in the core’s sentence, with the few steps that were made', async () => {
    const { Pace } = await import('../../../web/figure/runtime/pace.ts');
    const pace = new Pace();
    const progress = (): void => pace.stop();
    const { numbers } = await trained({ task: 'order_long', encodings: 'learned' }, { pace, progress });
    expect(numbers.ends[0]).toMatch(/^lengths: 17 tokens are more than the table of learned has rows/);
    expect(at(numbers, 0, 16)).toBeGreaterThan(0);
    expect(at(numbers, 0, 17)).toBeNaN();
    expect(numbers.done).toBeGreaterThan(0);
    expect(numbers.done).toBeLessThan(numbers.total);
  }, 60_000);

  it('reads texts of more than 256 tokens at the end alone, half as many, and says of the longest that all have read', async () => {
    const asked: string[] = [];
    const evaluate = async ({ lengths = [], items, onProgress }: Train.EvaluateOptions) => {
      asked.push(`${items} of ${lengths[0]} to ${lengths.at(-1)}`);
      for (const length of lengths) onProgress?.({ length, loss: 1, score: 0.5, accuracyAt: [0.5] } as never);
    };
    const createTrainer = async () => ({ step: async () => ({ loss: 1 }), evaluate, dispose: () => {} });
    const { numbers, seen, spec } = await trained({ task: 'copy', encodings: 'learned, t5', beyond: 'untrained' }, { createTrainer });
    const each = ['24 of 8 to 256', '24 of 8 to 256', '24 of 8 to 256', '100 of 8 to 256', '50 of 384 to 512'];
    expect(asked.toSorted()).toEqual([...each, ...each].toSorted());
    const first = seen.find(({ done }) => done > 0) as Numbers;
    expect(at(first, 0, 256)).toBe(0.5);
    expect(at(first, 0, 512)).toBeNaN();
    expect(kind.readout(first, spec as never, {})).toMatch(/^256 tokens, 8 times the trained length: learned table 0\.5/);
    expect(kind.readout(numbers, spec as never, {})).toMatch(/^512 tokens, 16 times the trained length: learned table 0\.5/);
  });

  it('reads here with the weights that ship: the recorded curves of the seed 1, at each length by its own factor', async () => {
    const file = async (address: string | URL) => new Response(readFileSync(new URL(address)));
    const shipped = new ShippedModels(new URL('../../../public/models/', import.meta.url), createTrainer, file);
    const more = {
      createTrainer: createTrainerWorker,
      models: async () => shipped,
      corpus: async () => readFileSync('public/data/pride-and-prejudice.txt', 'utf8'),
    };
    const given = { task: 'text', encodings: 'rope, rope_yarn' };
    const { numbers, seen, spec } = await trained(given, more);
    const { numbers: recorded } = await figureOf(kind, { ...given, seeds: 1 });
    // Weights that ship have 16 bits.
    const apart = [...numbers.loss.data].map((value, index) => Math.abs(value - (recorded as Numbers).loss.data[index]!));
    expect(Math.max(...apart)).toBeLessThan(0.01);
    expect(at(numbers, 0, 512, 'loss')).toBeGreaterThan(at(numbers, 1, 512, 'loss') + 1);
    expect(kind.proof(numbers, spec as never).residual).toBeLessThan(0.1);
    const described = ({ done }: Numbers, of: Numbers) => {
      const { picture } = kind.scene(of, spec as never, { width: 600, theme: 'light' });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(picture.description).toContain(
        `Live, read here: models that ship, seed 1, on 128 passages of the novel; ${done} of 20 readings`,
      );
    };
    for (const one of [seen[0], seen[5], numbers] as Numbers[]) described(one, one);
    // Short texts come first: what is said of the whole is about those that every line has read.
    const half = seen[9] as Numbers;
    expect(kind.readout(half, spec as never, {})).toMatch(/^(64|80|96) tokens.*: RoPE [\d.]+, YaRN [\d.]+; chance 2\.97$/);
    expect(kind.readout(half, spec as never, { length: 9 })).toBe('512 tokens, 8 times the trained length: not measured yet');
    for (const [wrong, sentence] of [
      [{ encodings: 'rope, learned' }, /^run: live: the learned table that ships has 128 rows/],
      [{ seed: 2 }, /^run: live: models that ship are of the seed 1/],
      [{ seeds: 3 }, /^run: live: models that ship are of the seed 1/],
    ] as const) {
      await expect(trained({ ...given, ...wrong }, more)).rejects.toThrow(sentence);
    }
  }, 240_000);

  it('leaves its numbers in a program that reads the same weights with slower pairs', async () => {
    const figure = await figureOf(kind, { task: 'text', encodings: 'rope_ntk', seeds: 1 });
    const { phasor: program, pytorch } = await figure.code();
    expect(pytorch).toMatch(/^# One of the lines: rope_ntk\. .* read with slower pairs, which is not done here\./);
    const short = program
      .replaceAll(/^import .*\n/gm, '')
      .replace(/\(await import.*'utf8'\)/, 'novel')
      .replaceAll(/steps: 500|step\(500\)/g, (text) => text.replace('500', '2'))
      .replaceAll('observe: false', 'items: 4, observe: false');
    const body = `return (async () => { ${short}\nreturn { loss, readers }; })();`;
    const readers: unknown[] = [];
    const counted = async (spec: Train.TrainSpec) => {
      readers.push(spec.encoding);
      return createTrainer(spec);
    };
    const { loss } = await new Function('createTrainer', 'novel', 'readers', body)(
      counted,
      readFileSync('public/data/pride-and-prejudice.txt', 'utf8'),
      readers,
    );
    expect([...loss.data].every(Number.isFinite)).toBe(true);
    expect(readers.at(-1)).toEqual({ id: 'rope', scaling: 'ntk_aware', factor: 8, original_length: 64 });
    expect(readers[1]).toEqual({ id: 'rope' });
  }, 120_000);

  it('leaves its numbers in a program that trains, and is the file of the trainer in PyTorch', async () => {
    const figure = await figureOf(kind, { task: 'order_long', encodings: 'learned, t5', seeds: 2 });
    const { phasor: program, pytorch } = await figure.code();
    const short = program
      .replace(/^import .*\n/, '')
      .replaceAll(/steps: 300|step\(300\)/g, (text) => text.replace('300', '3'))
      .replaceAll('observe: false', 'items: 4, observe: false');
    const body = `return (async () => { ${short}\nreturn { score, low, loss }; })();`;
    const { score, low } = await new Function('createTrainer', body)(createTrainer);
    expect(score.shape).toEqual([2, 13]);
    // The table of 16 rows ends at the third length.
    expect([...score.data].map(Number.isNaN)).toEqual([...Array(3).fill(false), ...Array(10).fill(true), ...Array(13).fill(false)]);
    expect(low.data[0]).toBeLessThanOrEqual(score.data[0]);
    expect(pytorch).toMatch(/^# One of the lines: t5\./);
    expect(pytorch).toContain('F.cross_entropy');
  }, 60_000);

  it('says of a page that trains and has no novel why nothing is read there', async () => {
    const spec = readSpec(kind as never, { task: 'text' });
    const noteOf = async (means: object) => {
      const numbers = await kind.compute(spec as never, means as never);
      expect(kind.actions?.(numbers, spec as never)?.map(({ label }) => label)).not.toContain('Read the novel here');
      // It is about the page: the picture is the same in a file.
      expect(kind.scene(numbers, spec as never, { width: 600, theme: 'light' }).picture.description).not.toContain('novel, so');
      return kind.readout(numbers, spec as never, {});
    };
    expect(await noteOf({ createTrainer })).toContain('This page does not have the novel');
    expect(await noteOf({})).not.toContain('This page does not have the novel');
  });

  it('warns of the battery where 60 s are asked for, but not where models only read', async () => {
    const said = async (given: object) => {
      const spec = readSpec(kind as never, { budget: '60', ...given });
      return kind.readout(await kind.compute(spec as never, { createTrainer } as never), spec as never, {});
    };
    expect(await said({})).toMatch(/\. Training for 60 s keeps all processors busy, which a battery feels; /);
    expect(await said({ task: 'text' })).not.toContain('battery');
  });

  it.each(STRETCHED_NAMES)('has %s for the novel alone', async (id, name) => {
    await expect(figureOf(kind, { encodings: `rope, ${id}` })).rejects.toThrow(`encodings: ${name}: recorded for the task text alone`);
  });

  it.each(CONTENT_NAMES)('has %s for copying and counting alone, as the experiments measured it', async (id, name) => {
    for (const given of [{ task: 'text' }, { task: 'order_long' }, { task: 'order_long', random: true }]) {
      const refused = figureOf(kind, { ...given, encodings: `rope, ${id}` });
      await expect(refused).rejects.toThrow(`encodings: ${name}: recorded for the tasks copy and counting alone`);
    }
    const page = readFileSync('docs/experiments.md', 'utf8');
    for (const [task, experiment] of [
      ['counting', 'E12a'],
      ['copy', 'E12b'],
    ] as const) {
      const { numbers } = await figureOf(kind, { task, measure: 'whole_text', encodings: `rope, ${id}` });
      const section = page.slice(page.indexOf(`## ${experiment}`));
      for (const [line, own] of ['rope', id].entries()) {
        const row = new RegExp(`^\\| ${own} \\|.*$`, 'm').exec(section)?.[0] ?? '';
        const means = [...row.matchAll(/ ([\d.]+) ± /g)].map(([, mean]) => Number(mean));
        expect(means.length, row).toBe(4);
        [32, 64, 128, 256].forEach((length, column) => {
          expect(Math.abs(at(numbers, line, length, 'score') - (means[column] as number)), `${task} ${own} ${length}`).toBeLessThan(0.002);
        });
      }
    }
  });

  it.each([
    [{ encodings: '' }, /there is no encoding/],
    [{ encodings: 'rope, nope' }, /nope. is not/],
    [{ seed: 7 }, /^seed: only seeds 1 to 3 were recorded/],
    [{ random: true }, /^random: random positions are no cure for copy: .* they help with order_long$/],
    [{ task: 'text', random: true }, /^random: random positions were recorded and tried for the task order_long alone/],
    [{ run: 'live' }, /^run: live: this page has nothing that trains/],
    [{ run: 'live', task: 'text' }, /^run: live: this page has no models of the novel/],
  ])('answers %j with one sentence', async (given, sentence) => {
    await expect(figureOf(kind, given)).rejects.toThrow(sentence);
  });
});

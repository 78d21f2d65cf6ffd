// The inside of trained models: the files of the site, in the real trainer.
import { describe, expect, it } from 'vitest';
import type * as Train from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import type { BiasNumbers } from '../../../web/figure/kinds/inside/bias.ts';
import { readingOf } from '../../../web/figure/kinds/inside/characters.ts';
import type { HeadNumbers } from '../../../web/figure/kinds/inside/heads.ts';
import { HEADS, kind, LAYERS } from '../../../web/figure/kinds/inside/index.ts';
import { SNAPSHOTS } from '../../../web/figure/kinds/inside/snapshots.ts';
import type { TableNumbers } from '../../../web/figure/kinds/inside/table.ts';
import { stepShown } from '../../../web/figure/kinds/inside/training.ts';
import { Kept } from '../../../web/figure/runtime/kept.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { runPython } from '../python/run.ts';
import { models } from './shipped.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

const { createTrainer, createTrainerWorker }: typeof Train = await import('../../../dist/npm/train.node.js' as string);

const TEXTS = (await (await models()).list()).filter(({ spec }) => spec.task === 'text').map(({ spec }) => spec.encoding.id as string);

/** A table that is trained here. */
async function trained(given: object, more: object = {}) {
  const spec = readSpec(kind as never, { encoding: 'learned', show: 'table', run: 'live', ...given });
  const seen: TableNumbers[] = [];
  const early = (numbers: object): void => void seen.push(numbers as TableNumbers);
  const means = { engine: phasor, models, createTrainer: createTrainerWorker, early, ...more };
  return { numbers: (await kind.compute(spec as never, means as never)) as TableNumbers, seen, spec };
}

/** The mean cosine of positions so far apart. */
const along = ({ data, shape: [side = 1] }: TableNumbers['after'], distance: number): number => {
  let sum = 0;
  for (let at = 0; at + distance < side; at++) sum += data[at * side + at + distance] as number;
  return sum / (side - distance);
};

/** The largest difference; Vitest is not asked for each, which costs more than the difference. */
const farthest = (from: Float32Array, found: ArrayLike<number> = []): number =>
  Math.max(...from.map((value, at) => Math.abs(value - (found[at] ?? Number.NaN))));

describe('a text as a model of characters reads it', () => {
  it('names what is left out, and loses nothing else', () => {
    expect(readingOf('  “Café”\n IS\t it? ', ' ?abcdefghijklmnopqrstuvwxyz', 64)).toEqual({
      characters: [...'caf is it?'],
      unknown: ['“', 'é', '”'],
      total: 10,
      isLowered: true,
    });
    expect(readingOf('abc', 'abc', 2)).toEqual({ characters: ['a', 'b'], unknown: [], total: 3, isLowered: false });
  });

  it('is that of the core', async () => {
    const { model, reading } = (await figureOf(kind, { text: 'It IS\n a  truth' })).numbers as HeadNumbers;
    const trainer = await (await models()).load(model.id);
    expect(await trainer.tokens(reading.characters.join(''))).toEqual(await trainer.tokens('It IS\n a  truth'));
    trainer.dispose();
  });
});

describe('heads', () => {
  it('are those of the model on the sentence, each row of which shares out 1', async () => {
    const figure = await figureOf(kind);
    const { maps, layers, heads, reading, model } = figure.numbers as HeadNumbers;
    expect([layers, heads]).toEqual([LAYERS, HEADS]);
    expect(maps.shape).toEqual([LAYERS * HEADS, 21, 21]);
    expect(reading.characters.join('')).toBe('rohan killed the lion');
    const trainer = await (await models()).load(model.id);
    const { data } = await trainer.attentionMaps(await trainer.tokens('rohan killed the lion'));
    const isSeen = (at: number): boolean => at % 21 <= Math.floor(at / 21) % 21;
    expect(Array.from(maps.data).filter((_, at) => isSeen(at))).toEqual(Array.from(data).filter((_, at) => isSeen(at)));
    expect(Array.from(maps.data).every((weight, at) => Number.isNaN(weight) !== isSeen(at))).toBe(true);
    trainer.dispose();
    expect(figure.proof()).toMatchObject({ good: true });
    expect(figure.proof().source).toContain(`${model.file}, checked against its SHA-256`);
    const unhashed = { ...(figure.numbers as HeadNumbers), isHashed: false };
    expect(kind.proof?.(unhashed, figure.spec as never)?.source).toContain(`${model.file}, not checked on this page`);
    expect(figure.readout()).toMatch(
      /^Layer 2, head 3: on average most attention goes to the character before: 0\.\d+; the first character gets 0\.\d+$/,
    );
    expect(figure.readout({ query: 3, key: 2 })).toMatch(
      /^Layer 2, head 3: “a” \(character 4\) attends to “h” \(character 3\): weight [\d.]+$/,
    );
    expect(figure.readout({ query: 5, head: 0 })).toMatch(/^Layer 1, head 1: the space \(character 6\) attends most to /);
    expect(figure.readout({ query: 3, key: 9 })).toMatch(/cannot attend to “l” \(character 10\), which comes later$/);
  });

  it('of which something is wrong are found out', async () => {
    const shipped = await models();
    const wrong = {
      find: (id: string) => shipped.find(id),
      load: async (id: string) => {
        const trainer = await shipped.load(id);
        return {
          spec: trainer.spec,
          dispose: () => trainer.dispose(),
          tokens: (text: string) => trainer.tokens(text),
          // Of a model that sees how long its text is.
          attentionMaps: (tokens: readonly number[]) => trainer.attentionMaps([tokens.length % 40, ...tokens.slice(1)]),
        };
      },
    };
    const spec = readSpec(kind as never, {});
    const numbers = await kind.compute(spec as never, { engine: phasor, models: async () => wrong } as never);
    const { residual, tolerance } = kind.proof(numbers, spec as never);
    expect(residual).toBeGreaterThan(tolerance);
  });

  it.each([{}, { text: 'a' }, { text: 'It is a truth universally acknowledged, that a single man in possession of a good fortune' }])(
    'answer where they are pointed at %#',
    async (given) => {
      const figure = await figureOf(kind, given);
      expectAnswering(figure.scene(), 700);
      expectAnswering(figure.scene(330), 330);
      expect(figure.proof().good).toBe(true);
    },
  );

  it('say what is read, what is left out and what is too long', async () => {
    const { picture } = (await figureOf(kind, { text: `Voilà ${'so '.repeat(30)}` })).scene();
    expect(picture.description).toContain('The model reads: voil so so');
    expect(picture.description).toContain('Left out, because its novel does not have them: à.');
    expect(picture.description).toContain('the first 64 of 94 are read');
    expect(picture.description).toContain('Trained beforehand on “Pride and Prejudice” (Jane Austen, 1813): 500 steps, one seed (1).');
  });

  it('follow the words as they are arranged', async () => {
    const { reading } = (await figureOf(kind, { text: 'Rohan killed the lion.', order: [3, 1, 2, 0, 4] })).numbers as HeadNumbers;
    expect(reading.characters.join('')).toBe('lion killed the rohan.');
  });

  it('are chosen by a click, and by keys from layer to layer', async () => {
    const { numbers, spec } = await figureOf(kind, { layer: 1, head: 4 });
    expect(kind.choose?.(numbers, spec as never, { head: 5 })).toEqual({ layer: 2, head: 2 });
    expect(kind.choose?.(numbers, spec as never, { query: 5, key: 3 })).toBeUndefined();
    const [previous, next] = kind.actions?.(numbers, spec as never) ?? [];
    expect([previous?.fields({}), next?.fields({})]).toEqual([
      { layer: 1, head: 3 },
      { layer: 2, head: 1 },
    ]);
  });

  it('offer every encoding of which a model of characters ships, and no other', async () => {
    const { control } = kind.fields.encoding;
    expect(control.kind === 'encoding' && control.ids).toEqual(TEXTS);
    for (const encoding of TEXTS) {
      const figure = await figureOf(kind, { encoding });
      expect(figure.proof().good, encoding).toBe(true);
      expect(figure.tables().map(({ name }) => name)).toEqual(['weights', 'back', 'first', 'maps']);
    }
  });

  it('say how much attention the first character gets: no head of any of them has a sink', async () => {
    // Where all weights are equal it gets 1, 1/2, 1/3 and so on.
    const text = 'he delighted in going to pemberley, especially when he was least';
    const even = [...text].reduce((sum, _, query) => sum + 1 / (query + 1), 0) / text.length;
    for (const encoding of TEXTS) {
      const { maps, first } = (await figureOf(kind, { encoding, text })).numbers as HeadNumbers;
      expect(maps.shape).toEqual([8, 64, 64]);
      first.data.forEach((share, head) => {
        const column = Array.from({ length: 64 }, (_, query) => maps.data[(head * 64 + query) * 64] as number);
        expect(share).toBeCloseTo(column.reduce((sum, weight) => sum + weight, 0) / 64, 6);
        // A sink has more than 0.3 (Gu et al. 2024).
        expect(share, `${encoding}, head ${head}`).toBeLessThan(0.1);
      });
      if (encoding === 'none') expect(Math.max(...first.data)).toBeCloseTo(even, 1);
    }
  });

  it('have a program that gives the same weights', async () => {
    const figure = await figureOf(kind, { text: 'so it is' });
    const { phasor: program } = await figure.code();
    const { readFileSync } = await import('node:fs');
    const fetched = async (file: string) => new Response(readFileSync(`public/models/${file}`));
    const body = program.replace(/^import .*\n/, '');
    const left = await new Function('createTrainer', 'fetch', `return (async () => { ${body}\nreturn { weights, first, maps }; })();`)(
      createTrainer,
      fetched,
    );
    const [weights, , first, maps] = figure.tables();
    expect(left.first).toEqual(first?.tensor);
    expect(left.weights).toEqual(weights?.tensor);
    expect(left.maps).toEqual(maps?.tensor);
  });
});

describe('heads of a model that trains here', () => {
  const novel = 'so it is said, and so it is that the lion and the rohan are in the tale. '.repeat(80);
  /** It stops by itself after so many snapshots beyond the first. */
  async function training(given: object, count: number, more: object = {}) {
    const spec = readSpec(kind as never, { encoding: 't5', run: 'live', text: 'so it is', ...given });
    const seen: HeadNumbers[] = [];
    const pace = new Pace();
    const means = {
      engine: phasor,
      models,
      createTrainer: createTrainerWorker,
      corpus: async () => novel,
      early: (numbers: object): void => void seen.push(numbers as HeadNumbers),
      pace,
      progress: (share: number): void => void (share >= (count + 1) / (SNAPSHOTS + 1) && pace.stop()),
      ...more,
    };
    return { numbers: (await kind.compute(spec as never, means as never)) as HeadNumbers, seen, spec };
  }
  /** The text of the models that ship has other symbols; here all of theirs stand once. */
  const withSymbols = async () => {
    const shipped = await models();
    const { text } = await shipped.find('text-t5');
    return `${novel}${text?.symbols ?? ''}`;
  };

  it('are those of each snapshot, also of another text and in another view', async () => {
    const kept = new Kept();
    const corpus = await withSymbols();
    const made: Train.Trainer[] = [];
    const createTrainer = async (spec: never) => {
      made.push(await createTrainerWorker(spec));
      return made.at(-1) as Train.Trainer;
    };
    const more = { kept, createTrainer, corpus: async () => corpus };
    const { numbers, seen, spec } = await training({ seed: 3 }, 2, more);
    expect(numbers).toMatchObject({ origin: 'live', steps: [0, 25, 50], at: 2, isRunning: false });
    expect(made.length).toBe(1);
    // Each picture on the way is of the latest weights.
    expect(seen.map(stepShown)).toEqual([0, 25, 50]);
    expect(new Set(seen.map(({ maps }) => maps.data.join())).size).toBe(3);
    expect(seen.every((one) => one.isRunning && kind.proof(one, spec as never).residual < 1e-5)).toBe(true);
    expect(kind.proof(numbers, spec as never).source).toContain('found after 50 steps, with the seed 3');
    // The same weights in a trainer of its own.
    const alone = await createTrainerWorker({ task: 'text', encoding: 't5', seed: 3, corpus });
    await alone.step(25);
    const lettersOf = [...'so it goes'];
    const { data } = await alone.attentionMaps(await alone.tokens('so it goes'));
    alone.dispose();
    const before = await training({ seed: 3, snapshot: 1, text: 'so it goes' }, 9, more);
    expect([stepShown(before.numbers), before.seen.length, made.length]).toEqual([25, 0, 1]);
    expect(before.numbers.maps.shape).toEqual([LAYERS * HEADS, lettersOf.length, lettersOf.length]);
    before.numbers.maps.data.forEach((weight, at) => {
      if (!Number.isNaN(weight)) expect(weight).toBeCloseTo(data[at] as number, 5);
    });
    const biases = (await training({ seed: 3, show: 'table', snapshot: 0 }, 9, more)).numbers as unknown as BiasNumbers;
    expect([biases.show, stepShown(biases), made.length]).toEqual(['bias', 0, 1]);
    // On from where it stopped, by the same trainer.
    expect((await training({ seed: 3 }, 3, more)).numbers.steps).toEqual([0, 25, 50, 75]);
    expect(made.length).toBe(1);
    const labels = kind.actions?.(before.numbers, before.spec as never).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['Next head', 'Earlier', 'Later', 'Go on training', 'The recording']));
    expect(kind.choose?.(numbers, spec as never, { snapshot: 1 })).toEqual({ snapshot: 1 });
    expect(kind.choose?.(numbers, spec as never, { snapshot: 3 })).toBeUndefined();
    expect(kind.readout(numbers, spec as never, { snapshot: 1 })).toBe('The model after 25 steps: choose it to see it');
    for (const width of [700, 330]) expectAnswering(kind.scene(numbers, spec as never, { width, theme: 'light' }), width);
    const { description } = kind.scene(before.numbers, before.spec as never, { width: 700, theme: 'light' }).picture;
    expect(description).toContain('Live, trained here on “Pride and Prejudice” (Jane Austen, 1813), one seed (3): step 50 of 500.');
    expect(description).toContain('What is shown is the model after 25.');
    kept.dispose();
    await new Promise((resolve) => setTimeout(resolve));
    expect(made.every(({ disposed }) => disposed)).toBe(true);
  }, 90_000);

  it('stay paused when the reader, who has paused, chooses another head', async () => {
    const kept = new Kept();
    const corpus = await withSymbols();
    const more = { kept, corpus: async () => corpus };
    const [pace, end] = [new Pace(), new AbortController()];
    const left = training({}, 9, {
      ...more,
      pace,
      signal: end.signal,
      progress: () => {},
      early: () => pace.isPaused.peek() || pace.toggle(),
    });
    await expect.poll(() => pace.isPaused.peek()).toBe(true);
    end.abort();
    await expect(left).rejects.toThrow(/cancelled/);
    const next = new Pace();
    const drawn: HeadNumbers[] = [];
    const going = training({ head: 1 }, 9, { ...more, pace: next, progress: () => {}, early: (one: HeadNumbers) => void drawn.push(one) });
    await expect.poll(() => drawn.length).toBe(1);
    expect(next.isPaused.peek()).toBe(true);
    next.stop();
    expect((await going).numbers.steps).toEqual([0]);
    kept.dispose();
  }, 60_000);

  it('have a program that trains as far and gives the same weights', async () => {
    const corpus = await withSymbols();
    const { numbers, spec } = await training({}, 1, { corpus: async () => corpus });
    const { phasor: program, pytorch } = (await kind.code()).code(spec as never, phasor.encodings, numbers);
    const body = program.replace(/^import .*\n/, '');
    const left = await new Function('createTrainer', 'fetch', `return (async () => { ${body}\nreturn { weights }; })();`)(
      createTrainer,
      async (file: string) => new Response(file === 'pride-and-prejudice.txt' ? corpus : ''),
    );
    const [weights] = kind.tables(numbers, spec as never);
    (left.weights.data as Float32Array).forEach((weight, at) => {
      const shown = weights?.tensor.data[at] as number;
      if (Number.isNaN(shown)) expect(weight).toBeNaN();
      else expect(weight).toBeCloseTo(shown, 5);
    });
    expect(pytorch).toMatch(/^# Trained here: run it with --fresh/);
  }, 60_000);

  it('are refused where a page has no novel', async () => {
    await expect(training({}, 1, { corpus: undefined })).rejects.toThrow(/^run: live: this page does not have the novel/);
    const figure = await figureOf(kind, { encoding: 't5' });
    expect(kind.actions?.(figure.numbers, figure.spec as never).map(({ label }) => label)).not.toContain('Train it here');
  });
});

describe('a learned table', () => {
  it('is random before training, and afterwards near positions are alike', async () => {
    const figure = await figureOf(kind, { encoding: 'learned', show: 'table' });
    const { before, after, near, expected } = figure.numbers as TableNumbers;
    expect(Math.abs(along(before, 1))).toBeLessThan(0.1);
    expect(along(after, 1)).toBeCloseTo(near, 4);
    expect(along(after, 1)).toBeGreaterThan(0.6);
    expect(along(after, 16)).toBeLessThan(0);
    expect(near).toBeCloseTo(expected, 3);
    expect(figure.proof()).toMatchObject({ good: true });
    expect(figure.scene().picture.description).toContain('Recorded, one seed (1): npm run train -- geometry_1d ');
    expect(figure.readout()).toBe('After 400 steps: neighbouring positions have a mean cosine of 0.771');
    expect(figure.readout({ query: 1, key: 2 })).toMatch(/^Positions 1 and 2: cosine [−\d.]+ before training, [\d.]+ after 400 steps$/);
    expectAnswering(figure.scene(), 700);
    expectAnswering(figure.scene(330), 330);
  });

  it('trains here to the recorded end, in pictures that are whole, and stays to be looked through', async () => {
    const kept = new Kept();
    const made: Train.Trainer[] = [];
    const counted = async (spec: never) => {
      made.push(await createTrainerWorker(spec));
      return made.at(-1) as Train.Trainer;
    };
    const { numbers, seen, spec } = await trained({}, { kept, createTrainer: counted });
    expect(numbers.steps).toEqual(Array.from({ length: SNAPSHOTS + 1 }, (_, at) => 20 * at));
    expect(kind.proof(numbers, spec as never)).toMatchObject({ residual: expect.any(Number) });
    expect(Math.abs(numbers.near - numbers.expected)).toBeLessThan(0.01);
    expect(seen.length).toBeGreaterThan(SNAPSHOTS);
    expect(stepShown(seen[0] as TableNumbers)).toBe(0);
    const { picture } = kind.scene(seen[3] as TableNumbers, spec as never, { width: 600, theme: 'light' });
    expect(picture.description).toMatch(/Live, trained here, one seed \(1\): step \d+ of 400/);
    const early = kind.proof(seen[1] as TableNumbers, spec as never);
    expect(early.residual).toBeGreaterThan(early.tolerance);
    expect(made.every(({ disposed }) => disposed)).toBe(true);
    // Without another step.
    const at5 = await trained({ snapshot: 5 }, { kept, createTrainer: counted });
    expect([stepShown(at5.numbers), at5.seen.length, made.length]).toEqual([100, 0, 1]);
    expect(at5.numbers.near).toBeLessThan(numbers.near);
    expect(kind.choose?.(at5.numbers, at5.spec as never, { snapshot: 7 })).toEqual({ snapshot: 7 });
    expectAnswering(kind.scene(at5.numbers, at5.spec as never, { width: 600, theme: 'light' }), 600);
    kept.dispose();
  }, 90_000);

  it('stops where the reader says so, and goes on from there', async () => {
    const kept = new Kept();
    const made: Train.Trainer[] = [];
    const counted = async (spec: never) => {
      made.push(await createTrainerWorker(spec));
      return made.at(-1) as Train.Trainer;
    };
    const end = new AbortController();
    const progress = (share: number): void => {
      if (share > 3 / 21) end.abort();
    };
    await expect(trained({}, { kept, createTrainer: counted, signal: end.signal, progress })).rejects.toThrow(/cancelled/);
    expect(made[0]?.disposed).toBe(false);
    const cut = await trained({ snapshot: 2 }, { kept, createTrainer: counted });
    expect([stepShown(cut.numbers), made.length]).toEqual([40, 1]);
    const labels = kind.actions?.(cut.numbers, cut.spec as never).map(({ label }) => label);
    expect(labels).toContain('Go on training');
    const pace = new Pace();
    const stop = (share: number): void => {
      if (share > 7 / 21) pace.stop();
    };
    const on = await trained({}, { kept, createTrainer: counted, pace, progress: stop });
    expect(on.numbers.steps.length).toBe(8);
    expect(made.length).toBe(1);
    // Another seed takes its place.
    const other = new Pace();
    await trained({ seed: 2 }, { kept, createTrainer: counted, pace: other, progress: () => other.stop() });
    await new Promise((resolve) => setTimeout(resolve));
    expect(made.map(({ disposed }) => disposed)).toEqual([true, false]);
    kept.dispose();
    await new Promise((resolve) => setTimeout(resolve));
    expect(made.every(({ disposed }) => disposed)).toBe(true);
  }, 90_000);

  it('has a program in NumPy and one that trains', async () => {
    const { numbers, spec } = await trained({ snapshot: 1 });
    const { numpy, phasor: program, pytorch } = (await kind.code()).code(spec as never, phasor.encodings, numbers);
    const [{ arrays }] = runPython([{ program: numpy, files: { rows: numbers.rows }, want: ['after'] }]) as [
      ReturnType<typeof runPython>[0],
    ];
    expect(farthest(numbers.after.data, arrays.after?.data)).toBeLessThan(0.5e-4);
    const body = program.replaceAll(/^import .*\n/gm, '');
    const { createPhasor } = await import('../../../dist/npm/node.js' as string);
    const left = await new Function('createPhasor', 'createTrainer', `return (async () => { ${body}\nreturn { before, after }; })();`)(
      createPhasor,
      createTrainer,
    );
    for (const name of ['before', 'after'] as const) expect(farthest(numbers[name].data, left[name].data)).toBeLessThan(0.5e-3);
    expect(pytorch).toMatch(/^# Trained here: run it with --fresh/);
    const recorded = await (await figureOf(kind, { encoding: 'learned', show: 'table' })).code();
    expect(recorded.pytorch).toContain('named geometry_1d_learned.safetensors');
  });
});

describe('a learned bias', () => {
  it.each(['t5', 'kerple', 'fire', 'relative_bias'])('of %s depends on the distance, and NumPy gives the same curves', async (encoding) => {
    const figure = await figureOf(kind, { encoding, show: 'table' });
    const { curves, learned } = figure.numbers as BiasNumbers;
    expect(curves.shape).toEqual([HEADS, 64]);
    expect(figure.proof()).toMatchObject({ good: true });
    expectAnswering(figure.scene(), 700);
    const { numpy } = await figure.code();
    const [{ arrays, error }] = runPython([{ program: numpy, files: Object.fromEntries(learned), want: ['curves'] }]) as [
      ReturnType<typeof runPython>[0],
    ];
    expect(error).toBeUndefined();
    const largest = Math.max(...curves.data.map(Math.abs));
    expect(farthest(curves.data, arrays.curves?.data)).toBeLessThan(1e-4 * largest);
  });

  it('of T5 is what training made of it: the characters just before count most', async () => {
    const figure = await figureOf(kind, { encoding: 't5', show: 'table' });
    const { curves } = figure.numbers as BiasNumbers;
    expect(figure.readout()).toMatch(
      /^Largest bias: head 1 for the character before \([\d.]+\), head 2 for the one 2 characters back \([\d.]+\), head 3 /,
    );
    for (let head = 0; head < HEADS; head++) {
      const row = [...curves.data.subarray(head * 64, (head + 1) * 64)];
      expect([1, 2]).toContain(row.indexOf(Math.max(...row)));
      // Chapter 9 of the book says of all heads that the bias falls for about eight characters and then hardly changes.
      const far = row.slice(8);
      expect(Math.max(...far) - Math.min(...far), `head ${head + 1}`).toBeLessThan((Math.max(...row) - (row[8] as number)) / 3);
    }
  });
});

describe('what cannot be shown', () => {
  it.each([
    [{ text: '“…”' }, /^text: it has no character that the model knows/],
    [{ show: 'table' }, /^show: rope has no learned numbers of positions/],
    [{ show: 'table', encoding: 'learned', seed: 2 }, /^seed: only seed 1 was recorded/],
    [{ show: 'table', encoding: 'learned', run: 'live' }, /^run: live: this page has nothing that trains/],
    [{ run: 'live' }, /^run: live: this page has nothing that trains/],
    [{ seed: 2 }, /^seed: only seed 1 was recorded/],
  ])('%j is refused in one sentence', async (given, sentence) => {
    await expect(figureOf(kind, given)).rejects.toThrow(sentence);
  });

  it('is said where a page has no models', async () => {
    const spec = readSpec(kind as never, {});
    await expect(kind.compute(spec as never, { engine: phasor } as never)).rejects.toThrow(/^encoding: this page has no trained models/);
  });

  it('offers the heads of a learned table only where the page has that model, as a page that is one file may not', async () => {
    const spec = readSpec(kind as never, { encoding: 'learned', show: 'table' });
    const all = await models();
    // As ShippedModels, with an index of two.
    const few = Object.assign(Object.create(all), {
      list: async () => (await all.list()).filter(({ id }) => id.startsWith('geometry_')),
    });
    const labels = async (of: unknown) => {
      const numbers = await kind.compute(spec as never, { engine: phasor, models: async () => of } as never);
      return kind.actions?.(numbers, spec as never).map(({ label }) => label);
    };
    expect(await labels(all)).toContain('Attention on the sentence');
    expect(await labels(few)).not.toContain('Attention on the sentence');
    const heads = readSpec(kind as never, { encoding: 'learned' });
    await expect(kind.compute(heads as never, { engine: phasor, models: async () => few } as never)).rejects.toThrow(
      /^there is no model "text-learned" here; there are geometry_1d-learned, geometry_2d-learned\. The website /,
    );
  });

  it('says that parameters of the reader are not those of the model', async () => {
    const described = async (encoding: string) => (await figureOf(kind, { encoding })).scene().picture.description;
    expect(await described('rope base=500000')).toContain('with parameters of its own instead of those chosen here');
    expect(await described('rope')).not.toContain('parameters of its own');
  });
});

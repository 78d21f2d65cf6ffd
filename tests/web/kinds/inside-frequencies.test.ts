// The frequencies that the heads of the shipped models use, computed by the real trainer.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTrainer } from '../../../web/engine/train.node.ts';
import type { FrequencyResults } from '../../../web/figure/kinds/inside/frequencies.ts';
import { FrequencyUse, normalizeRows } from '../../../web/figure/kinds/inside/frequencies-compute.ts';
import { HEADS, kind, LAYERS } from '../../../web/figure/kinds/inside/index.ts';
import { runPython } from '../python/run.ts';
import { models, modelsWith } from './shipped.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

const TEXTS = (await (await models()).list()).filter(({ spec }) => spec.task === 'text').map(({ spec }) => spec.encoding.id as string);
const ROTATING = TEXTS.filter((id) => phasor.encodings.find((one) => one.id === id)?.rotates);
/** Longer than a training text. */
const LONG = 'It is a truth universally acknowledged, that a single man in possession of a good fortune must be in want of a wife.';

const frequencyFigure = (fields: object = {}) => figureOf(kind, { show: 'frequencies', ...fields });
const headCount = LAYERS * HEADS;

describe('FrequencyUse', () => {
  it('averages the products of query and key lengths over visible keys', () => {
    const frequencyUse = new FrequencyUse(1, [
      [0, 1],
      [2, 3],
    ]);
    // Lengths of q are 5, 1 and 0, 2; lengths of k are 1, 3 and 2, 4.
    frequencyUse.add(Float32Array.of(3, 4, 0, 0, 0, 1, 2, 0), Float32Array.of(1, 0, 2, 0, 0, 3, 0, 4), 2);
    expect([...frequencyUse.computeMeans().data]).toEqual([(5 * 1 + 1 * 1 + 1 * 3) / 3, (0 + 2 * 2 + 2 * 4) / 3].map(Math.fround));
    // A second passage, of one character.
    frequencyUse.add(Float32Array.of(1, 0, 0, 0), Float32Array.of(0, 7, 0, 0), 1);
    expect(frequencyUse.computeMeans().data[0]).toBe((9 + 7) / 4);
    expect([...normalizeRows({ shape: [1, 2], data: Float32Array.of(1, 3) }).data]).toEqual([0.25, 0.75]);
  });
});

describe('inside figure, frequencies', () => {
  it.each(ROTATING)('computes the shares of %s from the queries and keys of the model', async (encoding) => {
    const figure = await frequencyFigure({ encoding, text: LONG });
    const { shares, q, k, wavelengths, residual } = figure.results as FrequencyResults;
    expect(shares.shape).toEqual([headCount, 8]);
    expect([q.shape, k.shape]).toEqual([
      [headCount, LONG.length, 16],
      [headCount, LONG.length, 16],
    ]);
    for (let head = 0; head < headCount; head++)
      expect(shares.data.slice(8 * head, 8 * head + 8).reduce((sum, one) => sum + one)).toBeCloseTo(1, 5);
    expect(residual).toBeGreaterThan(0);
    expect(figure.proof()).toMatchObject({ good: true });
    expect(wavelengths[0]).toBeCloseTo(2 * Math.PI, 5);
    expect([...wavelengths]).toEqual([...wavelengths].sort((a, b) => a - b));
    expectAnswering(figure.scene(), 700);
    expectAnswering(figure.scene(330), 330);
  });

  it('bounds the mean score by the sum of the products of all pairs', async () => {
    const { products, q, k, config, trainedLength } = (await frequencyFigure()).results as FrequencyResults;
    const { scores } = await phasor.attention({ q, k, v: k, encoding: config.encoding, mask: 'causal', scale: 1, outputs: ['scores'] });
    const side = q.shape[1] as number;
    expect(side).toBeLessThan(trainedLength);
    for (let head = 0; head < headCount; head++) {
      const visibleScores = scores.data.slice(head * side ** 2, (head + 1) * side ** 2).filter(Number.isFinite);
      const mean = visibleScores.reduce((sum, score) => sum + Math.abs(score), 0) / visibleScores.length;
      const bound = products.data.slice(8 * head, 8 * head + 8).reduce((sum, one) => sum + one);
      expect(mean).toBeLessThan(bound);
      // The bound is within a factor of 20 of the scores.
      expect(mean).toBeGreaterThan(bound / 20);
    }
  });

  it('reports queries and keys that are not those of the model', async () => {
    const wrongModels = modelsWith((trainer) => ({
      // A trainer that returns rotated queries.
      queriesAndKeys: async (tokens) => {
        const { q, k } = await trainer.queriesAndKeys(tokens);
        const [layers = 1, heads = 1, side = 1, width = 1] = q.shape;
        const flat = { shape: [layers * heads, side, width], data: q.data };
        const { data } = await phasor.applyRotary(flat, {
          encoding: trainer.config.encoding,
          positions: Array.from({ length: side }, (_, index) => index),
        });
        return { q: { shape: q.shape, data }, k };
      },
    }));
    const { spec } = await frequencyFigure();
    const results = await kind.compute(spec as never, { engine: phasor, models: async () => wrongModels } as never);
    const { residual, tolerance, conclusion } = kind.proof(results, spec as never);
    expect(residual).toBeGreaterThan(tolerance);
    expect(conclusion).toBe('After rotation, these queries and keys do not reproduce the model’s attention weights.');
  });

  it('exports Python and phasor programs that compute the same values', async () => {
    const figure = await frequencyFigure({ text: LONG });
    const { python, phasor: program, data: files } = await figure.code();
    const tables = Object.fromEntries(figure.tables().map(({ name, tensor }) => [name, tensor]));
    const [{ arrays, error }] = runPython([{ program: python, files, want: ['shares', 'products', 'halves'] }]) as [
      ReturnType<typeof runPython>[0],
    ];
    expect(error).toBeUndefined();
    for (const name of ['shares', 'products', 'halves']) {
      const { shape, data } = tables[name] as { shape: number[]; data: Float32Array };
      expect(arrays[name]?.shape).toEqual(shape);
      data.forEach(
        (value, index) => void expect(Math.abs((arrays[name]?.data[index] ?? Number.NaN) - value)).toBeLessThan(1e-4 * (1 + value)),
      );
    }
    const body = program.replace(/^import .*\n/, '');
    const fetched = async (file: string) => new Response(readFileSync(`public/models/${file}`));
    const variables = await new Function('createTrainer', 'fetch', `return (async () => { ${body}\nreturn { products, shares }; })();`)(
      createTrainer,
      fetched,
    );
    expect(variables.products).toEqual(tables.products);
    for (let at = 0; at < variables.shares.data.length; at++)
      expect(variables.shares.data[at]).toBeCloseTo(tables.shares?.data[at] as number, 6);
    expect(python).toContain('as text_rope.safetensors next to');
    expect(Object.keys(files)).toEqual(['text_rope.json', 'q.npy', 'k.npy']);
  });

  it('describes a head and a pair of it', async () => {
    const figure = await frequencyFigure();
    expect(figure.readout()).toMatch(
      /^Layer 2, head 3: the most used is pair 3, one rotation in 199 characters: \d+%\. On average, most attention goes to the character before: \d+%$/,
    );
    expect(figure.readout({ head: 1, pair: 7 })).toMatch(
      /^Layer 1, head 2: pair 7, one rotation in 19,869 characters: [\d.]+% of the head’s \|q\|\|k\|, [\d.]+ on average$/,
    );
    expect(figure.scene().picture.description).toContain('The faster half of the pairs has a share of ');
    expect(figure.tables().map(({ name }) => name)).toEqual(['shares', 'halves', 'products', 'back', 'q', 'k']);
  });

  it('links to the attention of the same head and back, and selects heads by click', async () => {
    const { results, spec } = await frequencyFigure({ layer: 1, head: 4 });
    expect(kind.choose?.(results, spec as never, { head: 5, pair: 2 })).toEqual({ layer: 2, head: 2 });
    const [, next, toHeads] = kind.actions?.(results, spec as never) ?? [];
    expect([next?.fields({}), toHeads?.fields({})]).toEqual([{ layer: 2, head: 1 }, { show: 'heads' }]);
    const heads = await figureOf(kind);
    const fields = kind.actions?.(heads.results, heads.spec as never).map((one) => one.fields({}));
    expect(fields).toContainEqual({ show: 'frequencies' });
    const alibiFigure = await figureOf(kind, { encoding: 'alibi' });
    expect(kind.actions?.(alibiFigure.results, alibiFigure.spec as never).map((one) => one.fields({}))).not.toContainEqual({
      show: 'frequencies',
    });
  });

  it.each(TEXTS.filter((id) => !ROTATING.includes(id)))('rejects %s, which has no frequencies', async (encoding) => {
    await expect(frequencyFigure({ encoding })).rejects.toThrow(
      `show: ${encoding} does not rotate pairs of channels, so it has no frequencies; expected 'heads'`,
    );
  });

  it('agrees with chapter 15 on its passage', async () => {
    const chapter = readFileSync('web/book/chapters/15-todays-models.md', 'utf8');
    const [, text = ''] = /show=frequencies[^#]*text="([^"]+)"[^#]*#used/.exec(chapter) ?? [];
    const novel = readFileSync('public/data/pride-and-prejudice.txt', 'utf8').replace(/\s+/g, ' ');
    // The last twentieth of the novel is held out.
    expect(novel.indexOf(text)).toBeGreaterThan(0.95 * novel.length);
    const figure = await frequencyFigure({ text });
    const { shares, meanByDistance } = figure.results as FrequencyResults;
    const largestIndex = (values: readonly number[]): number => values.indexOf(Math.max(...values));
    const columnOf = ({ shape, data }: FrequencyResults['shares'], column: number) =>
      Array.from({ length: headCount }, (_, head) => data[head * (shape[1] as number) + column] as number);
    // Layer 2, head 2 has the largest weight on the previous character, and uses the fastest pair most.
    expect([largestIndex(columnOf(meanByDistance, 1)), largestIndex(columnOf(shares, 0))]).toEqual([5, 5]);
    // In all eight heads the three slowest pairs are below the dashed line.
    expect(Math.max(...[5, 6, 7].flatMap((pair) => columnOf(shares, pair)))).toBeLessThan(1 / 8);
    expect(Array.from({ length: headCount }, (_, head) => largestIndex([...meanByDistance.data.slice(64 * head, 64 * head + 64)]))).toEqual(
      Array(headCount).fill(1),
    );
    const halfSplit =
      figure
        .tables()
        .find(({ name }) => name === 'halves')
        ?.tensor.data.slice(-2) ?? [];
    expect(halfSplit[0]).toBeGreaterThan(0.7);
  });

  it('rejects a text without a character of the vocabulary', async () => {
    await expect(frequencyFigure({ text: '“…”' })).rejects.toThrow(/^text: contains no character of the model’s vocabulary/);
  });
});

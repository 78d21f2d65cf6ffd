// Attention of the user's arrays: rectangular weights of an encoder-decoder, heads, and files.
import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../../web/engine/index.ts';
import { encodeNpy } from '../../../web/figure/export/npy.ts';
import { parseFile } from '../../../web/figure/files/read-file.ts';
import { kind } from '../../../web/figure/kinds/custom/index.ts';
import { expectAnswering, expectProgram, figureOf, phasor } from './table-figures.ts';

const tensor = (shape: number[], data: Iterable<number>): Tensor => ({ shape, data: Float32Array.from(data) });
/** Two heads, two queries, three keys. */
const weights = tensor([2, 2, 3], [1, 0, 0, 0.5, 0.25, 0.25, 0.125, 0.375, 0.5, 0, 0, 1]);
const words = { tokens: ['le', 'chat'], keyTokens: ['the', 'cat', 'sat'] };

describe('custom figure, rectangular weights', () => {
  it('are shown unchanged, queries by keys', async () => {
    const figure = await figureOf(kind, { weights, ...words });
    expect(figure.tables()[0]).toMatchObject({
      tensor: { shape: [2, 3], data: weights.data.slice(0, 6) },
      rows: words.tokens,
      columns: words.keyTokens,
    });
    expectAnswering(figure.scene(500), 500);
    expect(figure.readout({ longQuery: 1, longKey: 0 })).toBe('Head 0 (0 to 1): query 1 “chat”, key 0 “the”: weight 0.500');
    expect(figure.readout()).toMatch(/^Head 0 \(0 to 1\): queries 0 to 1 and keys 0 to 2, one weight per cell: weight between 0 and 1/);
    expect(figure.proof().good).toBe(true);
    await expectProgram(figure, { weights });
  });

  it('may have a batch axis of 1, and fields that do not fit are rejected by name', async () => {
    const figure = await figureOf(kind, { weights: { ...weights, shape: [1, ...weights.shape] } });
    expect(figure.results.map.shape).toEqual([2, 3]);
    for (const [fields, sentence] of [
      [{ tokens: words.keyTokens }, 'tokens: has 3 words; expected 2, one per token'],
      [{ keyTokens: words.tokens }, 'keyTokens: has 2 words; expected 3, one per token'],
      [{ query: 2 }, 'query: 2 is out of range; expected 0 to 1'],
      [{ key: 3 }, 'key: 3 is out of range; expected 0 to 2'],
      [{ weights: tensor([2, 3], weights.data.slice(0, 6)) }, 'weights: has shape 2 x 3; expected [heads, queries, keys]'],
      [{ weights: tensor([1, 1, 2], [Number.NaN, 1]) }, 'weights: has entries that are not finite numbers'],
    ] as const)
      await expect(figureOf(kind, { weights, ...fields })).rejects.toThrow(sentence);
  });

  it('are shown in part, and completely after zooming out', async () => {
    const figure = await figureOf(kind, { weights: tensor([1, 12, 40], Array(480).fill(1 / 40)), span: 16, key: 30 });
    expect(figure.results.map.shape).toEqual([12, 16]);
    expect(figure.readout({ longQuery: 11, longKey: 39 })).toBe('Query 11, key 39: weight 0.0250');
    const showAll = kind.actions?.(figure.results, figure.spec as never).find(({ keys }) => keys?.includes('0'));
    expect(showAll?.fields({})).toEqual({ span: 0, query: 0, key: 0 });
  });
});

describe('custom figure, queries and keys', () => {
  it('of different lengths give the weights of the engine for each head', async () => {
    const q = await phasor.randomNormal({ seed: 3, shape: [4, 5, 8] });
    const k = await phasor.randomNormal({ seed: 4, shape: [2, 9, 8] });
    const { weights: allWeights } = await phasor.attention({ q, k, v: k, outputs: ['weights'], encoding: 'alibi' });
    for (const head of [0, 3]) {
      const figure = await figureOf(kind, { q, k, encoding: 'alibi', head });
      expect(figure.results.map.shape).toEqual([5, 9]);
      for (const [index, value] of figure.results.map.data.entries())
        expect(value).toBeCloseTo(allWeights.data[head * 45 + index] as number, 6);
      expect(figure.proof().good).toBe(true);
      await expectProgram(figure, { q, k });
    }
    const pooled = await figureOf(kind, { q, k, size: 4, mask: 'causal' });
    expect(pooled.results.map.shape).toEqual([2, 3]);
    expect(pooled.readout({ longQuery: 4, longKey: 8 })).toMatch(/^Head 0 \(0 to 3\): queries 3 to 4, keys 6 to 8: mean weight /);
    await expectProgram(pooled, { q, k });
    await expect(figureOf(kind, { q, k: tensor([3, 1, 8], Array(24).fill(0)) })).rejects.toThrow(
      'k: has 3 heads; expected a divisor of 4 (the number of heads in q)',
    );
    await expect(figureOf(kind, { q, k: tensor([2, 1, 3], Array(6).fill(0)) })).rejects.toThrow('expected the same head_dim');
    await expect(figureOf(kind, { q })).rejects.toThrow('k: missing; required together with q');
  });

  it('are random without arrays, and the readout states it', async () => {
    expect((await figureOf(kind)).readout()).toMatch(/^Random vectors as queries and keys\. Head 0/);
    await expect(figureOf(kind, { tokens: 'a b' })).rejects.toThrow('q: missing; expected the arrays q and k, or weights');
  });
});

describe('custom figure, heads', () => {
  it('are selected in a cycle by buttons and keys', async () => {
    const press = async (head: number, key: string) => {
      const { results, spec } = await figureOf(kind, { weights, head });
      return kind
        .actions?.(results, spec as never)
        .find(({ keys }) => keys?.includes(key))
        ?.fields({}).head;
    };
    expect([await press(0, ']'), await press(1, 'PageDown'), await press(0, '['), await press(1, 'PageUp')]).toEqual([1, 0, 1, 0]);
    const figure = await figureOf(kind, { weights, head: 1 });
    expect(figure.scene().picture.title).toBe('Weights of head 1');
    expect(figure.results.map.data).toEqual(weights.data.slice(6));
    // A single head has no such actions.
    const weightsFigure = await figureOf(kind, { weights: tensor([1, 1, 2], [0.5, 0.5]) });
    expect(kind.actions?.(weightsFigure.results, weightsFigure.spec as never).map(({ label }) => label)).not.toContain('Next head');
    expect(weightsFigure.readout()).not.toContain('Head');
  });
});

describe('custom figure, layers', () => {
  it('are selected by buttons and keys, and divide the heads among them', async () => {
    const figure = await figureOf(kind, { weights, layers: 2, layer: 1 });
    expect(figure.results).toMatchObject({ heads: 1, map: { shape: [2, 3], data: weights.data.slice(6) } });
    expect(figure.scene().picture.title).toBe('Weights of head 0 of layer 1');
    expect(figure.readout({ longQuery: 1, longKey: 2 })).toBe('Layer 1 (0 to 1): query 1, key 2: weight 1.00');
    expect(figure.proof().good).toBe(true);
    await expectProgram(figure, { weights: tensor([1, 2, 3], weights.data.slice(6)) });
    const actions = kind.actions?.(figure.results, figure.spec as never) ?? [];
    expect(actions.slice(0, 2).map(({ keys, fields }) => [keys, fields({})])).toEqual([
      [['{'], { layer: 0 }],
      [['}'], { layer: 0 }],
    ]);
    expect(actions.map(({ label }) => label)).not.toContain('Next head');
    for (const [fields, sentence] of [
      [{ layers: 3 }, 'layers: 3 is invalid; expected a divisor of 2 (the number of heads in the arrays)'],
      [{ layers: 2, layer: 2 }, 'layer: 2 is out of range; expected 0 to 1'],
      [{ layers: 2, head: 1 }, 'head: 1 is out of range; expected 0 to 0'],
      [{ layer: 1 }, 'layer: 1 is out of range; expected 0 to 0'],
      [{ weights: undefined, layers: 2 }, 'layers: has no effect without arrays; expected q and k, or weights'],
    ] as const)
      await expect(figureOf(kind, { weights, ...fields })).rejects.toThrow(sentence);
  });

  it('are computed separately, with the slopes of the heads of one layer', async () => {
    const q = await phasor.randomNormal({ seed: 3, shape: [4, 3, 8] });
    const k = await phasor.randomNormal({ seed: 4, shape: [2, 3, 8] });
    const firstHalf = ({ shape, data }: Tensor) => tensor([(shape[0] ?? 0) / 2, ...shape.slice(1)], data.slice(data.length / 2));
    const figure = await figureOf(kind, { q, k, encoding: 'alibi', layers: 2, layer: 1, head: 1 });
    const singleHeadFigure = await figureOf(kind, { q: firstHalf(q), k: firstHalf(k), encoding: 'alibi', head: 1 });
    expect(figure.results.map).toEqual(singleHeadFigure.results.map);
    expect(figure.readout()).toMatch(/^Layer 1 \(0 to 1\), head 1 \(0 to 1\): queries 0 to 2/);
  });
});

describe('custom figure, files', () => {
  const accept = (name: string, bytes: Uint8Array) => kind.accept?.(parseFile(name, bytes));
  const text = (content: string) => new TextEncoder().encode(content);

  it('with one array provide weights, and a matrix is one head', () => {
    const matrix = tensor([1, 2, 3], weights.data.slice(0, 6));
    expect(accept('w.csv', text('1,0,0\n0.5,0.25,0.25'))?.weights).toEqual(matrix);
    expect(accept('w.npy', encodeNpy(weights) as Uint8Array)?.weights).toEqual(weights);
    expect(accept('w.json', text('[[1,0,0],[0.5,0.25,0.25]]'))).toMatchObject({ weights: matrix, q: undefined, mask: 'none', head: 0 });
  });

  it('with several arrays provide q and k, or weights, by name', () => {
    const [q, k] = [tensor([1, 2, 2], [1, 2, 3, 4]), tensor([1, 1, 2], [5, 6])];
    expect(kind.accept?.({ name: 'a', tensors: { q, k, v: k } })).toMatchObject({ q, k, weights: undefined });
    expect(kind.accept?.({ name: 'a', tensors: { other: q, weights } })).toMatchObject({ weights });
    expect(() => kind.accept?.({ name: 'a', tensors: { a: q, b: k } })).toThrow(
      'the file has the arrays a and b; expected q and k, weights, or a single array',
    );
    expect(kind.accept?.({ name: 'a', text: 'words' })).toBeUndefined();
  });
});

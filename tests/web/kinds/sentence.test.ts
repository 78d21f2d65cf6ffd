// The sentence figure with its arcs, stripes and clocks, computed by the real core.
import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../web/charts/picture.ts';
import { CALL } from '../../../web/engine/call/call-key.ts';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind as attention } from '../../../web/figure/kinds/attention/index.ts';
import { kind } from '../../../web/figure/kinds/sentence/index.ts';
import { arcWidth } from '../../../web/figure/words/arcs.ts';
import { layoutSentence } from '../../../web/figure/words/layout.ts';
import { weightColor } from '../../../web/figure/words/marks.ts';
import { context, FRAME, figureOf, phasor } from './sentence-means.ts';

const textsOf = ({ marks }: Picture): string[] => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));

describe('sentence figure', () => {
  it('draws the last row of the weights of the attention figure', async () => {
    const fields = { encoding: 'rope', head: 3, order: '2,0,1,3' };
    const { spec, results } = await figureOf(kind, fields);
    const { results: attentionResults } = await figureOf(attention, fields);
    expect(results.weights).toEqual(attentionResults.weights);
    const row = attentionResults.weights.data.subarray(12);
    // Narrow figures draw arcs.
    const strokes = kind
      .scene(results, spec, { ...FRAME, width: 200 })
      .picture.marks.flatMap((mark) => (mark.key?.startsWith('arc-') && 'stroke' in mark ? [mark.stroke] : []));
    expect(strokes).toEqual(
      Array.from(row)
        .sort((a, b) => a - b)
        .map((weight) => Math.max(0.5, arcWidth(weight))),
    );
    // Wide figures write shares into tiles, and draw ribbons in the colours of the tiles.
    const { marks } = kind.scene(results, spec, FRAME).picture;
    const shares = marks.flatMap((mark) => (mark.kind === 'text' && mark.text.endsWith('%') ? [mark.text] : []));
    expect(shares).toEqual(Array.from(row, (weight) => `${Math.round(100 * weight)}%`));
    const colors = marks.flatMap((mark) => (mark.kind === 'path' && mark.fill ? [mark.color] : []));
    for (const weight of row) expect(colors.filter((color) => color === weightColor(weight, 'light').fill)).toHaveLength(2);
  });

  it.each([
    ['none', undefined, 0],
    ['sinusoidal', [4, 64], 32],
    ['rope', [4, 8], 8],
    ['alibi', [4, 4], 0],
    ['shaw', [4, 4], 0],
  ])('draws the stripes and clocks of %s', async (encoding, shape, clocks) => {
    const { spec, results } = await figureOf(kind, { encoding, positionOffset: 2 });
    const added = kind.tables(results, spec).find(({ name }) => name === 'added');
    expect(added?.tensor.shape).toEqual(shape);
    const { picture } = kind.scene(results, spec, FRAME);
    expect(picture.rasters).toHaveLength(shape ? 4 : 0);
    expect(picture.marks.filter(({ key }) => key?.startsWith('hand-'))).toHaveLength(clocks);
    const texts = textsOf(picture);
    expect(texts).toEqual(expect.arrayContaining(['Rohan', 'killed', 'the', 'lion']));
    expect(texts.includes('5')).toBe(shape !== undefined);
    if (clocks > 0) expect(texts).toContain('Clocks of “lion” at position 5');
  });

  it('describes the weight, stripe value or clock under the pointer', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'rope' });
    const scene = kind.scene(results, spec, FRAME);
    const { tiles } = layoutSentence(results.placedWords, { width: FRAME.width });
    const [first] = tiles;
    const word = scene.hit((first?.word.x ?? 0) + 3, (first?.word.y ?? 0) + 3);
    expect(word).toEqual({ query: 3, key: 0 });
    expect(kind.readout(results, spec, word ?? {})).toMatch(/^“lion” attends to “Rohan”: weight 0\.\d+$/);
    const stripe = scene.hit((first?.stripe.x ?? 0) + (first?.stripe.width ?? 0) - 1, (first?.stripe.y ?? 0) + 2);
    expect(stripe).toEqual({ query: 3, key: 0, pair: 7 });
    expect(kind.readout(results, spec, stripe ?? {})).toBe('Position 0, pair 7: angle 0 rad');
    const dial = scene.picture.marks.find(({ key }) => key === 'dial-2') as unknown as { cx: number; cy: number };
    expect(scene.hit(dial.cx, dial.cy)).toEqual({ pair: 2 });
    expect(kind.readout(results, spec, { query: 1, pair: 0 })).toBe('Position 1, pair 0: angle 1.00 rad');
    expect(kind.readout(results, spec, {})).toMatch(/^In head 1 of 4, “lion” attends most to itself: weight 0\.\d+$/);
    expect(scene.hit(0, 0)).toBeUndefined();
    expect(scene.overlay({})).toEqual([]);
    expect(scene.overlay({ query: 1, key: 0 })).toHaveLength(2);
    expect(scene.step(scene.step({}, 1, 0), 1, 0)).toEqual({ query: 1 });
  });

  it('distinguishes masked weights from small ones', async () => {
    const { spec, results } = await figureOf(kind, { mask: 'causal' });
    expect(kind.readout(results, spec, { query: 0, key: 2 })).toBe('“Rohan” cannot attend to “the”: it is masked');
    expect(kind.tables(results, spec)[0]?.tensor.data[2]).toBe(0);
  });

  it.each([
    ['as written, without positions', { encoding: 'none' }, true],
    ['as written, with positions', { encoding: 'rope' }, false],
    ['moved, without positions', { encoding: 'none', order: '1,0,3,2' }, true],
    ['moved, with positions', { encoding: 'sinusoidal', order: '1,0,3,2' }, false],
  ])('proves whether attention depends on the order: %s', async (_, input, good) => {
    const { spec, results } = await figureOf(kind, input);
    const proof = kind.proof(results, spec);
    expect(passes(proof), `${proof.residual}`).toBe(good);
    expect(proof.residual).toBeGreaterThan(0);
  });

  it.each([
    ['one token', { text: '🦁' }],
    ['emoji and right-to-left', { text: 'מֶלֶךְ 👩‍👩‍👧 lion', encoding: 'alibi' }],
    ['a width of 1', { dim: 1, heads: 1, encoding: 'none' }],
    ['an odd width', { dim: 7, heads: 1 }],
    ['300 words', { text: 'a word '.repeat(150), encoding: 'rope' }],
  ])('draws %s', async (_, fields) => {
    const { spec, results } = await figureOf(kind, fields);
    for (const width of [700, 358]) {
      const { picture } = kind.scene(results, spec, { ...FRAME, width });
      expect(picture.width).toBe(width);
      expect(textsOf(picture).join(' ')).not.toMatch(/NaN|undefined/);
    }
    expect(kind.readout(results, spec, { query: 1e9, key: -1, channel: 1e6 })).toMatch(/attends most to/);
  });

  it.each([
    [{ text: '\n' }, 'text: has no words'],
    [{ encoding: 'rope', dim: 7, heads: 1 }, /^dim: /],
    [{ order: '1,1' }, /^order: /],
    [{ positionOffset: 0.5 }, 'positionOffset: 0.5 is not a whole number'],
  ])('rejects invalid fields with one sentence (case %#)', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });

  it.each(['none', 'causal'])('shows its picture before the proof is computed and keeps it: mask %s', async (mask) => {
    const { spec, results } = await figureOf(kind, { encoding: 'alibi', mask, order: '1,0,3,2', head: 2 });
    let prove = (): void => {};
    const proven = new Promise<void>((resolve) => (prove = resolve));
    const outputsRequested: string[] = [];
    const engine = {
      ...context.engine,
      selfAttention: async (request: Parameters<typeof phasor.selfAttention>[0]) => {
        outputsRequested.push('layer');
        return phasor.selfAttention(request);
      },
      [CALL]: async (...call: Parameters<(typeof phasor)[typeof CALL]>) => {
        outputsRequested.push(call[0]);
        await proven;
        return phasor[CALL](...call);
      },
    } as typeof context.engine;
    const partialPictures: object[] = [];
    const computation = kind.compute(spec, { ...context, engine, partial: (picture) => partialPictures.push(picture) });
    await expect.poll(() => partialPictures.length).toBe(1);
    expect(outputsRequested).toEqual(['layer', 'layer', 'permutationTest']);
    prove();
    const { trial, ...pictured } = results;
    expect(partialPictures).toEqual([pictured]);
    expect(await computation).toEqual({ ...pictured, trial });
  });

  it('reports why words are unknown', async () => {
    const vocabulary = { meanNorm: 5, problem: 'The list could not be loaded.', prepare: async () => {}, vector: () => undefined };
    const { spec, results } = await figureOf(kind, {});
    expect(results.problem).toBeUndefined();
    const strange = await kind.compute(spec, { ...context, vocabulary });
    expect(strange).toMatchObject({ problem: 'The list could not be loaded.', isKnown: [false, false, false, false] });
    // The vectors of unknown words are drawn once per vocabulary.
    expect((await kind.compute(spec, { ...context, vocabulary })).embeddings).toEqual(strange.embeddings);
    expect(Math.hypot(...strange.embeddings.data.subarray(0, 64))).toBeCloseTo(5, 4);
  });

  it('exports a phasor program that computes the same weights', async () => {
    const { spec, results } = await figureOf(kind, { order: '1,0,3,2', head: 2 });
    const { phasor: program, python } = (await kind.loadPrograms()).code(spec, phasor.encodings, results);
    const body = program.replace(/^import .*$/m, '').replace(/^const phasor = .*$/m, '');
    const created = new Function('phasor', `${body}\nreturn { weights };`)(phasor);
    expect(created.weights.data).toEqual(results.weights.data);
    expect(python).toContain('added = encoding.position_table(');
  });
});

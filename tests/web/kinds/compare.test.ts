import { describe, expect, it } from 'vitest';
import { formatNumber as kindNumber } from '../../../web/charts/number.ts';
import * as analysis from '../../../web/engine/analysis.ts';
import { passes, verdictOf } from '../../../web/figure/contract/kind.ts';
import { kind as attention } from '../../../web/figure/kinds/attention/index.ts';
import { kind } from '../../../web/figure/kinds/compare/index.ts';
import { FRAME, figureOf, phasor } from './sentence-means.ts';

describe('compare figure', () => {
  it.each([
    ['weights', { encoding: 'rope', other: 'alibi' }],
    ['table', { show: 'table', encoding: 'sinusoidal', other: 'sinusoidal layout=concatenated' }],
    ['similarity', { show: 'similarity', encoding: 'sinusoidal', other: 'learned', length: 90 }],
    ['bias', { show: 'bias', encoding: 'alibi', other: 'kerple', head: 2 }],
  ])('computes the exact difference of %s', async (_, fields) => {
    const { results } = await figureOf(kind, fields);
    const { a, b, difference } = results;
    expect(difference.shape).toEqual(a.shape);
    expect(difference.data).toEqual(a.data.map((value, index) => Math.fround((b.data[index] as number) - value)));
    expect(Math.max(...difference.data.map(Math.abs))).toBeCloseTo(results.maxAbsDiff, 6);
    expect(results.maxAbsDiff).toBeGreaterThan(0.01);
  });

  it('compares the weights that the attention figure shows', async () => {
    const input = { projections: 'orthogonal', order: '3,2,0,1', head: 2 };
    const { results } = await figureOf(kind, { ...input, encoding: 'rope', other: 't5' });
    expect(results.a).toEqual((await figureOf(attention, { ...input, encoding: 'rope' })).results.weights);
    expect(results.b).toEqual((await figureOf(attention, { ...input, encoding: 't5' })).results.weights);
    expect(results.rows).toEqual(['lion', 'the', 'Rohan', 'killed']);
  });

  it('has one colour scale for A and B', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'rope', other: 'none' });
    const texts = kind.scene(results, spec, { ...FRAME, width: 900 }).picture.marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []));
    expect(texts.filter(({ bold }) => bold).map(({ text }) => text)).toEqual(['A: rope', 'B: none', 'B − A']);
    const scaleLabels = texts.filter(({ text, x }) => /^0\.\d|×10|^1\.00/.test(text) && x > 0);
    expect(scaleLabels.length).toBeGreaterThan(0);
    // Both bars start at the smallest value of A and B.
    const smallest = Math.min(...results.a.data, ...results.b.data);
    const labels = texts.filter(({ text }) => text === kindNumber(smallest));
    expect(labels.length).toBeGreaterThanOrEqual(2);
  });

  it('describes the largest difference, and the values at the cursor', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'rope', other: 'alibi' });
    expect(kind.readout(results, spec, {})).toMatchInlineSnapshot(
      `"A and B differ most at “lion” to “lion”: weight 0.796 with A, 0.405 with B, a difference of −0.391"`,
    );
    expect(kind.readout(results, spec, { query: 0, key: 3 })).toMatchInlineSnapshot(
      `"“Rohan” to “lion”: weight 0.111 with A, 0.0839 with B, a difference of −0.0271"`,
    );
    const equalFigure = await figureOf(kind, { encoding: 'rope', other: 'rope base=10000' });
    expect(kind.readout(equalFigure.results, equalFigure.spec, {})).toBe('A and B are exactly equal here');
  });

  it.each([
    ['the same with a parameter spelled out', { encoding: 'rope', other: 'rope base=10000' }, true],
    ['ALiBi without slopes and nothing', { encoding: 'none', other: 'alibi slopes=0,0,0,0' }, true],
    ['RoPE and nothing', { encoding: 'none', other: 'rope' }, false],
    ['two bases', { show: 'table', encoding: 'sinusoidal', other: 'sinusoidal base=500' }, false],
  ])('reports whether A and B are equal: %s', async (_, fields, good) => {
    const { spec, results } = await figureOf(kind, fields);
    const proof = kind.proof(results, spec);
    expect(passes(proof), `${proof.residual}`).toBe(good);
    expect(proof.conclusion).toMatch(good ? /^A and B are equal here/ : /^A and B are not equal here/);
    expect(verdictOf(kind, proof)).toBe(good ? '= equal' : '≠ different');
    expect(verdictOf(attention, proof)).toBe(good ? '✓ verified' : '≠ differs');
  });

  it.each([
    ['RoPE', { show: 'scores', other: 'rope layout=half_split' }],
    ['RoPE in a part of the channels', { show: 'scores', encoding: 'rope rotary_dim=8', other: 'rope rotary_dim=8 layout=half_split' }],
    ['xPos', { encoding: 'xpos', other: 'xpos layout=half_split' }],
    ['sinusoids in one head', { encoding: 'sinusoidal', other: 'sinusoidal layout=concatenated', heads: 1 }],
    ['a table of sinusoids', { show: 'table', encoding: 'sinusoidal', other: 'sinusoidal layout=concatenated' }],
  ])('shows no difference of two layouts with the channels of B permuted: %s', async (_, fields) => {
    const permutedFigure = await figureOf(kind, { encoding: 'rope', ...fields });
    const reorderedFigure = await figureOf(kind, { encoding: 'rope', ...fields, reordered: true });
    expect(passes(kind.proof(permutedFigure.results, permutedFigure.spec))).toBe(false);
    expect(passes(kind.proof(reorderedFigure.results, reorderedFigure.spec))).toBe(true);
    expect(permutedFigure.results.maxAbsDiff).toBeGreaterThan(1000 * reorderedFigure.results.maxAbsDiff);
    expect([...(reorderedFigure.results.channels ?? [])].sort((a, b) => a - b)).toEqual(
      reorderedFigure.results.channels?.map((_, channel) => channel),
    );
  });

  it('limits the colours to the tolerance for rounding errors, and shows the given names', async () => {
    const fields = {
      show: 'scores',
      encoding: 'rope',
      other: 'rope layout=half_split',
      reordered: true,
      nameA: 'neighbours',
      nameB: 'halves',
    };
    const { spec, results } = await figureOf(kind, fields);
    const texts = kind.scene(results, spec, { ...FRAME, width: 900 }).picture.marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []));
    expect(texts.filter(({ bold }) => bold).map(({ text }) => text)).toEqual(['A: neighbours', 'B: halves', 'B − A']);
    // The colours of the difference end at the tolerance.
    expect(texts.map(({ text }) => text)).toContain(kindNumber(kind.proof(results, spec).tolerance));
  });

  it('keeps a minimum colour range for small differences, and shows their size', async () => {
    const marksOf = async (fields: Record<string, unknown>) => {
      const { spec, results } = await figureOf(kind, fields);
      const { marks } = kind.scene(results, spec, { ...FRAME, width: 900 }).picture;
      return { results, texts: marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : [])) };
    };
    const faint = await marksOf({ show: 'weights', encoding: 'none', other: 'alibi', head: 4, heads: 4 });
    expect(faint.results.maxAbsDiff).toBeLessThan(0.1);
    expect(faint.texts).toContain(`B − A, up to ±${kindNumber(faint.results.maxAbsDiff, { digits: 2 })}`);
    expect(faint.texts).toContain('0.250');
    const strong = await marksOf({ show: 'weights', encoding: 'none', other: 'rope', head: 1, heads: 8, text: 'to be or not to be' });
    expect(strong.results.maxAbsDiff).toBeGreaterThan(0.5);
    expect(strong.texts).toContain('B − A');
  });

  it('highlights the same cell in all three matrices', async () => {
    const { spec, results } = await figureOf(kind, {});
    const scene = kind.scene(results, spec, { ...FRAME, width: 900 });
    const cursor = scene.step(scene.step({}, 1, 1), 1, 0);
    expect(cursor).toEqual({ query: 0, key: 1 });
    const overlayTexts = scene.overlay(cursor).flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(overlayTexts).toEqual(['Rohan', 'killed', 'Rohan', 'killed', 'Rohan', 'killed']);
    const thirdMatrix = scene.picture.rasters.filter(({ rows }) => rows === 4)[2] as { x: number; y: number };
    expect(scene.hit(thirdMatrix.x + 1, thirdMatrix.y + 1)).toEqual({ query: 0, key: 0 });
    // The matrices are stacked if they do not fit side by side.
    expect(kind.scene(results, spec, { ...FRAME, width: 340 }).picture.height).toBeGreaterThan(2 * scene.picture.height);
  });

  it.each([
    [{ show: 'table', encoding: 'sinusoidal', other: 'rope' }, /^other: /],
    [{ show: 'table', encoding: 'rope', other: 'sinusoidal' }, /^encoding: /],
    [{ show: 'bias', encoding: 'alibi', other: 'none' }, /^other: /],
    [
      { show: 'table', encoding: 'sinusoidal', other: 'nerf' },
      /^other: the matrix has shape 32 × \d+, but the matrix of the first encoding has shape 32 × 64/,
    ],
    [{ other: 'rope base=0' }, /^base: /],
    [{ text: '' }, 'text: has no words'],
    [{ reordered: true, encoding: 'rope', other: 'alibi' }, 'reordered: rope and alibi do not have the same channel pairs'],
    [{ reordered: true, encoding: 'rope', other: 'rope rotary_dim=8' }, 'reordered: rope and rope do not have the same channel pairs'],
    [{ reordered: true, other: 'rope layout=half_split', projections: 'orthogonal' }, /^reordered: requires identity projections/],
    [
      { reordered: true, show: 'bias', encoding: 'alibi', other: 'alibi' },
      'reordered: a bias has no channels to permute; expected show to be weights, scores or table',
    ],
    [{ scale: -1 }, /^scale: -1 is outside/],
  ])('rejects invalid fields with one sentence: case %#', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });

  it.each([
    ['a comparison of weights', { encoding: 'none', other: 'sinusoidal' }],
    [
      'a comparison of tables',
      { show: 'table', encoding: 'sinusoidal', other: 'sinusoidal base=500', positionOffset: 3, dim: 7, heads: 7 },
    ],
    ['scores with channels reordered', { show: 'scores', mask: 'causal', other: 'rope layout=half_split', reordered: true, head: 3 }],
    ['scores with a scale of B', { show: 'scores', encoding: 't5', other: 't5', scale: 0.25 }],
    [
      'a table with channels reordered',
      { show: 'table', encoding: 'sinusoidal', other: 'sinusoidal layout=concatenated', reordered: true, dim: 6, heads: 1 },
    ],
    ['a comparison of similarities', { show: 'similarity', encoding: 'sinusoidal', other: 'sinusoidal base=500' }],
  ])('exports a phasor program that computes the same values: %s', async (_, fields) => {
    const { spec, results } = await figureOf(kind, fields);
    const { phasor: program } = (await kind.loadPrograms()).code(spec, phasor.encodings, results);
    const body = program.replaceAll(/^import .*$/gm, '').replace(/^const phasor = .*$/m, '');
    const created = new Function('phasor', 'analysis', `${body}\nreturn { a, b, difference };`)(phasor, analysis);
    expect(created.a.data).toEqual(results.a.data);
    expect(created.b.data).toEqual(results.b.data);
    expect(created.difference.data).toEqual(results.difference.data);
  });
});

// The change of attention outputs when words are reordered.
import { describe, expect, it } from 'vitest';
import * as analysis from '../../../web/engine/analysis.ts';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/change/index.ts';
import { FRAME, figureOf, phasor } from './sentence-means.ts';

const largestOfRow = (data: Float32Array, otherData: Float32Array, row: number, otherRow: number, width: number): number =>
  Math.max(
    ...Array.from({ length: width }, (_, channel) =>
      Math.abs((data[row * width + channel] as number) - (otherData[otherRow * width + channel] as number)),
    ),
  );

describe('change figure', () => {
  it('measures the difference of each word’s output from that in the original order', async () => {
    const { results } = await figureOf(kind, { encoding: 'rope', order: [2, 0, 3, 1] });
    expect(results.words).toEqual(['the', 'Rohan', 'lion', 'killed']);
    for (const [position, word] of results.order.entries())
      expect(results.differences.data[position]).toBeCloseTo(largestOfRow(results.after.data, results.before.data, position, word, 64), 6);
  });

  it.each([
    ['without positions', { encoding: 'none' }, true],
    ['with positions', { encoding: 'rope' }, false],
    ['with a table', { encoding: 'sinusoidal' }, false],
    ['with a causal mask alone', { encoding: 'none', mask: 'causal' }, false],
    // Reversal preserves distances, and ALiBi is symmetric.
    ['reversed with ALiBi', { encoding: 'alibi', order: [3, 2, 1, 0] }, true],
  ])('reports whether the outputs depend on the order: %s', async (_, fields, good) => {
    const { spec, results } = await figureOf(kind, fields);
    const proof = kind.proof(results, spec);
    expect(passes(proof), `${proof.residual}`).toBe(good);
    expect(proof.conclusion).toMatch(good ? /^The outputs are only reordered/ : /^The outputs are not only reordered/);
    expect(proof.residual).toBeCloseTo(Math.max(...results.differences.data), 6);
  });

  it.each([
    ['none', true],
    ['alibi', false],
  ])('tests another order in the proof if no word has moved: %s', async (encoding, good) => {
    const { spec, results } = await figureOf(kind, { encoding, order: '' });
    const proof = kind.proof(results, spec);
    expect(passes(proof)).toBe(good);
    expect(proof.conclusion).toMatch(/^If the first word came last/);
    expect([...results.differences.data]).toEqual([0, 0, 0, 0]);
    expect(kind.readout(results, spec, { query: 1 })).toBe('The words are in the original order, so the outputs are the same.');
  });

  it.each([
    ['the', { encoding: 'none' }],
    ['the', { encoding: 'none', order: '' }],
    // Outputs of equal words are equal regardless of the mask.
    ['this', { encoding: 'none', text: 'no no', order: [1, 0], mask: 'causal' }],
    ['this', { encoding: 'alibi', order: [3, 2, 1, 0] }],
    ['this', { encoding: 'alibi', text: 'no no', order: '' }],
  ])('reports that attention does not depend on %s order: %o', async (description, input) => {
    const { spec, results } = await figureOf(kind, input);
    expect(kind.proof(results, spec).conclusion).toMatch(new RegExp(`attention does not depend on ${description} order\\.$`));
  });

  it('describes the output at the cursor, and finds the word under the pointer', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'rope' });
    const scene = kind.scene(results, spec, FRAME);
    const cursor = scene.step(scene.step({ key: 2 }, 0, 1), 0, 1);
    expect(cursor).toEqual({ key: 2, query: 1 });
    expect(kind.readout(results, spec, cursor)).toMatch(/^“killed”, from position 2 to position 2: output differs by \d/);
    expect(kind.readout(results, spec, {})).toMatch(/^“lion killed the Rohan”: differences between/);
    const marks = scene.overlay(cursor);
    expect(marks).toContainEqual(expect.objectContaining({ kind: 'text', text: 'killed', bold: true }));
    expect(marks.every((mark) => mark.key === undefined)).toBe(true);
    const word = scene.picture.marks.find((mark) => mark.kind === 'text' && mark.text === 'the') as { y: number };
    expect(scene.hit(5, word.y)).toEqual({ query: 2 });
    expect(scene.hit(5, 1)).toBeUndefined();
    for (const query of [-1, 4, 400]) expect(scene.overlay({ query: query })).toEqual([]);
  });

  it.each([
    ['one token', { text: '🦁' }],
    ['a width of 1', { dim: 1, heads: 1 }],
    ['300 words', { text: 'a word '.repeat(150), order: Array.from({ length: 300 }, (_, location) => 299 - location) }],
  ])('draws %s', async (_, fields) => {
    const { spec, results } = await figureOf(kind, fields);
    const { picture } = kind.scene(results, spec, FRAME);
    expect(picture.marks.every((mark) => mark.kind !== 'text' || !mark.text.includes('NaN'))).toBe(true);
    expect(picture.height).toBeLessThanOrEqual(1300);
  });

  it('exports tables, and a phasor program that computes the same values', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'sinusoidal', heads: 2, mask: 'causal' });
    expect(kind.tables(results, spec).map(({ name }) => name)).toEqual(['differences', 'before', 'after', 'embeddings']);
    const { phasor: program } = (await kind.loadPrograms()).code(spec, phasor.encodings, results);
    const body = program.replaceAll(/^import .*$/gm, '').replace(/^const phasor = .*$/m, '');
    const created = new Function('phasor', 'analysis', `${body}\nreturn { before, after, differences };`)(phasor, analysis);
    expect(created.before.data).toEqual(results.before.data);
    expect(created.after.data).toEqual(results.after.data);
    expect(created.differences.data).toEqual(results.differences.data);
  });
});

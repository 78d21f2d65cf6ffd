// What the proof of attention says, and for which encodings it holds.
import { describe, expect, it } from 'vitest';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/attention/index.ts';
import { identityOrder } from '../../../web/sentence/order.ts';
import { figureOf, phasor } from './sentence-means.ts';

describe('proof of attention', () => {
  it.each([
    ['rope', true],
    ['alibi', true],
    ['sinusoidal', false],
    ['rope scaling=yarn', true],
  ])('proves for %s whether only distances count', async (encoding, good) => {
    const { spec, numbers } = await figureOf(kind, { encoding });
    const proof = kind.proof(numbers, spec);
    expect(passes(proof), `${proof.residual}`).toBe(good);
    expect(proof.meaning).toMatch(good ? /^Attention sees only how far apart/ : /^Where the sentence is matters/);
  });

  it.each([
    [{ encoding: 'none' }, 'neither where a word is nor how far away another one is.'],
    [{ encoding: 'none', mask: 'causal' }, 'only the causal mask tells a word which others came before it.'],
    [{ encoding: 'sinusoidal', text: 'lion' }, 'A single word attends to itself, wherever it is.'],
  ])('claims nothing about distances where %j sees none', async (given, end) => {
    const { spec, numbers } = await figureOf(kind, given);
    const proof = kind.proof(numbers, spec);
    expect(passes(proof)).toBe(true);
    expect(proof.meaning.endsWith(end), proof.meaning).toBe(true);
    expect(proof.meaning).not.toContain('only how far apart');
  });

  it.each(['rope', 'sinusoidal', 'alibi'])('has for %s the difference that the core finds', async (encoding) => {
    const { spec, numbers } = await figureOf(kind, { encoding });
    const { heads, seed, mask, projections, offset } = spec;
    const later = phasor.layer({
      x: numbers.embeddings,
      heads,
      seed,
      mask,
      projections,
      offset: offset + 16,
      head: 0,
      encoding,
      want: ['weights'],
    });
    const after = { shape: numbers.weights.shape, data: later.weights.data };
    const { maxAbsDiff } = phasor.permutationError({ before: numbers.weights, after, order: identityOrder(numbers.words.length) });
    expect(kind.proof(numbers, spec).residual).toBe(maxAbsDiff);
  });

  it('says so when the sentence cannot stand later', async () => {
    const { spec, numbers } = await figureOf(kind, { encoding: 'learned max_length=10' });
    const proof = kind.proof(numbers, spec);
    expect(passes(proof)).toBe(false);
    expect(proof.meaning).toMatch(/^The sentence cannot be moved to later positions with this encoding \(.*position.*\)\.$/);
  });
});

import { describe, expect, it } from 'vitest';
import { permutationError } from '../../../web/engine/analysis.ts';
import { withoutTrainedProjections } from '../../../web/figure/compute/sentence-fields.ts';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/attention/index.ts';
import { createIdentityOrder } from '../../../web/sentence/order.ts';
import { figureOf, phasor } from './sentence-means.ts';

describe('proof of the attention figure', () => {
  it.each([
    ['rope', true],
    ['alibi', true],
    ['sinusoidal', false],
    ['rope scaling=yarn', true],
  ])('reports for %s whether attention depends only on distances', async (encoding, good) => {
    const { spec, results } = await figureOf(kind, { encoding });
    const proof = kind.proof(results, spec);
    expect(passes(proof), `${proof.residual}`).toBe(good);
    expect(proof.conclusion).toMatch(good ? /^Attention depends on the distances/ : /^Attention also depends on absolute position/);
  });

  it.each([
    [{ encoding: 'none' }, 'depends on neither positions nor distances.'],
    [{ encoding: 'none', mask: 'causal' }, 'through the causal mask, which hides later words.'],
    [{ encoding: 'sinusoidal', text: 'lion' }, 'A single word attends to itself at any position.'],
  ])('makes no claim about distances for %j', async (fields, end) => {
    const { spec, results } = await figureOf(kind, fields);
    const proof = kind.proof(results, spec);
    expect(passes(proof)).toBe(true);
    expect(proof.conclusion.endsWith(end), proof.conclusion).toBe(true);
    expect(proof.conclusion).not.toContain('depends on the distances');
  });

  it.each(['rope', 'sinusoidal', 'alibi'])('has the same residual for %s as permutationError', async (encoding) => {
    const { spec, results } = await figureOf(kind, { encoding });
    const { heads, seed, mask, projections, positionOffset } = withoutTrainedProjections(spec);
    const shiftedAttention = phasor.selfAttention({
      x: results.embeddings,
      heads,
      seed,
      mask,
      projections,
      positionOffset: positionOffset + 16,
      head: 0,
      encoding,
      outputs: ['weights'],
    });
    const shiftedWeights = { shape: results.weights.shape, data: shiftedAttention.weights.data };
    const { maxAbsDiff } = permutationError(phasor, {
      before: results.weights,
      after: shiftedWeights,
      order: createIdentityOrder(results.words.length),
    });
    expect(kind.proof(results, spec).residual).toBe(maxAbsDiff);
  });

  it('reports that the sentence cannot start at a later position', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'learned max_length=10' });
    const proof = kind.proof(results, spec);
    expect(passes(proof)).toBe(false);
    expect(proof.conclusion).toMatch(/^With this encoding, the sentence cannot start at a later position \(.*position.*\)\.$/);
  });
});

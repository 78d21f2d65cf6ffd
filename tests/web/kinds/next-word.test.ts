// Next-word guesses of models with one training budget, with and without positions.
import { describe, expect, it } from 'vitest';
import { findCopiedPosition, findFirstReadPosition } from '../../../web/figure/compute/word-symbols.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { verdictParts } from '../../../web/figure/kinds/next-word/below.ts';
import type { Results, Spec } from '../../../web/figure/kinds/next-word/compute.ts';
import { kind } from '../../../web/figure/kinds/next-word/index.ts';
import { models } from './shipped.ts';
import { phasor } from './table-figures.ts';

async function computeGuess(fields: { readonly [field: string]: string }): Promise<Results> {
  const spec = readSpec(kind as never, fields) as Spec;
  return kind.compute(spec, { engine: phasor, models } as never);
}
const best = ({ guesses }: Results) => guesses[0] as Results['guesses'][number];

/** Returns random words that end in an earlier one, and the word that followed it. */
function sentence(seed: number): { readonly text: string; readonly next: string } {
  let state = seed * 2654435761;
  const randomBelow = (count: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const words = ['sun', 'moon', 'tree', 'river', 'stone', 'bird', 'cloud', 'road'].toSorted(() => randomBelow(3) - 1);
  const count = 4 + randomBelow(4);
  const swapIndex = randomBelow(count - 1);
  return { text: [...words.slice(0, count), words[swapIndex]].join(' '), next: words[swapIndex + 1] as string };
}

describe('next-word figure, other encodings', () => {
  it('have the guesses of their models, recorded for the default text', async () => {
    for (const order of ['0,1,2,3,4', '1,0,3,2,4', '3,2,1,0,4']) {
      const { guessesByEncoding } = await computeGuess({ order });
      expect(Object.keys(guessesByEncoding)).toEqual(['none', 'rope', 'alibi', 'learned']);
      for (const [encoding, expected] of Object.entries(guessesByEncoding)) {
        const { word, probability } = best(await computeGuess({ order, encoding }));
        expect(expected).toEqual({ word, probability: expect.closeTo(probability, 3) });
      }
    }
  });

  it('have guesses for other texts only if their models are loaded', async () => {
    const shipped = await models();
    const loaded = new Set<string>();
    const countModels = async () =>
      ({
        find: (id: string) => shipped.find(id),
        isLoaded: (id: string) => loaded.has(id),
        use(id: string, ...options: [never, never]) {
          loaded.add(id);
          return shipped.use(id, ...options);
        },
      }) as never;
    const text = 'sun moon tree sun';
    const guessWith = async (encoding: string): Promise<Results> =>
      kind.compute(readSpec(kind as never, { text, encoding }) as Spec, { engine: phasor, models: countModels } as never);
    expect((await guessWith('rope')).guessesByEncoding).toEqual({});
    const { guessesByEncoding } = await guessWith('alibi');
    expect([...loaded]).toEqual(['induction-rope', 'induction-alibi']);
    expect(guessesByEncoding).toEqual({ rope: best(await guessWith('rope')) });
  });

  it('have no guesses if nothing can be copied', async () => {
    expect((await computeGuess({ text: 'only different words' })).guessesByEncoding).toEqual({});
    expect((await computeGuess({ order: '0,1,4,2,3' })).guessesByEncoding).toEqual({});
  });
});

describe('next-word figure', () => {
  it('guesses the word that followed the last word before, also after a word is moved', async () => {
    expect(best(await computeGuess({}))).toMatchObject({ word: 'be', probability: expect.closeTo(1, 2) });
    expect(best(await computeGuess({ order: '0,2,1,3,4' }))).toMatchObject({ word: 'or', probability: expect.closeTo(1, 2) });
  });

  it('guesses with a low probability without positions', async () => {
    const { guesses, otherProbability } = await computeGuess({ encoding: 'none' });
    expect(guesses[0]?.probability).toBeLessThan(0.5);
    expect(guesses[2]?.probability).toBeGreaterThan(0.08);
    expect(guesses.reduce((sum, { probability }) => sum + probability, otherProbability)).toBeCloseTo(1, 5);
  });

  it('guesses most sentences with RoPE, and few without positions', async () => {
    const right = { rope: 0, none: 0 };
    const seeds = Array.from({ length: 50 }, (_, index) => index + 1);
    let drawCount = 0;
    for (const seed of seeds) {
      const { text, next } = sentence(seed);
      for (const encoding of ['rope', 'none'] as const) {
        const results = await computeGuess({ text, encoding });
        if (best(results).word === next && best(results).probability > 0.6) right[encoding] += 1;
        if (encoding !== 'rope') continue;
        const { logits, symbols, guesses } = results;
        const wordIndex = guesses.findIndex(({ word }) => word === next);
        symbols.forEach((symbolCount, draw) => {
          const row = [...logits.data.subarray(26 * draw, 26 * (draw + 1))];
          if (row.indexOf(Math.max(...row)) === symbolCount[wordIndex]) drawCount += 1;
        });
      }
    }
    expect(right.rope).toBeGreaterThan(45);
    expect(drawCount).toBeGreaterThan(180);
    expect(right.none).toBeLessThan(20);
  });

  it.each(['rope', 'none', 'alibi', 'learned', 'sinusoidal', 't5'])('has weights that sum to 1: %s', async (encoding) => {
    const results = await computeGuess({ encoding });
    expect(kind.proof(results, {} as never).residual).toBeLessThan(1e-5);
    expect(results.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 4);
  });

  it('shows a guess or an explanation for any text', async () => {
    const oneWordResults = await computeGuess({ text: 'alone' });
    expect(verdictParts(oneWordResults)).toEqual([undefined, 'No word occurs twice, so there is nothing to copy.']);
    expect(verdictParts(await computeGuess({ text: 'go go go go' }))[0]).toMatch(/^“go”/);
    expect(verdictParts(await computeGuess({ text: 'a b a c d' }))[1]).toBe('“d” is new, so there is nothing to copy.');
    expect(best(await computeGuess({ text: '🐢 🦊 🐢' })).word).toBe('🦊');
    expect(best(await computeGuess({ text: 'אני רוצה אני' })).word).toBe('רוצה');
    expect(best(await computeGuess({ text: 'To be or not to' })).word).toBe('be');
    const longTextResults = await computeGuess({ text: Array.from({ length: 200 }, (_, index) => `w${index % 40}`).join(' ') });
    expect(longTextResults.firstPosition).toBe(174);
    expect(longTextResults.weights[173]).toBeNaN();
    expect(longTextResults.guesses).toHaveLength(26);
  });

  it('rejects pages without models, and reports parameters that the model does not have', async () => {
    const spec = readSpec(kind as never, {}) as Spec;
    await expect(kind.compute(spec, { engine: phasor } as never)).rejects.toThrow(/^encoding: this page includes no trained models/);
    expect((await computeGuess({ encoding: 'rope base=500000' })).hasOtherParams).toBe(true);
    expect((await computeGuess({ encoding: 'rope' })).hasOtherParams).toBe(false);
    await expect(computeGuess({ encoding: 'kerple' })).rejects.toThrow(/^models: no model has the id "induction-kerple"/);
  });
});

describe('input of the next-word figure', () => {
  it('starts where at most 26 different words remain', () => {
    expect(findFirstReadPosition(['a', 'b'], 64)).toBe(0);
    expect(
      findFirstReadPosition(
        Array.from({ length: 100 }, () => 'a'),
        64,
      ),
    ).toBe(36);
    expect(
      findFirstReadPosition(
        Array.from({ length: 30 }, (_, index) => String(index)),
        64,
      ),
    ).toBe(4);
  });

  it('is copied from the position after the latest earlier occurrence of the last word', () => {
    expect(findCopiedPosition(['to', 'be', 'or', 'not', 'to'], 0)).toBe(1);
    expect(findCopiedPosition(['a', 'b', 'a', 'c', 'A'], 0)).toBe(3);
    expect(findCopiedPosition(['a', 'b', 'c'], 0)).toBeUndefined();
    expect(findCopiedPosition(['a', 'b', 'a'], 1)).toBeUndefined();
  });
});

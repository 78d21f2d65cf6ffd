// The story of the page in numbers, from the real core: a sentence, reordered, with and without positions.
import { describe, expect, it } from 'vitest';
import type * as Package from '../../web/engine/node.ts';
import type { RemotePhasor } from '../../web/engine/types.ts';
import { computeFigure, type Figure } from '../../web/figure/compute.ts';
import { strongest } from '../../web/figure/pictures/over-sentence.ts';
import { wavesOf } from '../../web/figure/pictures/turning.ts';
import { addedReadout, attentionReadout } from '../../web/figure/readout.ts';
import type { Setting } from '../../web/figure/setting.ts';
import { WordVectors } from '../../web/figure/word-vectors.ts';
import { INITIAL } from '../../web/lab/state.ts';
import { badgeText, storyLine } from '../../web/lab/story.ts';

const { createPhasor }: typeof Package = await import('../../dist/npm/node.js' as string);
const phasor = (await createPhasor()) as unknown as RemotePhasor;
const vectors = new WordVectors();
const figureOf = (part: Partial<Setting>): Promise<Figure> => computeFigure({ ...INITIAL, ...part }, phasor, vectors);

const order = [3, 0, 1, 2];

describe('the story', () => {
  it('begins with words that have not moved', async () => {
    const figure = await figureOf({});
    expect(figure).toMatchObject({ isMoved: false, isChanged: false, largest: 0, known: [true, true, true, true] });
    expect(storyLine(figure)).toBe('Drag a word. Without positions, attention does not notice.');
    expect(badgeText(figure)).toBe('nothing has moved yet');
  });

  it('shows that without positions outputs only move', async () => {
    const figure = await figureOf({ order });
    expect(figure.largest).toBeLessThan(1e-5);
    expect(figure.isChanged).toBe(false);
    expect(storyLine(figure)).toContain('Now give the words a position');
    expect(badgeText(figure)).toMatch(/^outputs only moved: largest difference (exactly 0|\d\.\d×10⁻\S+)$/);
  });

  it.each([
    ['sinusoidal', {}],
    ['rope', {}],
    ['alibi', {}],
    ['none', { mask: 'causal' as const }],
  ])('shows that with %s outputs change', async (encoding, part) => {
    const figure = await figureOf({ encoding, order, ...part });
    expect(figure.largest).toBeGreaterThan(1e-3);
    expect(figure.isChanged).toBe(true);
    expect(badgeText(figure)).toMatch(/^outputs changed: largest difference .*, most at “(Rohan|killed|the|lion)”$/);
  });

  it('explains why a reversed sentence looks the same to symmetric ALiBi', async () => {
    const figure = await figureOf({ encoding: 'alibi', order: [3, 2, 1, 0] });
    expect(figure.isChanged).toBe(false);
    expect(storyLine(figure)).toContain('not which side');
  });
});

describe('a figure', () => {
  it('takes the first numbers of the vectors for a smaller width, and gives unknown words a fixed vector', async () => {
    const figure = await figureOf({ text: 'zyx dog zyx', width: 8, heads: 2 });
    expect(figure.known).toEqual([false, true, false]);
    const [first, , third] = figure.distances;
    expect(first).toBe(third);
    expect((await figureOf({ text: 'zyx dog zyx', width: 8, heads: 2 })).weights).toEqual(figure.weights);
  });

  it.each([
    ['width', { encoding: 'rope', width: 7, heads: 1 }],
    ['width', { width: 65 }],
    ['width', { width: Number.NaN }],
    ['base', { encoding: 'rope', params: { base: 0 } }],
    ['heads', { heads: 5 }],
    ['offset', { offset: 2 ** 31 }],
    ['encoding', { encoding: 'unheard_of' }],
  ])('fails with a sentence about the %s', async (name, part) => {
    await expect(figureOf(part)).rejects.toThrow(new RegExp(`^${name}: `));
  });

  it.each([
    ['sinusoidal', { params: { layout: 'interleaved' } }, 32],
    ['sinusoidal', { params: { layout: 'concatenated' } }, 32],
    ['sinusoidal', { width: 7, heads: 1 }, 3],
    ['rope', {}, 8],
  ])('reads the clocks of %s from the core', async (encoding, part, count) => {
    const figure = await figureOf({ encoding, ...part });
    const waves = wavesOf(figure);
    const d = encoding === 'rope' ? 16 : figure.setting.width;
    expect(waves?.frequencies).toHaveLength(count);
    for (const [t, frequency] of waves?.frequencies.entries() ?? []) expect(frequency).toBeCloseTo(10000 ** ((-2 * t) / d), 5);
  });
});

describe('the line under a question', () => {
  it('names the pair under the cursor, or the range', async () => {
    const figure = await figureOf({ mask: 'causal', encoding: 'alibi' });
    const cursor = { head: 0, query: 3 };
    expect(attentionReadout(figure, 'weights', { ...cursor, key: 0 })).toMatch(/^“lion” attends to “Rohan”: weight 0\.\d+$/);
    expect(attentionReadout(figure, 'weights', { head: 0, query: 0, key: 2 })).toBe('“Rohan” does not see “the”: the mask hides it');
    expect(attentionReadout(figure, 'scores', cursor)).toMatch(/^Head 1 of 4: scores between/);
    expect(addedReadout(figure, { ...cursor, key: 1 })).toBe('Bias from “lion” to “killed”, head 1: −0.500');
    expect(addedReadout(await figureOf({}), cursor)).toContain('without a position');
  });

  it('draws the strongest arcs of a long text only', () => {
    const kept = strongest(
      Float32Array.from({ length: 100 }, (_, at) => at / 100),
      10,
    );
    expect(kept.filter((weight) => weight > 0)).toHaveLength(10);
  });
});

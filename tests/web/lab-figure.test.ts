// Figures from the real core: a sentence, reordered, with and without positions.
import { describe, expect, it } from 'vitest';
import type * as Package from '../../web/engine/node.ts';
import type { RemotePhasor } from '../../web/engine/types.ts';
import { INITIAL } from '../../web/lab/state.ts';
import { badgeText, storyLine } from '../../web/lab/story.ts';
import { computeFigure, type Figure } from '../../web/sentence/compute.ts';
import { wavesOf } from '../../web/sentence/pictures/clocks.ts';
import { firstArcs, firstWords } from '../../web/sentence/pictures/first.ts';
import { omittedArcsNote, strongestWeights } from '../../web/sentence/pictures/sentence-overlay.ts';
import { addedReadout, attentionReadout } from '../../web/sentence/readout.ts';
import type { Setting } from '../../web/sentence/setting.ts';
import { WordVectors } from '../../web/sentence/word-vectors.ts';
import { arcWidth } from '../../web/views/arcs.ts';

const { createPhasor }: typeof Package = await import('../../dist/npm/node.js' as string);
const phasor = (await createPhasor()) as unknown as RemotePhasor;
const vectors = new WordVectors();
const figureOf = (part: Partial<Setting>): Promise<Figure> => computeFigure({ ...INITIAL, ...part }, phasor, vectors);

const order = [3, 0, 1, 2];

describe('the story', () => {
  it('starts with the words in their original order', async () => {
    const figure = await figureOf({});
    expect(figure).toMatchObject({ isMoved: false, isChanged: false, maxAbsDiff: 0, known: [true, true, true, true] });
    expect(storyLine(figure)).toBe('Drag a word. Without positions, attention does not notice.');
    expect(badgeText(figure)).toBe('nothing has moved yet');
  });

  it('shows that without positions outputs are only permuted', async () => {
    const figure = await figureOf({ order });
    expect(figure.maxAbsDiff).toBeLessThan(1e-5);
    expect(figure.isChanged).toBe(false);
    expect(storyLine(figure)).toContain('Now give the words positions');
    expect(badgeText(figure)).toMatch(/^outputs only permuted: maximum difference (exactly 0|\d\.\d×10⁻\S+)$/);
  });

  it.each([
    ['sinusoidal', {}],
    ['rope', {}],
    ['alibi', {}],
    ['none', { mask: 'causal' as const }],
  ])('shows that with %s outputs change', async (encoding, part) => {
    const figure = await figureOf({ encoding, order, ...part });
    expect(figure.maxAbsDiff).toBeGreaterThan(1e-3);
    expect(figure.isChanged).toBe(true);
    expect(badgeText(figure)).toMatch(/^outputs changed: maximum difference .*, at “(Rohan|killed|the|lion)”$/);
  });

  it('explains why a reversed sentence looks the same to symmetric ALiBi', async () => {
    const figure = await figureOf({ encoding: 'alibi', order: [3, 2, 1, 0] });
    expect(figure.isChanged).toBe(false);
    expect(storyLine(figure)).toContain('not on the direction');
  });
});

describe('the first picture', () => {
  it('has an arc for each weight of the last word, none of it markup', async () => {
    const figure = await figureOf({ text: 'Rohan <b> the & lion', projections: 'orthogonal' });
    const count = figure.words.length;
    const row = figure.weights.data.subarray((count - 1) * count);
    const html = firstArcs(figure);
    expect([...html.matchAll(/stroke-width="([\d.]+)"/g)].map(([, width]) => width)).toEqual(
      Array.from(row, (weight) => arcWidth(weight).toFixed(2)),
    );
    expect(firstWords(figure)).toContain('<span class="word">&amp;</span>');
    expect(html + firstWords(figure)).not.toContain('<b>');
  });
});

describe('a figure', () => {
  it('truncates word vectors to the width, and gives unknown words a fixed vector', async () => {
    const figure = await figureOf({ text: 'zyx dog zyx', width: 8, heads: 2 });
    expect(figure.known).toEqual([false, true, false]);
    const [first, , third] = figure.differences;
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
    ['encoding', { encoding: 'unknown_encoding' }],
  ])('fails with a sentence about the %s', async (name, part) => {
    await expect(figureOf(part)).rejects.toThrow(new RegExp(`^${name}: `));
  });

  it.each([
    ['sinusoidal', { params: { layout: 'interleaved' } }, 32],
    ['sinusoidal', { params: { layout: 'concatenated' } }, 32],
    ['sinusoidal', { width: 7, heads: 1 }, 3],
    ['rope', {}, 8],
  ])('determines the clocks of %s', async (encoding, part, count) => {
    const figure = await figureOf({ encoding, ...part });
    const waves = wavesOf(figure);
    const d = encoding === 'rope' ? 16 : figure.setting.width;
    expect(waves?.frequencies).toHaveLength(count);
    for (const [t, frequency] of waves?.frequencies.entries() ?? []) expect(frequency).toBeCloseTo(10000 ** ((-2 * t) / d), 5);
  });
});

describe('clocks', () => {
  const waves = async (encoding: string, params: Setting['params'] = {}, offset = 0) =>
    wavesOf(await figureOf({ encoding, params, offset }));

  it('include the offset of positions, and are unwrapped for frequencies above π', async () => {
    const late = await waves('sin_cos', { start: 1 }, 5);
    expect(late?.frequencies[0]).toBeCloseTo(1, 5);
    expect(late?.angles[2]).toBeCloseTo(8, 4);
    const fast = await waves('sinusoidal', { frequencies: 'tensor2tensor', min_timescale: 50, layout: 'concatenated' });
    expect(fast?.frequencies[0]).toBeCloseTo(50, 4);
  });

  it('are those of the features, in either order', async () => {
    for (const order of ['cos_sin', 'sin_cos']) {
      const features = await waves('fourier', { matrix: 'identity', order });
      expect(features?.frequencies).toHaveLength(1);
      expect(features?.frequencies[0]).toBeCloseTo((2 * Math.PI) / 64, 6);
    }
    for (const include_input of [true, false]) {
      const nerf = await waves('nerf', { include_input });
      expect(nerf?.frequencies).toHaveLength(10);
      expect(nerf?.frequencies[9]).toBeCloseTo(Math.PI / 2, 5);
    }
  });

  it('are not shown for encodings without frequencies', async () => {
    for (const encoding of ['learned', 'binary', 'alibi', 'rope_2d', 'shaw']) expect(await waves(encoding), encoding).toBeUndefined();
  });
});

describe('what is added', () => {
  it('to the scores is the bias that attention returns', async () => {
    for (const encoding of ['t5', 'cope', 'deberta', 'transformer_xl', 'shaw']) {
      const { addition } = await figureOf({ encoding });
      expect(addition).toMatchObject({ kind: 'bias', tensor: { shape: [1, 4, 4] } });
    }
  });

  it('to some dimensions only is stated', async () => {
    const figure = await figureOf({ encoding: 'sin_cos' });
    expect(addedReadout(figure, { query: 0 })).toMatch(/, on the first 2 of 64 dimensions$/);
  });
});

describe('the caption of a panel', () => {
  it('names the pair at the cursor, or the range', async () => {
    const figure = await figureOf({ mask: 'causal', encoding: 'alibi', head: 0 });
    const cursor = { query: 3 };
    expect(attentionReadout(figure, { ...cursor, key: 0 })).toMatch(/^“lion” attends to “Rohan”: weight 0\.\d+$/);
    expect(attentionReadout(figure, { query: 0, key: 2 })).toBe('“Rohan” cannot attend to “the”: it is masked');
    const scores = await figureOf({ matrix: 'scores', head: 9 });
    expect(attentionReadout(scores, cursor)).toMatch(/^Head 4 of 4: scores between/);
    expect(addedReadout(figure, { ...cursor, key: 1 })).toBe('Bias from “lion” to “killed”, head 1: −0.500');
    expect(addedReadout(await figureOf({}), cursor)).toContain('without positions');
  });

  it('draws only the strongest arcs of a long text', () => {
    const kept = strongestWeights(
      Float32Array.from({ length: 100 }, (_, at) => at / 100),
      10,
    );
    expect(kept.filter((weight) => weight > 0)).toHaveLength(10);
    expect(strongestWeights(Float32Array.of(0.5, Number.NaN, 0.2, 0.3), 2)).toEqual(Float32Array.of(0.5, 0, 0, 0.3));
  });

  it('states how many arcs are not drawn', async () => {
    const figure = await figureOf({ text: 'dog bites man '.repeat(20), encoding: 'alibi', mask: 'causal' });
    expect(omittedArcsNote(figure, { query: 59 })).toBe('Only the 48 strongest of 60 arcs are drawn.');
    expect(omittedArcsNote(figure, { query: 9 })).toBe('');
  });
});

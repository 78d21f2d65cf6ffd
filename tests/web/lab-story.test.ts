// The text of the Lab about moved words, with results of the real core with and without positions.

import { describe, expect, it } from 'vitest';
import { drawLabPicture } from '../../web/book/lab-picture.ts';
import { createPhasor } from '../../web/engine/node.ts';
import type { RemotePhasor } from '../../web/engine/types/api.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { computeSentence, fields, type Results } from '../../web/figure/kinds/sentence/compute.ts';
import { formatBadge, formatRejection, formatStory } from '../../web/lab/page/story.ts';
import { type Outcome, toOutcome } from '../../web/lab/state/outcome.ts';
import { toSharedFields } from '../../web/lab/state/sharing.ts';
import { INITIAL_STATE, type LabState } from '../../web/lab/state/state.ts';
import { STORY_STRINGS } from '../../web/lab/story-strings.ts';
import { keepStrongestWeights } from '../../web/sentence/strongest.ts';
import { WordVectors } from '../../web/sentence/word-vectors.ts';

const engine = (await createPhasor()) as unknown as RemotePhasor;
const vocabulary = new WordVectors();
const photographs = { shades: () => Promise.reject(new Error('no photographs here')) };

const specOf = (state: Partial<LabState>) =>
  readSpec({ id: 'sentence', fields }, toSharedFields({ ...INITIAL_STATE, text: 'Rohan killed the lion', ...state }));
const resultsOf = (state: Partial<LabState>): Promise<Results> => computeSentence(specOf(state), { engine, vocabulary, photographs });

async function outcome(state: Partial<LabState>): Promise<Outcome> {
  const spec = specOf(state);
  const encoding = engine.encodings.find(({ id }) => id === spec.encoding.id);
  return toOutcome(spec, await resultsOf(state), encoding as NonNullable<typeof encoding>);
}

const order = [3, 0, 1, 2];

describe('formatStory', () => {
  it('describes a sentence whose words have not moved', async () => {
    const start = await outcome({});
    expect(start).toMatchObject({ isMoved: false, isChanged: false, maxAbsDiff: 0, hasVector: [true, true, true, true] });
    expect(formatStory(start)).toBe(STORY_STRINGS.initialHint);
    expect(formatBadge(start)).toBe('no words moved');
    // No word has moved, although the proof has tried an order that changes attention.
    expect(await outcome({ encoding: 'rope' })).toMatchObject({ isMoved: false, isChanged: false, maxAbsDiff: 0 });
    expect(formatStory(await outcome({ encoding: 'learned' }))).toMatch(
      /^The words now have positions \(learned embeddings\)\. Drag a word/,
    );
  });

  it('reports untrained heads if the trained ones cannot read the text', async () => {
    const text = Array.from({ length: 30 }, (_, index) => `w${index}`).join(' ');
    const many = await outcome({ text, encoding: 'rope' });
    expect(formatStory(many, true)).toMatch(
      /^These heads are untrained\. The trained heads of rope read at most 64 words, at most 26 of them distinct/,
    );
    // No such report without models, for a text that a model reads, or for an encoding without a model.
    expect(formatStory(many)).toMatch(/^The words now have positions/);
    expect(formatStory(await outcome({ encoding: 'rope' }), true)).toMatch(/^The words now have positions/);
    expect(formatStory(await outcome({ text, encoding: 'kerple' }), true)).toMatch(/^The words now have positions/);
  });

  it('reports that outputs are only permuted without positions', async () => {
    const reorderedOutcome = await outcome({ order });
    expect(reorderedOutcome.maxAbsDiff).toBeLessThan(1e-5);
    expect(reorderedOutcome.isChanged).toBe(false);
    expect(formatStory(reorderedOutcome)).toContain('Now choose an encoding');
    expect(formatBadge(reorderedOutcome)).toMatch(/^same outputs, reordered \((difference exactly 0|rounding error \d\.\d×10⁻\S+)\)$/);
  });

  it.each([
    ['sinusoidal', {}],
    ['rope', {}],
    ['alibi', {}],
    ['none', { mask: 'causal' as const }],
  ])('reports that outputs change with %s', async (encoding, state) => {
    const reorderedOutcome = await outcome({ encoding, order, ...state });
    expect(reorderedOutcome.maxAbsDiff).toBeGreaterThan(1e-3);
    expect(reorderedOutcome.isChanged).toBe(true);
    const [, word] = /^outputs changed: maximum difference .*, at “(.*)”$/.exec(formatBadge(reorderedOutcome)) ?? [];
    const largest = reorderedOutcome.differences.indexOf(Math.max(...reorderedOutcome.differences));
    expect(word).toBe(reorderedOutcome.words[order[largest] as number]);
  });

  it('explains why a reversed sentence looks the same to symmetric ALiBi', async () => {
    const reorderedOutcome = await outcome({ encoding: 'alibi', order: [3, 2, 1, 0] });
    expect(reorderedOutcome.isChanged).toBe(false);
    expect(formatStory(reorderedOutcome)).toContain('not on direction');
  });
});

describe('formatRejection', () => {
  it.each([
    ['heads', 'at Heads.'],
    ['positionOffset', 'at Position offset.'],
    ['param-rotary_fraction', 'at rotary fraction.'],
    ['encoding', 'below.'],
  ])('refers for %s to the message %s', (position, words) => {
    expect(formatRejection(position)).toBe(`Invalid setting; see the message ${words}`);
  });
});

describe('drawLabPicture', () => {
  it('draws the initial sentence in both themes and all sizes', async () => {
    const html = await drawLabPicture({ engine, vocabulary, photographs });
    const sizes = [...html.matchAll(/<svg class="still (\w+ \w+)"/g)].map(([, size]) => size);
    expect(sizes).toEqual(['wide high', 'narrow high', 'wide low', 'narrow low', 'wide flat', 'narrow flat']);
    expect([...html.matchAll(/<svg [^>]*height="(\d+)"/g)].map(([, height]) => height)).toEqual(['206', '206', '150', '150', '110', '110']);
    for (const share of ['16%', '21%', '5%']) expect(html).toContain(`>${share}</text>`);
    expect(html).toMatch(/class="for-dark"/);
  });
});

describe('keepStrongestWeights', () => {
  it('keeps only the strongest weights and replaces NaN by 0', () => {
    const storedWeights = keepStrongestWeights(
      Float32Array.from({ length: 100 }, (_, index) => index / 100),
      10,
    );
    expect(storedWeights.filter((weight) => weight > 0)).toHaveLength(10);
    expect(keepStrongestWeights(Float32Array.of(0.5, Number.NaN, 0.2, 0.3), 2)).toEqual(Float32Array.of(0.5, 0, 0, 0.3));
  });
});

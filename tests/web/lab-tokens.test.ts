// Tokens, orders and word vectors.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import examples from '../../web/lab/state/examples.json';
import { hashWord } from '../../web/sentence/embedding.ts';
import { createIdentityOrder, isIdentity, isOrder, isReversed, moveWord } from '../../web/sentence/order.ts';
import { spellOut } from '../../web/sentence/spelling.ts';
import { findTextProblem, TOKEN_LIMIT, tokenize } from '../../web/sentence/tokens.ts';
import { VECTOR_DIM, WordVectors } from '../../web/sentence/word-vectors.ts';

const { Segmenter } = Intl;
Reflect.deleteProperty(Intl, 'Segmenter');
vi.resetModules();
const tokenizerModules = { ...(await import('../../web/sentence/tokens.ts')), ...(await import('../../web/charts/text-metrics.ts')) };

/** The tokens of a text on a machine with another default locale. */
async function tokensWhere(locale: string, text: string): Promise<readonly string[]> {
  class Local extends Segmenter {
    constructor(requestedLocale: Intl.LocalesArgument = locale, options?: Intl.SegmenterOptions) {
      super(requestedLocale, options);
    }
  }
  Object.assign(Intl, { Segmenter: Local });
  vi.resetModules();
  const { tokenize } = await import('../../web/sentence/tokens.ts');
  Object.assign(Intl, { Segmenter });
  return tokenize(text);
}
const countIn = (locale: string) => [...new Segmenter(locale, { granularity: 'word' }).segment('EU:n lions')].length;
/** A locale that splits the text differently from English; which one does depends on the version of ICU. */
const OTHER = ['en-US-u-va-posix', 'sv'].find((locale) => countIn(locale) !== countIn('en')) ?? 'en';
const tokensHere = await tokensWhere('en', 'EU:n lions');
const elsewhere = await tokensWhere(OTHER, 'EU:n lions');
Object.assign(Intl, { Segmenter });

describe('sentence tokens', () => {
  it('splits a long text like its parts, in linear time', () => {
    const passage = 'The dog’s 3.5 lions, can’t\u00a0go: 他今天去了动物园。ライオンを見た。 سَلام 👩‍👩‍👧‍👦 e-mail\r\n';
    const tokens = tokenize(passage);
    expect(tokens.length).toBeGreaterThan(20);
    const start = performance.now();
    for (const times of [30, 2000]) expect(tokenize(passage.repeat(times))).toEqual(Array(times).fill(tokens).flat());
    // Segmenting the whole text at once took half a minute.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.each([
    ['Rohan killed the lion', ['Rohan', 'killed', 'the', 'lion']],
    ['  the dog, but the man.\n', ['the', 'dog', ',', 'but', 'the', 'man', '.']],
    ['don’t stop', ['don’t', 'stop']],
    ['👨‍👩‍👧 and 🇮🇳 🙂', ['👨‍👩‍👧', 'and', '🇮🇳', '🙂']],
    ['शेर को मारा', ['शेर', 'को', 'मारा']],
    ['نعم لا', ['نعم', 'لا']],
    ['\u200b \ufeff', []],
  ])('splits %j', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
    expect(tokenizerModules.tokenize(text), 'without Intl.Segmenter').toEqual(tokens);
  });

  it('matches Intl.Segmenter for plain English', () => {
    const segmenter = new Segmenter('en', { granularity: 'word' });
    const visible = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
    const pieces = ['a', 'Lion', 'ab', ' ', '  ', ',', '.', ';', ':', '!', '?', "'", '-', '_', '3', '\n', 'é'];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(text, (characters) => void expect(tokenize(characters)).toEqual(visible(characters))),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the locale, so that orders in links stay valid', () => {
    expect(countIn('en'), 'locales that split the text differently').not.toBe(countIn(OTHER));
    expect(elsewhere).toEqual(tokensHere);
  });

  it('finds words in scripts without spaces', () => {
    const tokens = tokenize('我爱北京');
    expect(tokens.join('')).toBe('我爱北京');
    expect(tokens.length).toBeGreaterThan(1);
  });

  it('shortens texts without Intl.Segmenter, keeping combining marks', () => {
    expect(tokenizerModules.shorten('e\u0301te\u0301 e\u0301ternel', 48)).toBe('e\u0301te\u0301 e\u0301…');
    expect(tokenizerModules.shorten('lion', 40)).toBe('lion');
  });

  it('rejects texts without tokens or with more than the limit', () => {
    expect(findTextProblem('dog bites man')).toBeUndefined();
    expect(findTextProblem(' \n')).toContain('has no words');
    expect(findTextProblem('dog '.repeat(TOKEN_LIMIT))).toBeUndefined();
    expect(findTextProblem('dog '.repeat(5000))).toContain('5,000 words and punctuation marks; a sentence may have at most 512');
  });
});

describe('word order', () => {
  it('moves a word and shifts the others', () => {
    expect(moveWord([0, 1, 2, 3], 3, 0)).toEqual([3, 0, 1, 2]);
    expect(moveWord([3, 0, 1, 2], 0, 3)).toEqual(createIdentityOrder(4));
    expect(moveWord([0, 1, 2], 1, 99)).toEqual([0, 2, 1]);
    expect(moveWord([0, 1, 2], 1, -1)).toEqual([1, 0, 2]);
  });

  it('is valid only as a permutation', () => {
    expect(isIdentity(createIdentityOrder(5))).toBe(true);
    expect(isOrder([2, 0, 1], 3)).toBe(true);
    for (const broken of [
      [0, 0, 1],
      [0, 1],
      [0, 1, 3],
      [0, 1, 1.5],
      [0, 1, Number.NaN],
    ])
      expect(isOrder(broken, 3)).toBe(false);
    expect(isReversed([2, 1, 0])).toBe(true);
    expect(isReversed([0])).toBe(false);
  });
});

describe('WordVectors', () => {
  it('contains the words of the examples without fetching', async () => {
    const vectors = new WordVectors();
    for (const word of examples.flatMap(({ text }) => tokenize(text))) expect(vectors.has(word), word).toBe(true);
    expect(vectors.vector('LION')).toHaveLength(VECTOR_DIM);
    expect(Math.hypot(...(vectors.vector('lion') ?? []))).toBeCloseTo(5.13, 1);
    await vectors.prepare(['zyx']);
    expect(vectors.vector('zyx')).toBeUndefined();
    expect(vectors.problem).toBeUndefined();
  });

  it('fetches other words once, when first needed', async () => {
    const rows = new Int8Array(VECTOR_DIM).fill(2);
    const fetched = vi.fn(async (address: string | URL) =>
      String(address).endsWith('json') ? Response.json({ dims: VECTOR_DIM, words: ['zyx'], scale: [0.5] }) : new Response(rows),
    );
    vi.stubGlobal('fetch', fetched);
    const vectors = new WordVectors({ index: 'words.json', rows: 'rows.i8' });
    await vectors.prepare(['lion']);
    expect(fetched).not.toHaveBeenCalled();
    await Promise.all([vectors.prepare(['zyx']), vectors.prepare(['zyx', 'lion'])]);
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(vectors.vector('zyx')?.[0]).toBe(1);
    vi.unstubAllGlobals();
  });

  it('reports a failed fetch and repeats it only on retry', async () => {
    const fetched = vi.fn(async () => new Response('', { status: 404, statusText: 'Not Found' }));
    vi.stubGlobal('fetch', fetched);
    const vectors = new WordVectors({ index: 'words.json', rows: 'rows.i8' });
    for (const word of ['z', 'zy', 'zyx']) await vectors.prepare([word]);
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(vectors.problem).toBe('Word vectors could not be loaded (404 Not Found).');
    expect(vectors.has('lion')).toBe(true);
    vectors.retry();
    expect(vectors.problem).toBeUndefined();
    await vectors.prepare(['zyx']);
    expect(fetched).toHaveBeenCalledTimes(2);
    vi.unstubAllGlobals();
  });

  it('times out if there is no response', async () => {
    const { timeout } = AbortSignal;
    const waits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 5));
    vi.stubGlobal(
      'fetch',
      (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const vectors = new WordVectors({ index: 'words.json', rows: 'rows.i8' });
    await vectors.prepare(['zyx']);
    expect(vectors.problem).toMatch(/^Word vectors could not be loaded \(.*time.*\)\.$/);
    expect(waits).toHaveBeenCalledWith(15_000);
    vi.unstubAllGlobals();
    waits.mockRestore();
  });

  it('derives seeds from words deterministically', () => {
    expect(hashWord('a')).toBe(0xe40c292c);
    expect(hashWord('猫')).toBe(hashWord('猫'));
    expect(hashWord('ab')).not.toBe(hashWord('ba'));
  });
});

describe('spelling', () => {
  it.each([
    ['a', ['an']],
    ["isn't", ['is', 'not']],
    ['don’t', ['do', 'not']],
    ["can't", ['can', 'not']],
    ["we're", ['we', 'are']],
    ["i'll", ['me', 'will']],
    ["it's", ['it', 'is']],
    ["dog's", ['dog']],
    ['7', ['seven']],
    ['1999', ['year']],
    ['123456', ['number']],
    ['“', ['"']],
    ['lion', ['lion']],
    ['constructor', ['constructor']],
  ])('spells %s with listed words', (word, parts) => {
    expect(spellOut(word)).toEqual(parts);
  });

  it('provides the mean vector of the parts if all are known', () => {
    const vectors = new WordVectors();
    const [the, lion] = [vectors.vector('the'), vectors.vector('lion')] as [Float32Array, Float32Array];
    expect(vectors.vector("lion's")).toEqual(lion);
    expect(vectors.has("xyzzyqn't")).toBe(false);
    expect(vectors.vector('the')).toEqual(the);
  });
});

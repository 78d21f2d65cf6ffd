// Typical queries to the search of the built book, and their expected first results.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { searchBook } from '../../web/book/find.ts';
import { INDEX_OPTIONS, type SearchSection, toSearchTerm } from '../../web/book/search-terms.ts';

const index = MiniSearch.loadJSON<SearchSection>(readFileSync(join(process.cwd(), 'dist/site/book/search.json'), 'utf8'), INDEX_OPTIONS);
const searchIds = (question: string) => searchBook(index, question).map(({ id }) => id);

describe('searchBook', () => {
  it.each([
    [
      'rotation/',
      ['rope', 'RoPE', 'rotary', 'rotary position embedding', 'how does rope work', 'hosw does rope wrok', 'explain RoPE to me'],
    ],
    ['biases/', ['alibi', 'ALiBi', 'what is alibi?', 't5 bias']],
    ['stretching-rope/', ['yarn', 'YaRN', 'ntk', 'position interpolation', 'long context', 'longrope']],
    ['one-sine-to-many/', ['why sin and cos', 'sine', 'why do we use sines and cosines']],
    ['relative-positions/', ['relative position', 'relative positions', 'shaw', 'transformer-xl', 'deberta']],
    ['no-encoding/', ['nope', 'NoPE']],
    ['sinusoids/', ['sinusoidal', 'sinusoids', 'sinusoidal positional encoding']],
    ['sinusoids/#why-10000', ['why 10000']],
    ['learned-tables/', ['learned positions', 'bert']],
    ['beyond-text/', ['nerf', 'fourier features']],
    ['order-matters/', ['is order important', 'permutation']],
    ['which-one/', ['choosing an encoding']],
    ['add-or-concatenate/', ['add or concatenate']],
  ])('ranks %s first', (expectedId, questions) => {
    for (const question of questions) expect(searchIds(question)[0], question).toBe(expectedId);
  });

  it('ranks a chapter before the page of its encoding, and both before mentions', () => {
    const rope = searchIds('rope');
    expect(rope.indexOf('encodings/rope/')).toBeGreaterThan(0);
    expect(rope.indexOf('encodings/rope/')).toBeLessThan(8);
    expect(searchIds('alibi').slice(0, 3)).toEqual(['biases/', 'biases/#alibi-compute-it', 'encodings/alibi/']);
    expect(searchIds('softmax')[0]).toMatch(/^glossary\/#/);
  });

  it('returns nothing for unknown words and stop words', () => {
    expect(searchIds('zzzzqq')).toEqual([]);
    expect(searchIds('why is the')).toEqual([]);
  });

  it('reduces plurals to the singular and keeps short words and words like bias and loss', () => {
    expect(['positions', 'Biases', 'bias', 'cos', 'ropes', 'loss'].map(toSearchTerm)).toEqual([
      'position',
      'biase',
      'bias',
      'cos',
      'rope',
      'loss',
    ]);
  });
});

// What readers ask the search of the built site, and what it has to find first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { searchBook } from '../../web/book/find.ts';
import { INDEX_OPTIONS, type SearchSection, toSearchTerm } from '../../web/book/search-terms.ts';

const index = MiniSearch.loadJSON<SearchSection>(readFileSync(join(process.cwd(), 'dist/site/book/search.json'), 'utf8'), INDEX_OPTIONS);
const found = (question: string) => searchBook(index, question).map(({ id }) => id);

describe('the search', () => {
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
  ])('leads to %s', (first, questions) => {
    for (const question of questions) expect(found(question)[0], question).toBe(first);
  });

  it('has the chapter before the page of the encoding, and both before what mentions it', () => {
    const rope = found('rope');
    expect(rope.indexOf('encodings/rope/')).toBeGreaterThan(0);
    expect(rope.indexOf('encodings/rope/')).toBeLessThan(8);
    expect(found('alibi').slice(0, 3)).toEqual(['biases/', 'biases/#alibi-compute-it', 'encodings/alibi/']);
    expect(found('softmax')[0]).toMatch(/^glossary\/#/);
  });

  it('finds nothing where there is nothing', () => {
    expect(found('zzzzqq')).toEqual([]);
    expect(found('why is the')).toEqual([]);
  });

  it('takes the plural of a word for the word, and leaves short words and -s that is none alone', () => {
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

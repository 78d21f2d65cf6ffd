// How a chapter sounds: what is counted, and what is drawn for somebody to read.
import { describe, expect, it } from 'vitest';
import { load } from './read-book.ts';

interface Listed {
  readonly found: readonly string[];
  readonly say: string;
}
const { sentencesOf, wordCount, languageOf, languageLines, sample } = await load<{
  sentencesOf: (text: string) => string[];
  wordCount: (sentence: string) => number;
  languageOf: (html: string) => { sentences: string[]; short: number; listed: Listed[] };
  languageLines: (chapters: readonly { file: string; html: string }[], seed: string, count?: number) => string[];
  sample: (sentences: readonly { text: string }[], count: number, seed: string) => { text: string }[];
}>('language.mjs');

describe('sentences', () => {
  it('end at their sign, not at an abbreviation, and a heading is none', () => {
    expect(sentencesOf('Su et al. (2021) rotate. Press et al. 2022 do not. “Why?” Because. The width of a head')).toEqual([
      'Su et al. (2021) rotate.',
      'Press et al. 2022 do not.',
      '“Why?”',
      'Because.',
    ]);
  });

  it('have the words of their readers: signs are none, a formula is one', () => {
    expect(wordCount('So … is 3 – or 4.')).toBe(6);
  });
});

describe('the language of a chapter', () => {
  const html = `<p>A short one. This one has a <b>because</b>, since <math><mi>x</mi></math> is not y.<data hidden>3</data></p>
    <ul><li>the width of a head</li><li>It stands there.</li></ul>
    <pre>It stands in code.</pre><table><tr><td>It stands in a table.</td></tr></table>
    <phasor-figure><p>It stands in a figure.</p></phasor-figure><figcaption>Somebody looks.</figcaption>
    <section><h2 id="sources">Sources</h2><ul><li>It stands in a source.</li></ul></section>`;

  it('counts sentences of the text, and not those of figures, programs, tables and sources', () => {
    const { sentences, short } = languageOf(html);
    expect(sentences).toEqual(['A short one.', 'This one has a because, since … is not y.', 'It stands there.', 'Somebody looks.']);
    expect(short).toBe(3);
  });

  it('finds what an editor would touch, and says what to write', () => {
    expect(languageOf(html).listed).toEqual([
      { found: ['stands there'], say: 'is, are, has' },
      { found: ['Somebody'], say: 'someone, anyone who, you' },
    ]);
    const found = (text: string) => languageOf(`<p>${text}</p>`).listed.map(({ say }) => say);
    expect(found('One row a token.')).toEqual(['per']);
    expect(found('Su and others (2021) do.')).toEqual(['et al.']);
    expect(found('The angle takes that of a head.')).toEqual(['the noun again']);
    expect(found('One row per token stands out; of course a word is a token.')).toEqual([]);
  });

  it('is printed with a share for each chapter and for all, and the sample', () => {
    const lines = languageLines(
      [
        { file: 'web/book/chapters/04-a.md', html },
        { file: 'web/book/chapters/05-b.md', html: '<p>One.</p>' },
      ],
      '1',
      2,
    );
    expect(lines[0]).toBe('web/book/chapters/04-a.md: 4 sentences, 75 % under nine words');
    expect(lines).toContain('all: 5 sentences, 80 % under nine words');
    expect(lines.at(-1)).toMatch(/^ 2 {2}0[45] {2}\S/);
  });
});

describe('the sample', () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ text: `Sentence ${at}.` }));

  it('is the same for a seed and another for another', () => {
    expect(sample(many, 40, '1')).toEqual(sample(many, 40, '1'));
    expect(sample(many, 40, '1')).toHaveLength(40);
    expect(sample(many, 40, '2')).not.toEqual(sample(many, 40, '1'));
  });

  it('changes only where the text has changed', () => {
    const before = sample(many, 40, '1');
    const changed = many.map((one) => (one === before[0] ? { text: 'Rewritten.' } : one));
    const after = sample(changed, 40, '1');
    expect(before.filter((one) => !after.includes(one)).length).toBeLessThanOrEqual(2);
  });
});

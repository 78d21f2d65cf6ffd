// Blocks of a chapter and their errors.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shortenPaths } from '../../web/book/still.ts';
import { chapter, html, load, refusal } from './read-book.ts';

const { readFrontMatter } = await load<{ readFrontMatter: (text: string, file: string) => object }>('front-matter.mjs');

/** A figure, a formula and the start of its symbols, up to line 12. */
const SYMBOLS = '::: figure kind=table #t\nA table.\n:::\n\n$$ s = q_i k_j $$\n\n::: symbols\n';

/** The page layouts for which a figure has stills. */
const stillPages = (text: string): (string | undefined)[] => [...text.matchAll(/<svg class="still ([\w ]+)"/g)].map(([, pages]) => pages);

describe('chapter block', () => {
  it('renders a complete figure without scripts, with its number, caption and link to the Lab', async () => {
    const text = await html(
      '::: figure kind=waves encoding="sinusoidal base=100" length=20 \\\n  group=a #w\nOne *wave*.\n:::\n\nSee [[#w]].',
    );
    expect(text).toContain('<phasor-figure group="a" kind="waves" encoding="sinusoidal base=100" length="20">');
    expect(text).toContain('<template shadowrootmode="open">');
    expect(stillPages(text)).toEqual(['wide medium', 'narrow']);
    expect(text).toContain('var(--ink)');
    expect(text).toContain('<b class="number">Figure 3.1.</b>');
    expect(text).toContain('<a href="#w">Figure 3.1</a>');
    expect(text).toMatch(
      /class="lab" href="\.\.\/\.\.\/#v=3&amp;encoding=sinusoidal&amp;params=base:100&amp;dim=16&amp;question=position&amp;view=waves/,
    );
  });

  it('renders a third still if medium pages have a different layout, and reserves the height', async () => {
    const text = await html('::: figure kind=frequencies\nTwo charts.\n:::');
    expect(stillPages(text)).toEqual(['wide', 'medium', 'narrow']);
    expect(text).toMatch(/style="--wide-picture: \d+px; --picture: \d+px \+ clamp\(/);
  });

  it('shortens straight paths of pictures and leaves curves unchanged', () => {
    expect(shortenPaths('<path d="M24,190.43L25.16,182.34L26.32,182.34ZM-0.36,0L0.04,-1.5" />')).toBe(
      '<path d="M24,190.4l1.2,-8.1l1.1,0ZM-.4,0l.4,-1.5" />',
    );
    for (const other of ['M1.25,2A3,3 0 0 1 5,6', 'M1.25,2C1,2 3,4 5,6', 'M1.25,2ZL3,4']) {
      expect(shortenPaths(`<path d="${other}">`)).toBe(`<path d="${other}">`);
    }
  });

  it('accepts the examples of web/book/README.md', async () => {
    const readme = readFileSync('web/book/README.md', 'utf8');
    const examples = [...readme.matchAll(/^(`{3,4})markdown\n([\s\S]*?)^\1$/gm)]
      .map(([, , text]) => text ?? '')
      .filter((text) => !text.startsWith('---'));
    expect(examples.length).toBeGreaterThan(6);
    const figureBlock = '::: figure kind=change #drag\nA figure.\n:::\n\n';
    const { cores, figures } = await chapter(figureBlock + examples.join('\n\n'));
    expect(figures.length).toBeGreaterThan(2);
    expect(cores.length).toBeGreaterThan(4);
  });

  it('can contain other blocks', async () => {
    const text = await html('::: exercise Do it\nHow?\n\n::: solution\nSo.\n\n::: figure kind=table\nA table.\n:::\n:::\n:::\n\nAfter.');
    expect(text).toMatch(
      /<section class="exercise"[\s\S]*<details class="solution">[\s\S]*<figure[\s\S]*<\/figure><\/details><\/section><p>After\.<\/p>/,
    );
  });

  it('explains the symbols of the preceding formula', async () => {
    const text = await html(
      '::: figure kind=table #t\nA table.\n:::\n\n$$ s = q_i k_j $$ {#s}\n\n::: symbols\n- $q_i$ the query {lights #t query=2}\n:::\n\nBy [[#s]].',
    );
    expect(text).toContain('data-figure="t" data-cursor="{&quot;query&quot;:2}"');
    expect(text).toContain('<a href="#s">(3.1)</a>');
  });

  it.each([
    ['\\odot', 'x \\odot y'],
    ['\\cos p', 's = A \\cos p + \\sin p'],
    ['a,\\; b', '(a, b)'],
    ['a b', 'a \\; b'],
    ['i - j', 's_{i - j}'],
    ['\\operatorname{softmax}', '\\operatorname{softmax}(s)'],
    ['x_1', '\\frac{x_1}{x_2}'],
  ])('finds the symbol %s in %s', async (symbol, formula) => {
    expect(await refusal(`$$ ${formula} $$\n\n::: symbols\n- $${symbol}$ it\n:::`)).toBe('it was accepted');
  });

  it.each([
    ['\\sin p', 's = \\cos p'],
    ['p i', 'p_i'],
    ['x y', '\\frac{x}{y}'],
    ['p', '\\mathrm{pe}'],
  ])('does not find the symbol %s in %s', async (symbol, formula) => {
    expect(await refusal(`$$ ${formula} $$\n\n::: symbols\n- $${symbol}$ it\n:::`)).toMatch(/is not in the formula above/);
  });

  it.each([
    ['::: figure kind=waves legnth=20\nA caption.\n:::', /^a\.md:6: figure: legnth/],
    ['text\n\n::: figure kind=waves length=0\nA caption.\n:::', /^a\.md:8: figure: length: “0” is outside/],
    ['::: figure kind=wave\nA caption.\n:::', /^a\.md:6: figure: kind: “wave” is unknown/],
    ['::: figure kind=waves encoding="sinusoidal base=-1"\nA caption.\n:::', /^a\.md:6: figure: .*base/],
    ['::: figure kind=waves\n:::', /^a\.md:6: figure: it has no caption/],
    ['::: figure encoding=rope\nA caption.\n:::', /^a\.md:6: figure: kind= is missing/],
    ['::: figure kind=waves onclick=x\nA caption.\n:::', /^a\.md:6: figure: onclick is neither/],
    ['::: figure kind=waves room=100\nA caption.\n:::', /^a\.md:6: figure: room=100 is not a whole number from 272 to 960/],
    ['::: figure kind=waves room=wide\nA caption.\n:::', /^a\.md:6: figure: room=wide is no/],
    ['::: figure kind=waves room\nA caption.\n:::', /^a\.md:6: figure: room= is no/],
    ['::: figure kind=waves #a\nA.\n:::\n\n::: figure kind=waves #a\nB.\n:::', /^a\.md:10: the id #a is there twice/],
    ['a\n\n::: figur kind=waves\n:::', /^a\.md:8: “::: figur” is unknown/],
    ['::: note\nopen', /^a\.md:6: “::: note” is not closed/],
    ['text\n\n:::', /^a\.md:8: “:::” closes nothing/],
    ['$$ x = \\frac{1}{ $$', /^a\.md:6: formula “x = \\frac/],
    ['$$ x', /^a\.md:6: “\$\$” is not closed/],
    ['$$ s = q k $$\n\n::: symbols\n- $v$ the value\n:::', /^a\.md:9: symbols: \$v\$ is not in the formula above/],
    ['::: symbols\n- $v$ the value\n:::', /^a\.md:6: symbols: there is no \$\$ formula above/],
    [
      `${SYMBOLS}- $s$ it {lights #t position=2}\n:::`,
      /^a\.md:13: symbols: \{lights #t position=2\}: .* table figure has no axis “position”; it has query, channel$/,
    ],
    [`${SYMBOLS}- $s$ it {lights #t query=50}\n:::`, /^a\.md:13: symbols: .* query is a whole number from 0 to 49$/],
    [`${SYMBOLS}- $s$ it {lights #t query=2.5}\n:::`, /^a\.md:13: symbols: .* query is a whole number/],
    [`${SYMBOLS}- $s$ it {lights #t}\n:::`, /^a\.md:13: symbols: \{lights #figure\} says no axis/],
    [`${SYMBOLS}- $s$ it {lights #u query=2}\n:::`, /^a\.md:13: there is no figure #u/],
    ['# A title', /^a\.md:6: “#” is the title/],
    ['[[#nothing]]', /^a\.md:6: \[\[#nothing\]\]/],
  ])('rejects %j', async (body, sentence) => {
    expect(await refusal(body)).toMatch(sentence);
  });

  it('rejects front matter with a missing or unknown field', () => {
    const fails = (text: string) => {
      try {
        readFrontMatter(text, 'a.md');
      } catch (thrown) {
        return (thrown as { sentence: string }).sentence;
      }
      return '';
    };
    expect(fails('title: x')).toMatch(/^a\.md:1: a chapter begins with/);
    expect(fails('---\ntitle: x\nshort: y\n---\n')).toMatch(/^a\.md:1: description is missing/);
    expect(fails('---\ntitel: x\n---\n')).toMatch(/^a\.md:2: “titel: x” is none of/);
  });
});

// The book: each block, what must not be accepted, and that every value in it is what the package computes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as kit from '../../web/book/node.ts';
import { kinds } from '../../web/figure/registry.ts';
import { readSpec } from '../../web/figure/spec.ts';
import { readLink } from '../../web/lab/link.ts';

interface Chapter {
  readonly file: string;
  readonly number: string;
  readonly ids: ReadonlySet<string>;
  readonly figures: readonly {
    readonly id: string;
    readonly kind: string;
    readonly fields: Record<string, unknown>;
    readonly labHash: string;
  }[];
  readonly cores: readonly { readonly result: { readonly value: unknown; readonly request: string; readonly text: string } }[];
  write(links: object): string;
}
interface Book {
  readonly chapters: readonly Chapter[];
  readonly pages: readonly Chapter[];
  readonly encodings: readonly Chapter[];
  readonly missing: readonly { readonly target: string; readonly place: { readonly file: string; readonly line: number } }[];
  write(page: Chapter): string;
}
type Means = object;

const load = async (name: string) => import(join(process.cwd(), 'scripts/book', name));
const { meansOfBook } = (await load('kit.mjs')) as { meansOfBook: (of: typeof kit, phasor: unknown) => Means };
const { readBook } = (await load('book.mjs')) as { readBook: (means: Means) => Promise<Book> };
const { readChapter } = (await load('chapter.mjs')) as { readChapter: (source: object, means: Means) => Promise<Chapter> };
const { readFrontMatter } = (await load('front-matter.mjs')) as {
  readFrontMatter: (text: string, file: string) => { line: number; title: string };
};
const { printed } = (await load('core-values.mjs')) as { printed: (value: unknown, format: object, formatNumber: unknown) => string };

let means: Means;
let book: Book;
const links = { lab: '../../', reference: ({ label, target }: { label?: string; target: string }) => label ?? target };

beforeAll(async () => {
  const { createPhasor } = (await import(join(process.cwd(), 'dist/npm/node.js'))) as typeof import('../../web/engine/node.ts');
  means = meansOfBook(kit, await createPhasor());
  book = await readBook(means);
});

const chapter = (body: string) =>
  readChapter(
    { file: 'a.md', name: 'a', slug: 'a', path: 'a/', number: '3', title: 'A', short: 'A', description: 'A', body, line: 5 },
    means,
  );
const html = async (body: string) => (await chapter(body)).write(links);
/** The sentence that stops the build. */
const refusal = async (body: string) => {
  try {
    (await chapter(body)).write(links);
  } catch (thrown) {
    return (thrown as { sentence?: string }).sentence ?? String(thrown);
  }
  return 'it was accepted';
};

describe('values of the core', () => {
  it.each([
    ['table {encoding: "sinusoidal", length: 4, width: 4} at 2,1 to 4 digits', '−0.4161'],
    ['table {encoding: "sinusoidal", length: 4, width: 4} at 2,1 to 2 decimals', '−0.42'],
    ['table {"encoding": {"id": "sinusoidal"}, "length": 2, "width": 2} at 0', '0, 1'],
    ['(waves {encoding: "sinusoidal", width: 4}).frequency at 1 to 3 digits', '0.0100'],
    ['(biasSteps {encoding: "t5", q: tensor [[[1]]], k: tensor [[[1]]], head: 0, query: 0, key: 0}).bucket', '0'],
    ['(distanceProfile {matrix: similarity {table: table {encoding: "sinusoidal", length: 8, width: 8}}}).mean at 7', '1'],
    ['(figure {kind: "attention", text: "a a", encoding: "none"}).weights at 0,0 percent', '50 %'],
    ['(embeddings "lion" {width: 8}).shape at 1', '8'],
    ['figure {kind: "attention", text: "a a", encoding: "none"}.weights at 0,0 percent', '50 %'],
    ['waves {encoding: "sinusoidal", width: 4}.frequency at 1 to 3 digits', '0.0100'],
    ['rotate (tensor [[[1, 0], [1, 0]]]) {encoding: "rope"} at 0,0', '1, 0'],
  ])('%s is %s', async (request, text) => {
    const { cores } = await chapter(`{{core: ${request}}}`);
    expect(cores.map(({ result }) => result.text)).toEqual([text]);
  });

  it('has names, stands in formulas, tables and captions, and carries its request without the names', async () => {
    const text = await html(
      '```core\nsins = table {encoding: "sinusoidal", length: 4, width: 4}\n```\n\n$x = {{core: sins at 1,0 to 3 digits}}$, {{core: sins at 1,0}}\n\n| a |\n|---|\n| {{core: sins at 0,1}} |\n',
    );
    expect(text).not.toContain('sins');
    expect(text.match(/data-core="table \{encoding: &quot;sinusoidal&quot;, length: 4, width: 4\} at /g)).toHaveLength(3);
    expect(text).toContain('0.841');
  });

  it.each([
    ['{{core: tabel {length: 2}}}', 'a.md:6: core: “tabel” is no method of the engine and no name of a ```core block above'],
    ['one\n\ntwo\n{{core: table {encoding: "sinusoidal", lenght: 4, width: 4} at 0,0}}', /^a\.md:9: core: .*lenght/],
    ['{{core: table {encoding: "sinusoid", length: 4, width: 4} at 0,0}}', /^a\.md:6: core: .*sinusoid/],
    ['{{core: table {encoding: "sinusoidal", length: 4, width: 4} at 4,0}}', /^a\.md:6: core: “at 4,0” is outside of an array of 4 × 4/],
    ['{{core: table {encoding: "sinusoidal", length: 4, width: 64}}}', /^a\.md:6: core: this is an array of 256; say which part/],
    [
      '{{core: (waves {encoding: "sinusoidal", width: 4}).frequencies}}',
      /^a\.md:6: core: there is no “frequencies”; there is sine, cosine, frequency/,
    ],
    ['{{core: table {encoding: "sinusoidal", length: 4, width: 4} at 0,0 to 3 letters}}', /^a\.md:6: core: “to 3 letter”/],
    ['{{core: #missing.weights at 0}}', /^a\.md:6: core: there is no figure #missing/],
    ['{{core: figure {kind: "attention"}.read}}', /^a\.md:6: core: there is no “read”; there is weights, .*proof, readout/],
    ['```core\nx table {}\n```', /^a\.md:7: core: “x table \{\}” is not “name = …”/],
  ])('%s is refused with its file and line', async (body, sentence) => {
    const said = await refusal(body);
    if (typeof sentence === 'string') expect(said).toBe(sentence);
    else expect(said).toMatch(sentence);
  });
});

/** A figure, a formula and the beginning of its symbols, up to line 12. */
const SYMBOLS = '::: figure kind=table #t\nA table.\n:::\n\n$$ s = q_i k_j $$\n\n::: symbols\n';

describe('blocks', () => {
  it('make a figure whole before any script, with its number, its caption and a link to the Lab', async () => {
    const text = await html(
      '::: figure kind=waves encoding="sinusoidal base=100" length=20 \\\n  group=a #w\nOne *wave*.\n:::\n\nSee [[#w]].',
    );
    expect(text).toContain('<phasor-figure group="a" kind="waves" encoding="sinusoidal base=100" length="20">');
    expect(text).toContain('<template shadowrootmode="open">');
    expect(text.match(/<svg class="still (wide|narrow)"/g)).toHaveLength(2);
    expect(text).toContain('var(--ink)');
    expect(text).toContain('<b class="number">Figure 3.1.</b>');
    expect(text).toContain('<a href="#w">Figure 3.1</a>');
    expect(text).toMatch(
      /class="lab" href="\.\.\/\.\.\/#v=1&amp;encoding=sinusoidal&amp;params=base:100&amp;width=16&amp;question=position&amp;view=waves/,
    );
  });

  it('decide by the core which prediction is right', async () => {
    const option = 'table {encoding: "sinusoidal", length: 4, width: 4} at 1,0';
    const text = await html(`::: predict\nIs it?\n- No {correct if ${option} < 0.5}\n- Yes {correct if ${option} > 0.5}\n\nBecause.\n:::`);
    expect(text).toContain('data-correct="1"');
    expect(text).toContain('<details class="answer">');
    const other = await html(`::: predict\nIs it?\n- No {otherwise}\n- Yes {correct if ${option} > 0.9}\n\nBecause.\n:::`);
    expect(other).toContain('data-correct="0"');
    expect(await html(`::: predict\nHow much?\nanswer: ${option} within 10 % units\n\nSo.\n:::`)).toContain(
      'data-within="10" data-percent',
    );
  });

  it('work as web/book/README.md shows them', async () => {
    const readme = readFileSync('web/book/README.md', 'utf8');
    const examples = [...readme.matchAll(/^(`{3,4})markdown\n([\s\S]*?)^\1$/gm)]
      .map(([, , text]) => text ?? '')
      .filter((text) => !text.startsWith('---'));
    expect(examples.length).toBeGreaterThan(6);
    const drag = '::: figure kind=change #drag\nA figure.\n:::\n\n';
    const { cores, figures } = await chapter(drag + examples.join('\n\n'));
    expect(figures.length).toBeGreaterThan(2);
    expect(cores.length).toBeGreaterThan(4);
  });

  it('may stand inside each other', async () => {
    const text = await html('::: exercise Do it\nHow?\n\n::: solution\nSo.\n\n::: figure kind=table\nA table.\n:::\n:::\n:::\n\nAfter.');
    expect(text).toMatch(
      /<section class="exercise"[\s\S]*<details class="solution">[\s\S]*<figure[\s\S]*<\/figure><\/details><\/section><p>After\.<\/p>/,
    );
  });

  it('explain the symbols of the formula above', async () => {
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
  ])('find the symbol %s in %s', async (symbol, formula) => {
    expect(await refusal(`$$ ${formula} $$\n\n::: symbols\n- $${symbol}$ it\n:::`)).toBe('it was accepted');
  });

  it.each([
    ['\\sin p', 's = \\cos p'],
    ['p i', 'p_i'],
    ['x y', '\\frac{x}{y}'],
    ['p', '\\mathrm{pe}'],
  ])('do not find the symbol %s in %s', async (symbol, formula) => {
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
    ['::: figure kind=waves #a\nA.\n:::\n\n::: figure kind=waves #a\nB.\n:::', /^a\.md:10: the id #a is there twice/],
    ['a\n\n::: figur kind=waves\n:::', /^a\.md:8: “::: figur” is unknown/],
    ['::: note\nopen', /^a\.md:6: “::: note” is not closed/],
    ['text\n\n:::', /^a\.md:8: “:::” closes nothing/],
    ['::: predict\nNo options\n:::', /^a\.md:6: predict: after the question come options/],
    ['::: predict\nWhich?\n- a {correct if 1 < 2}\n- b {correct if 2 < 3}\n:::', /^a\.md:6: predict: by the core 2 options are correct/],
    ['::: predict\nWhich?\n- a\n- b\n:::', /^a\.md:6: predict: by the core 0 options/],
    ['::: predict\nWhich?\n- a {correct if 1}\n- b\n:::', /^a\.md:8: predict: “1” compares nothing/],
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
  ])('refuse %j', async (body, sentence) => {
    expect(await refusal(body)).toMatch(sentence);
  });

  it('refuse a head that lacks something, or has something else', () => {
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

describe('the book', () => {
  it('has every value as the package computes it', async () => {
    const all = [...book.chapters, ...book.pages, ...book.encodings];
    let count = 0;
    for (const page of all) {
      const { core } = means as {
        core: {
          parse: (text: string, names: Map<string, unknown>) => unknown;
          value: (expression: unknown, figures: Map<string, object>) => Promise<{ text: string }>;
        };
      };
      const figures = new Map(page.figures.map(({ id, kind, fields }) => [id, { kind, ...fields }]));
      const text = book.write(page);
      // What readers get, not what was remembered while it was written.
      for (const [, , value, request] of text.matchAll(/<data class="core"( hidden| data-list)? value="([^"]*)" data-core="([^"]*)"/g)) {
        const plain = (one = '') => one.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
        const again = (await core.value(core.parse(plain(request), new Map()), figures)) as { text: string; value?: unknown };
        expect(String(again.value), `${page.file}: ${request}`).toBe(plain(value));
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  it('leads from every figure to the Lab with the same kind and encoding', () => {
    for (const page of [...book.chapters, ...book.encodings]) {
      for (const { kind, fields, labHash } of page.figures) {
        const { state, problem } = readLink(labHash);
        expect(problem, `${page.file}: ${labHash}`).toBeUndefined();
        const spec = readSpec(kinds[kind] as NonNullable<(typeof kinds)[string]>, fields) as Record<string, unknown>;
        if (kind !== 'sentence') expect(state.view).toBe(kind);
        const { id } = (spec.encoding ?? {}) as { id?: string };
        if (id !== undefined) expect(state.encoding).toBe(id);
        if (spec.text !== undefined) expect(state.text).toBe(spec.text);
      }
    }
  });

  it('has no reference to a chapter that is there and is not found', () => {
    const numbers = book.chapters.map(({ number }) => number);
    for (const { target, place } of book.missing)
      expect(numbers, `${place.file}:${place.line}: [[${target}]]`).not.toContain(target.replace('chapter ', ''));
  });
});

describe('formats', () => {
  it.each([
    [0.00001234, {}, '1.23×10⁻⁵'],
    [12345, {}, '12,345'],
    [-0.0001, { format: { decimal: 2 } }, '0.00'],
    [0.256, { percent: true }, '25.6 %'],
    [[1, 0.5], {}, '1, 0.500'],
    [true, {}, 'true'],
  ])('%j is printed as %s', (value, format, text) => {
    expect(printed(value, format, kit.formatNumber)).toBe(text);
  });
});

/** Pages of the built site by their path, and the ids that each has. */
describe('the built site', () => {
  it('has no dead link and no missing anchor', () => {
    const site = join(process.cwd(), 'dist/site');
    const read = (path: string) => readFileSync(join(site, path), 'utf8');
    const pages = [...read('sitemap.xml').matchAll(/<loc>(?:\.\/|https?:\/\/[^<]*?\/)?([^<]*)<\/loc>/g)].map(([, path]) => path ?? '');
    expect(pages.length).toBeGreaterThan(30);
    expect(pages).toEqual(expect.arrayContaining(['', 'lab/', 'developers/', 'book/', 'book/encodings/rope/']));
    const idsOf = (path: string) => new Set([...read(`${path}index.html`).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    const ids = new Map(pages.map((path) => [path, idsOf(path)]));
    for (const path of pages) {
      for (const [, href = ''] of read(`${path}index.html`).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue;
        const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site/${path}`);
        const target = pathname.slice(1);
        // Every figure, which search engines need not find.
        if (target === 'gallery/') continue;
        expect([...ids.keys()], `${path} links to ${href}`).toContain(target);
        // The Lab's fragments are its state, and what they lead to is made by its script.
        if (hash && target !== 'lab/')
          expect([...(ids.get(target) ?? [])], `${path} links to ${href}`).toContain(decodeURIComponent(hash.slice(1)));
      }
    }
  });
});

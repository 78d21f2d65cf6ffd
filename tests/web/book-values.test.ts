// Values of the core in the text of the book: expressions, formatting, and errors.
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../web/book/node.ts';
import { chapter, html, load, refusal } from './read-book.ts';

const { printed } = await load<{ printed: (value: unknown, format: object, results: unknown) => string }>('core-values.mjs');

describe('core value', () => {
  it.each([
    ["digits(at(positionTable({ encoding: 'sinusoidal', length: 4, dim: 4 }), 2, 1), 4)", '−0.4161'],
    ["decimals(at(positionTable({ encoding: 'sinusoidal', length: 4, dim: 4 }), 2, 1), 2)", '−0.42'],
    ["at(positionTable({ encoding: { id: 'sinusoidal' }, length: 2, dim: 2 }), 0)", '0, 1'],
    ["digits(at(sinusoids({ encoding: 'sinusoidal', dim: 4 }).frequency, 1), 3)", '0.0100'],
    ["explainBias({ encoding: 't5', q: tensor([[[1]]]), k: tensor([[[1]]]), head: 0, query: 0, key: 0 }).bucket", '0'],
    ["at(distanceProfile({ matrix: similarity({ table: positionTable({ encoding: 'sinusoidal', length: 8, dim: 8 }) }) }).mean, 7)", '1'],
    ["percent(at((await figure({ kind: 'attention', text: 'a a', encoding: 'none' })).weights, 0, 0))", '50%'],
    ["(await embeddings('lion', 8)).shape[1]", '8'],
    ["at(applyRotary(tensor([[[1, 0], [1, 0]]]), { encoding: 'rope' }), 0, 0)", '1, 0'],
    ['percent(digits(Math.sqrt(0.5), 4))', '70.71%'],
    ["'}}'.length", '2'],
  ])('%s is %s', async (source, text) => {
    const { cores } = await chapter(`{{core: ${source}}}`);
    expect(cores.map(({ result }) => result.text)).toEqual([text]);
  });

  it('uses constants, appears in formulas and tables, and keeps its expression', async () => {
    const text = await html(
      "```core\n// Sines.\nconst sins = positionTable({\n  encoding: 'sinusoidal',\n  length: 4,\n  dim: 4,\n});\nconst one = at(sins, 1);\n```\n\n$x = {{core: digits(at(sins, 1, 0), 3)}}$, {{core: at(one, 0)}}\n\n| a |\n|---|\n| {{core: at(sins, 0, 1)}} |\n",
    );
    expect(text).not.toContain('const');
    expect([...text.matchAll(/data-core="([^"]*)"/g)].map(([, source]) => source)).toEqual([
      'digits(at(sins, 1, 0), 3)',
      'at(one, 0)',
      'at(sins, 0, 1)',
    ]);
    expect(text).toContain('0.841');
  });

  it('removes the comment after a number', async () => {
    const sin = (position: number) =>
      `{{core: digits(at(positionTable({ encoding: 'sinusoidal', length: 4, dim: 4 }), ${position}, 0), 2)}}`;
    const text = await html(`${sin(1)} <!-- sin1 -->, ${sin(2)} <!-- sin2 --> and more.`);
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('0.84, 0.91 and more.');
  });

  it.each([
    [
      '{{core: tabel({ length: 2 })}}',
      'a.md:6: core: “tabel” is no method of the engine, no helper and no constant of a ```core block above',
    ],
    ["one\n\ntwo\n{{core: at(positionTable({ encoding: 'sinusoidal', lenght: 4, dim: 4 }), 0, 0)}}", /^a\.md:9: core: .*lenght/],
    ["{{core: at(positionTable({ encoding: 'sinusoid', length: 4, dim: 4 }), 0, 0)}}", /^a\.md:6: core: .*sinusoid/],
    [
      "{{core: at(positionTable({ encoding: 'sinusoidal', length: 4, dim: 4 }), 4, 0)}}",
      /^a\.md:6: core: “at\(…, 4, 0\)” is outside of an array of 4 × 4/,
    ],
    ["{{core: positionTable({ encoding: 'sinusoidal', length: 4, dim: 64 })}}", /^a\.md:6: core: this is an array of 256; select a part/],
    ["{{core: positionTable({ encoding: 'sinusoidal', length: 4, dim: 4 }).rows}}", /^a\.md:6: core: this is undefined; select a part/],
    [
      "{{core: sinusoids({ encoding: 'sinusoidal', dim: 4 }).frequencies}}",
      /^a\.md:6: core: there is no “frequencies”; there is sine, cosine, frequency/,
    ],
    ['{{core: at(tensor([1, 2]), 0}}', /^a\.md:6: core: “at\(tensor\(\[1, 2\]\), 0”: missing \)/],
    ['{{core: 1, 2}}', 'a.md:6: core: “1, 2” is not one expression'],
    ['{{core: digits(0.5)}}', 'a.md:6: core: digits: undefined is not a whole number from 1 to 20'],
    ['{{core: decimals(0.5, -1)}}', 'a.md:6: core: decimals: -1 is not a whole number from 0 to 20'],
    ['{{core: 1; 2}}', /^a\.md:6: core: “1; 2”: Unexpected token/],
    ['{{core: figures.missing.weights}}', /^a\.md:6: core: there is no figure #missing/],
    ["{{core: (await figure({ kind: 'attention' })).read}}", /^a\.md:6: core: there is no “read”; there is weights, .*proof, readout/],
    ["{{core: figure({ kind: 'attention' }).readout}}", 'a.md:6: core: write “await figure(…)”'],
    ["{{core: (await figure({ kind: 'attentoin' })).readout}}", /^a\.md:6: core: .*attentoin/],
    ['```core\nx positionTable({})\n```', /^a\.md:7: core: “x positionTable\(\{\}\)” is not “const name = …;”/],
    ['```core\nconst x = 1;\nconst x = 2;\n```', 'a.md:8: core: x is named twice'],
    ['```core\nconst x = [\n  1,\n];\n// y\nconst y = x +;\n```', /^a\.md:11: core: “x \+”: Unexpected token/],
    ['```core\nconst x = 1;\nconst y = z;\n```', /^a\.md:8: core: “z” is no method/],
  ])('%s is rejected with its file and line', async (body, sentence) => {
    const message = await refusal(body);
    if (typeof sentence === 'string') expect(message).toBe(sentence);
    else expect(message).toMatch(sentence);
  });
});

describe('formats', () => {
  it.each([
    [0.00001234, {}, '1.23×10⁻⁵'],
    [12345, {}, '12,345'],
    [54410.16, {}, '54,400'],
    [-19869.177, { digits: 6 }, '−19,869.2'],
    [1234.56789, { decimals: 5 }, '1,234.56789'],
    [0.00001, { decimals: 7 }, '0.0000100'],
    [-0.0001, { decimals: 2 }, '0.00'],
    [0.256, { percent: true }, '25.6%'],
    [[1, 0.5], {}, '1, 0.500'],
    [true, {}, 'true'],
  ])('%j is printed as %s', (value, format, text) => {
    expect(printed(value, format, formatNumber)).toBe(text);
  });
});

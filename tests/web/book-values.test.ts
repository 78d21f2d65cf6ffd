// Values of the core in the text of the book: what can be asked, how it is printed, and what is refused.
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../web/book/node.ts';
import { chapter, html, load, refusal } from './read-book.ts';

const { printed } = await load<{ printed: (value: unknown, format: object, numbers: unknown) => string }>('core-values.mjs');

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

  it('leaves nothing of a mark behind a number', async () => {
    const sin = (place: number) => `{{core: table {encoding: "sinusoidal", length: 4, width: 4} at ${place},0 to 2 digits}}`;
    const text = await html(`${sin(1)} <!-- sin1 -->, ${sin(2)} <!-- sin2 --> and more.`);
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('0.84, 0.91 and more.');
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

describe('formats', () => {
  it.each([
    [0.00001234, {}, '1.23×10⁻⁵'],
    [12345, {}, '12,345'],
    [54410.16, {}, '54,400'],
    [-19869.177, { format: { digit: 6 } }, '−19,869.2'],
    [1234.56789, { format: { decimal: 5 } }, '1,234.56789'],
    [0.00001, { format: { decimal: 7 } }, '0.0000100'],
    [-0.0001, { format: { decimal: 2 } }, '0.00'],
    [0.256, { percent: true }, '25.6 %'],
    [[1, 0.5], {}, '1, 0.500'],
    [true, {}, 'true'],
  ])('%j is printed as %s', (value, format, text) => {
    expect(printed(value, format, formatNumber)).toBe(text);
  });
});

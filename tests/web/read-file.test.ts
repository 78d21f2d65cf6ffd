// Files of the user: valid, truncated, changed, and of unsupported types.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Config, parseConfig, readPositiveInteger } from '../../web/figure/compute/rope-config.ts';
import { FieldError } from '../../web/figure/contract/fields.ts';
import { readDroppedMatrix } from '../../web/figure/files/dropped-matrix.ts';
import { MAX_BYTES, parseFile, readFile } from '../../web/figure/files/read-file.ts';

describe('safetensors file', () => {
  const golden = 'tests/golden-models/negative';
  const { files } = JSON.parse(readFileSync(`${golden}/expected.json`, 'utf8')) as { files: { file: string; valid: boolean }[] };

  it('is read as tensors by name', () => {
    const { file } = files.find(({ valid }) => valid) as { file: string };
    const { tensors } = parseFile('model.safetensors', new Uint8Array(readFileSync(`${golden}/${file}`)));
    expect(Object.keys(tensors ?? {})).toEqual(['a', 'b']);
    expect(tensors?.a?.shape).toEqual([3, 4]);
    // If a file has a matrix and a vector, the matrix is used.
    expect(readDroppedMatrix({ name: 'model.safetensors', tensors }).shape).toEqual([3, 4]);
  });

  it('is rejected if its header is nested 20,000 levels deep', () => {
    for (const value of ['['.repeat(20_000) + ']'.repeat(20_000), `{"x":{"dtype":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`]) {
      const header = new TextEncoder().encode(value);
      const bytes = Uint8Array.of(...new Uint8Array(BigUint64Array.of(BigInt(header.length)).buffer), ...header);
      expect(() => parseFile('model.safetensors', bytes)).toThrow(
        new Error('model.safetensors is not a safetensors file (header: is nested too deeply; expected at most 64 levels)'),
      );
    }
  });

  it.each(files.filter(({ valid }) => !valid))('$file is rejected', ({ file }) => {
    expect(() => parseFile('model.safetensors', new Uint8Array(readFileSync(`${golden}/${file}`)))).toThrow(
      /^model\.safetensors is (empty|not a safetensors file \([^\n]+\))$/,
    );
  });
});

describe('JSON file', () => {
  const parseText = (text: string) => parseFile('a.json', new TextEncoder().encode(text));
  it('is read as a tensor if it contains nested lists of equal lengths', () => {
    expect(parseText('[[1, 2, 3], [4, 5, 6]]').tensors?.data).toEqual({ shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) });
    expect(parseText('[[[1]], [[2]]]').tensors?.data).toEqual({ shape: [2, 1, 1], data: Float32Array.of(1, 2) });
  });
  it('is returned as parsed if it contains no array of numbers', () => {
    expect(parseText('{"model_type": "llama"}')).toEqual({ name: 'a.json', json: { model_type: 'llama' } });
    for (const text of ['[[1, 2], [3]]', '[[1], 2]', '["a"]', '[]', '7', 'null']) expect(parseText(text).tensors, text).toBeUndefined();
  });
  it('is rejected if it is nested more than 64 levels deep', () => {
    const nested = (depth: number) => '['.repeat(depth) + 1 + ']'.repeat(depth);
    expect(parseText(nested(64)).tensors?.data?.shape.length).toBe(64);
    const message = 'a.json is nested too deeply; expected at most 64 levels';
    for (const text of [nested(65), nested(20_000), '['.repeat(20_000), `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`])
      expect(() => parseText(text)).toThrow(new Error(message));
    // Brackets in strings do not count as nesting.
    expect(parseText(JSON.stringify({ a: `\\"${'['.repeat(100)}`, b: '{{{"' })).json).toEqual({ a: `\\"${'['.repeat(100)}`, b: '{{{"' });
    expect(parseText(`[${'[1],'.repeat(100)}[1]]`).tensors?.data?.shape).toEqual([101, 1]);
  });
  it('is rejected if it is not JSON', () => expect(() => parseText('{')).toThrow(/^a\.json is not JSON \(.+\)$/));
});

describe('file of the user', () => {
  it('is rejected if it is empty or of an unsupported type', () => {
    expect(() => parseFile('photo.png', Uint8Array.of(1))).toThrow(
      'photo.png: unsupported file type; expected .npy, .safetensors, .csv, .json or .txt',
    );
    expect(() => parseFile('npy', Uint8Array.of(1))).toThrow('npy: unsupported file type');
    expect(() => parseFile('a.npy', new Uint8Array(0))).toThrow('a.npy is empty');
    expect(() => parseFile('a.npy', new TextEncoder().encode('a picture of a cat'))).toThrow(
      'a.npy is not a NumPy file: it does not begin with',
    );
  });
  it('is rejected without being read if it is too large', async () => {
    const file = { name: 'a.npy', size: MAX_BYTES + 1, arrayBuffer: () => Promise.reject(new Error('read')) };
    await expect(readFile(file)).rejects.toThrow('a.npy has 536.9M bytes; at most 536.9M are supported');
    await expect(readFile({ ...file, size: 10 })).rejects.toThrow('a.npy could not be read');
  });
  it('is read from a File object', async () => {
    const { tensors } = await readFile(new File(['[[1, 2]]'], 'x.json'));
    expect(tensors?.data).toEqual({ shape: [1, 2], data: Float32Array.of(1, 2) });
  });
});

describe('parseConfig', () => {
  const words = {
    notJson: (reason: string) => `not JSON: ${reason}`,
    notObject: 'no object',
    tooDeep: (most: number) => `deeper than ${most}`,
  };
  it('accepts 64 levels of nesting and rejects more', () => {
    const nested = (depth: number) => `${'{"text_config":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(readPositiveInteger(parseConfig(nested(64), words) as Config, 'head_dim')).toBeUndefined();
    for (const depth of [65, 20_000]) expect(() => parseConfig(nested(depth), words)).toThrow(new FieldError('deeper than 64'));
  });
});

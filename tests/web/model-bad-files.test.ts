// phasor/model: files with invalid contents, or that change on disk while they are read. Each is rejected with one sentence, and the next model opens.
import { cpSync, mkdtempSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openModel, openModelWorker, type ReadableFile } from '../../web/engine/model.node.ts';
import { configOf, fileBytes, GOLDEN, readableFile, readTensors, writeTensors } from './checkpoint-files.ts';

const config = configOf('llama-gqa');
const tensors = [...readTensors(fileBytes('llama-gqa/model.safetensors'))];
const rejection = async (files: Parameters<typeof openModel>[0], options: Parameters<typeof openModel>[1] = { config }) => {
  const error = await openModel(files, options).then(
    (model) => model.dispose(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  using model = await openModel(`${GOLDEN}/llama-gqa`);
  expect((await model.run([5, 6])).logits?.shape).toEqual([2, 64]);
  return error as { message: string; code: string; argument?: string };
};
const weightFiles = (...tensors: Parameters<typeof writeTensors>) => [readableFile('model.safetensors', writeTensors(...tensors))];

describe('values that are not finite', () => {
  it.each([
    ['F32', 4, [0, 0, 0xc0, 0x7f]],
    ['BF16', 2, [0xc0, 0x7f]],
    ['F16', 2, [0, 0x7e]],
  ] as const)('are rejected by the name of their tensor: NaN in %s', async (dtype, size, nan) => {
    const filled = tensors.map(([name, { shape }]) => {
      const count = shape.reduce((product, extent) => product * extent, 1);
      return [name, { dtype, shape, data: Uint8Array.from({ length: size * count }, (_, index) => nan[index % size] as number) }] as const;
    });
    const { message, code } = await rejection(weightFiles(filled));
    expect(message).toMatch(/^[\w.]+\[0\]: NaN is not a finite number$/);
    expect(code).toBe('invalid_argument');
  });
});

it('rejects a tensor of another shape and reports the expected one', async () => {
  const turned = tensors.map(
    ([name, tensor]) => [name, name.includes('up_proj') ? { ...tensor, shape: tensor.shape.toReversed() } : tensor] as const,
  );
  expect((await rejection(weightFiles(turned))).message).toMatch(
    /^weights: model\.layers\.0\.mlp\.up_proj\.weight has shape 32 x 56; expected 56 x 32$/,
  );
});

describe('parts of two models', () => {
  const shardFile = (name: string, args: typeof tensors) => readableFile(name, writeTensors(args));
  const index = (names: readonly string[]): ReadableFile => {
    const weight_map = Object.fromEntries(names.map((name, index) => [`tensor ${index}`, name]));
    return readableFile('model.safetensors.index.json', new TextEncoder().encode(JSON.stringify({ weight_map })));
  };
  const names = ['a.safetensors', 'b.safetensors'] as const;
  const [first, second] = [0, 1].map((layer) => tensors.filter(([name]) => Number(name.includes('layers.1.')) === layer)) as [
    typeof tensors,
    typeof tensors,
  ];

  it('are rejected if both have a tensor', async () => {
    const files = [shardFile(names[0], tensors), shardFile(names[1], second), index(names)];
    expect((await rejection(files)).message).toMatch(/^weights: .*model\.layers\.1\..*(twice|two)/);
  });

  it('are rejected if their tensors do not match', async () => {
    const otherTensors = [...readTensors(fileBytes('gpt2-a/model.safetensors'))];
    const files = [shardFile(names[0], first), shardFile(names[1], otherTensors), index(names)];
    const { message, argument } = await rejection(files);
    expect(argument).toBe('weights');
    expect(message.length).toBeGreaterThan(20);
  });
});

describe('files on disk', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'phasor-vanishing-'));
    cpSync(`${GOLDEN}/llama-gqa/config.json`, join(folder, 'config.json'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([openModel, openModelWorker])('are rejected by %o if they are truncated while they are read', async (open) => {
    const path = join(folder, 'model.safetensors');
    writeFileSync(path, writeTensors(tensors));
    const onProgress = ({ loaded }: { loaded: number }) => loaded > 0 && truncateSync(path, 4096);
    await expect(open(folder, { onProgress })).rejects.toMatchObject({
      code: 'truncated',
      argument: 'model.safetensors',
      message: expect.stringMatching(/^model\.safetensors: read \d+ bytes from offset \d+; expected \d+$/),
    });
  });

  it('are rejected if a part vanishes before it is read', async () => {
    const shardNames = ['a.safetensors', 'b.safetensors'] as const;
    for (const [at, name] of shardNames.entries())
      writeFileSync(join(folder, name), writeTensors(tensors.filter(([tensor]) => Number(tensor.includes('layers.1.')) === at)));
    const weight_map = Object.fromEntries(shardNames.map((name, index) => [`tensor ${index}`, name]));
    writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ weight_map }));
    let isGone = false;
    const onProgress = () => {
      if (isGone) return;
      isGone = true;
      unlinkSync(join(folder, 'b.safetensors'));
    };
    const { message, code, argument } = await rejection(folder, { onProgress });
    expect([code, argument]).toEqual(['not_found', 'b.safetensors']);
    expect(message).toMatch(/^b\.safetensors: can no longer be read \(ENOENT/);
  });
});

// Files of weights that are invalid or of another model are rejected with an error, and the weights do not change.

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createTrainer, PhasorError } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';

const folder = 'tests/golden-models/negative';
const { files }: { files: { file: string; why: string }[] } = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8'));

/** The error message for each file. */
const sentences: Readonly<Record<string, RegExp>> = {
  'valid.safetensors': /^weights: embedding\.weight is missing$/,
  'truncated.safetensors': /^weights: the file has 54 bytes of data, but the header describes 64$/,
  'overlap.safetensors': /^weights: b begins at byte 40 of the data, but the previous tensor ends at 48$/,
  'gap.safetensors': /^weights: b begins at byte 56 of the data, but the previous tensor ends at 48$/,
  'trailing.safetensors': /^weights: the file has 68 bytes of data, but the header describes 64$/,
  'shape-mismatch.safetensors': /^weights: a with shape 4 x 4 does not match its 48 bytes$/,
  'header-past-end.safetensors': /^weights: the header has [\d,.]+ bytes, but the file has only \d+$/,
  'header-huge.safetensors':
    /^weights: the file is not a safetensors file; the header length is [\d,.e+]+ bytes, but at most 100,?000,?000 are allowed$/,
  'header-cut.safetensors': /^weights: the header is not a JSON object of tensors; found .* at byte \d+$/,
  'shape-overflow.safetensors': /^weights: a has an extent of 8,?589,?934,?592; expected at most [\d,]+$/,
  'short.safetensors': /^weights: 4 bytes are too few for a safetensors file, which begins with an 8-byte length$/,
};

const spec = { task: 'order', encoding: 'rope', batchSize: 4, embedDim: 16, heads: 2, layers: 1, sequenceLength: 8 };
const trainer = await createTrainer(spec);
afterAll(() => trainer.dispose());
const initialWeights = await trainer.weights();
const validFile = await trainer.saveWeights();

async function refusal(weights: Uint8Array): Promise<PhasorError> {
  const error = await trainer.loadWeights(weights).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PhasorError);
  expect(await trainer.weights()).toEqual(initialWeights);
  return error as PhasorError;
}

/** The valid file with another header and the same data. */
function withHeader(transform: (header: Record<string, { dtype: string; shape: number[]; data_offsets: number[] }>) => void): Uint8Array {
  const length = Number(new DataView(validFile.buffer, validFile.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(validFile.subarray(8, 8 + length)));
  transform(header);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const size = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  return new Uint8Array([...size, ...text, ...validFile.subarray(8 + length)]);
}

describe('loadWeights', () => {
  it.each(files)('rejects $file: $why', async ({ file }) => {
    const error = await refusal(readFileSync(`${folder}/${file}`));
    expect(error.code).toBe('invalid_argument');
    expect(error.argument).toBe('weights');
    expect(error.message).toMatch(sentences[file] ?? /there is a sentence for it/);
  });

  it('rejects an unsupported data type', async () => {
    const file = withHeader((header) => {
      header['head.bias']!.dtype = 'I32';
    });
    expect((await refusal(file)).message).toBe('weights: head.bias is stored as I32; expected F32, F16 or BF16');
  });

  it('rejects a weight with an unknown name', async () => {
    const file = withHeader((header) => {
      header['head.offset'] = header['head.bias']!;
      delete header['head.bias'];
    });
    expect((await refusal(file)).message).toMatch(/^weights: head\.(offset is not a weight of this model|bias is missing)$/);
  });

  it('rejects a weight of another shape', async () => {
    const file = withHeader((header) => {
      header['head.weight']!.shape.reverse();
    });
    expect((await refusal(file)).message).toMatch(/^weights: head\.weight has shape 16 x 2; expected 2 x 16$/);
  });

  it('rejects a value that is not finite', async () => {
    const file = new Uint8Array(validFile);
    new DataView(file.buffer).setFloat32(file.length - 4, Number.NaN, true);
    expect((await refusal(file)).message).toMatch(/NaN|finite/);
  });

  it('rejects the weights of a trainer with another encoding', async () => {
    const otherTrainer = await createTrainer({ ...spec, encoding: 't5' });
    expect((await refusal(await otherTrainer.saveWeights())).message).toBe('weights: encoding.table is not a weight of this model');
    otherTrainer.dispose();
  });
});

it('loadWeights accepts the file from which the invalid ones are derived', async () => {
  await trainer.loadWeights(withHeader(() => {}));
  expect(await trainer.weights()).toEqual(initialWeights);
});

// phasor/model: opening a model from files, and rejected files.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  inspectModel,
  type ModelProgress,
  openModel,
  openModelWorker,
  PhasorError,
  type ReadableFile,
} from '../../web/engine/model.node.ts';
import { configOf, fileBytes, filesOf, GOLDEN, readableFile, readTensors, writeTensors } from './checkpoint-files.ts';

const llama = `${GOLDEN}/llama-gqa`;
const ids = [5, 6, 7];
const logitsOf = async (...request: Parameters<typeof openModel>) => {
  using model = await openModel(...request);
  return (await model.run(ids)).logits?.data;
};
const expected = await logitsOf(llama);
const refusal = async (...request: Parameters<typeof openModel>): Promise<PhasorError> => {
  const thrown = await openModel(...request).then(
    (model) => model.dispose(),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(PhasorError);
  return thrown as PhasorError;
};
const bytes = fileBytes('llama-gqa/model.safetensors');
const config = configOf('llama-gqa');
/** The weights in two files by their layers, and the index of both. */
const sharded = () => {
  const tensors = [...readTensors(bytes)];
  const shardTensors = [0, 1].map((shard) => tensors.filter(([name]) => Number(name.includes('layers.1.')) === shard));
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const;
  const weight_map = Object.fromEntries(shardTensors.flatMap((shard, index) => shard.map(([name]) => [name, names[index]])));
  return {
    shards: shardTensors.map((shard, index) => readableFile(names[index] as string, writeTensors(shard))),
    index: readableFile('model.safetensors.index.json', new TextEncoder().encode(JSON.stringify({ metadata: {}, weight_map }))),
  };
};

describe('openModel', () => {
  it('opens a folder by its path or URL', async () => {
    expect(expected).toHaveLength(3 * 64);
    expect(await logitsOf(pathToFileURL(llama))).toEqual(expected);
    expect(await logitsOf(pathToFileURL(llama).href)).toEqual(expected);
  });

  it('opens File objects beside unrelated ones', async () => {
    const names = ['config.json', 'expected.json', 'model.safetensors'];
    const files = names.map((name) => new File([fileBytes(`llama-gqa/${name}`)], name));
    expect(await logitsOf(files)).toEqual(expected);
    using model = await openModelWorker(files);
    expect((await model.run(ids)).logits?.data).toEqual(expected);
  });

  it('opens files read by a function, with the option config', async () => {
    const [, weights] = filesOf('llama-gqa') as [ReadableFile, ReadableFile];
    expect(await logitsOf([weights], { config })).toEqual(expected);
    expect(await logitsOf([weights], { config: JSON.stringify(config) })).toEqual(expected);
    // The option overrides the file.
    expect(await logitsOf(filesOf('llama-gqa'), { config: { ...config, rope_theta: 10 } })).not.toEqual(expected);
  });

  it('opens several files with their index in any order', async () => {
    const { shards, index } = sharded();
    expect(await logitsOf([...shards.toReversed(), index], { config })).toEqual(expected);
  });

  it('opens one safetensors file of any name beside other formats', async () => {
    const otherFiles = ['pytorch_model.bin', 'model.onnx'].map((name) => readableFile(name, new Uint8Array(8)));
    expect(await logitsOf([readableFile('weights.safetensors', bytes), ...otherFiles], { config })).toEqual(expected);
  });
});

describe('openModel with invalid files', () => {
  const weights = readableFile('model.safetensors', bytes);
  const smallFile = (name: string) => readableFile(name, new Uint8Array(8));
  const { shards, index } = sharded();
  const indexOf = (text: string) => readableFile('model.safetensors.index.json', new TextEncoder().encode(text));

  it.each([
    ['pickles', [smallFile('pytorch_model.bin')], 'pytorch_model.bin: a pickle can run code when loaded; expected .safetensors'],
    ['graphs of ONNX', [smallFile('model.onnx')], 'model.onnx: an ONNX graph does not name its layers; expected model.safetensors'],
    ['other formats', [smallFile('tf_model.h5')], 'tf_model.h5: this format is not supported; expected .safetensors'],
    ['no weights', [smallFile('readme.md')], 'files: model.safetensors is missing; expected config.json and model.safetensors'],
    [
      'two models',
      [smallFile('a.safetensors'), smallFile('b.safetensors')],
      'files: a.safetensors and b.safetensors may belong to different models',
    ],
    ['one name twice', [weights, weights], 'files: two files are named model.safetensors'],
    [
      'a missing part',
      [shards[0], index],
      'files: model-00002-of-00002.safetensors is missing, although model.safetensors.index.json lists it',
    ],
    ['an index that is no JSON', [...shards, indexOf('{')], 'model.safetensors.index.json: is not JSON'],
    ['an index without names', [...shards, indexOf('null')], 'model.safetensors.index.json: has no weight_map'],
    ['a file without a name', [new Blob([bytes])], 'files[0]: has no name'],
    [
      'a file without a size',
      [{ name: 'model.safetensors', read: async () => bytes }],
      'files[0].size: undefined is not a number of bytes',
    ],
    ['something else', [7], 'files[0]: 7 is not a File or an object with name, size and read(begin, end)'],
    ['no list', 7, 'files: 7 is not a list of files or a path'],
    ['a folder that is not there', 'tests/no-such-folder', 'files: tests/no-such-folder cannot be read (ENOENT'],
  ])('rejects %s', async (_, files, message) => {
    const error = await refusal(files as never, { config });
    expect(error.message.slice(0, message.length)).toBe(message);
    expect(error.argument).toBeTruthy();
  });

  it('rejects a missing or unsupported config', async () => {
    expect((await refusal([weights])).message).toBe(
      'config: config.json is missing from the files; expected that file or the option config',
    );
    expect((await refusal([weights], { config: 7 as never })).message).toBe('config: 7 is neither the text of config.json nor an object');
    expect((await refusal([weights], { config: '{' })).message).toMatch(/^config: the text is not a JSON object/);
    expect((await refusal([weights], { config: { ...config, residual_multiplier: 0.2 } })).message).toBe(
      'residual_multiplier: this key is not supported and might change the results',
    );
    expect((await refusal([weights], { config: { ...config, model_type: 'mamba' } })).code).toBe('unknown_name');
    expect((await refusal([weights], { config: { ...config, num_key_value_heads: 3 } })).message).toBe(
      'num_key_value_heads: 3 does not divide the number of heads; expected a divisor of 4',
    );
    expect((await refusal([weights], { config, model: 'llama' } as never)).message).toMatch(
      /^model is not an option; expected one of wasm,/,
    );
  });

  it.each(JSON.parse(readFileSync(`${GOLDEN}/negative/expected.json`, 'utf8')).files as { file: string; valid: boolean; why: string }[])(
    'rejects $file',
    async ({ file }) => {
      const files = [readableFile('model.safetensors', fileBytes(`negative/${file}`))];
      const error = await refusal(files, { config });
      // The valid file belongs to another model.
      expect(error.code).toMatch(/^(invalid_argument|unknown_name)$/);
      expect(error.message.length).toBeGreaterThan(20);
      expect(error.message).not.toContain('\n');
    },
  );

  it('rejects weights that are of another model, truncated or not finite', async () => {
    const otherWeights = [readableFile('model.safetensors', fileBytes('qwen2-a/model.safetensors'))];
    expect((await refusal(otherWeights, { config })).argument).toBe('weights');
    const truncatedFiles = [readableFile('model.safetensors', bytes.subarray(0, -1))];
    expect((await refusal(truncatedFiles, { config })).message).toMatch(/bytes of data, but the header/);
    const infinite = bytes.slice();
    infinite.set([0, 0, 0x80, 0x7f], infinite.length - 4);
    expect((await refusal([readableFile('model.safetensors', infinite)], { config })).message).toMatch(/Infinity is not a finite number$/);
  });
});

describe('reading a model', () => {
  it('reports progress in bytes of all files', async () => {
    const progressEvents: ModelProgress[] = [];
    const { shards, index } = sharded();
    const total = shards.reduce((sum, { size }) => sum + size, 0);
    await logitsOf([...shards, index], { config, onProgress: (progress) => void progressEvents.push(progress) });
    expect(progressEvents.every((progress) => progress.total === total)).toBe(true);
    expect(progressEvents.map(({ loaded }) => loaded)).toEqual(progressEvents.map(({ loaded }) => loaded).toSorted((a, b) => a - b));
    expect(progressEvents.at(-1)).toEqual({ loaded: total, total });
    expect(new Set(progressEvents.map(({ loaded }) => loaded)).size).toBeGreaterThan(5);
  });

  it.each([openModel, openModelWorker])('stops if %o is cancelled or a callback throws', async (open) => {
    const controller = new AbortController();
    let reads = 0;
    const watchedFile = readableFile('model.safetensors', bytes, () => {
      reads += 1;
      if (reads === 5) controller.abort();
    });
    await expect(open([watchedFile], { config, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(reads).toBe(5);
    await expect(open([watchedFile], { config, signal: AbortSignal.abort() })).rejects.toThrow('openModel: cancelled after 0 of');
    const onProgress = () => {
      throw new RangeError('enough');
    };
    await expect(open([watchedFile], { config, onProgress })).rejects.toThrow('enough');
    await expect(open([watchedFile], { config, onProgress: 7 as never })).rejects.toThrow('onProgress: 7 is not a function');
    await expect(open([watchedFile], { config, signal: 7 as never })).rejects.toThrow('signal: 7 is not an AbortSignal');
  });

  it('fails if a file vanishes, ends early or returns no bytes', async () => {
    const completeFile = readableFile('model.safetensors', bytes);
    const failingAfter = (count: number, otherwise: () => Promise<unknown>): ReadableFile => {
      let reads = 0;
      return {
        ...completeFile,
        read: (begin, end) => (++reads > count ? (otherwise() as Promise<Uint8Array>) : completeFile.read(begin, end)),
      };
    };
    const missingFile = failingAfter(4, () => Promise.reject(new DOMException('A requested file could not be found', 'NotFoundError')));
    expect(await refusal([missingFile], { config })).toMatchObject({
      code: 'not_found',
      argument: 'model.safetensors',
      message: 'model.safetensors: can no longer be read (A requested file could not be found)',
    });
    const shortRead = failingAfter(4, async () => new Uint8Array(3));
    expect(await refusal([shortRead], { config })).toMatchObject({ code: 'truncated', argument: 'model.safetensors' });
    const text = failingAfter(0, async () => 'bytes');
    expect((await refusal([text], { config })).message).toBe('model.safetensors: read: "bytes" is not a Uint8Array');
    expect(await logitsOf([completeFile], { config })).toEqual(expected);
  });

  it('reads only the headers for inspectModel', async () => {
    let read = 0;
    const file = readableFile('model.safetensors', bytes, (begin, end) => {
      read += end - begin;
    });
    expect(await inspectModel([file], { config })).toEqual({
      modelType: 'llama',
      layers: 2,
      heads: 4,
      kvHeads: 2,
      headDim: 8,
      hiddenSize: 32,
      vocabSize: 64,
      causal: true,
      hasHead: true,
      parameters: 21_152,
      bytes: 88_704,
    });
    const header = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    expect(read).toBe(8 + header);
    await expect(inspectModel([file], { config, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    await expect(inspectModel([file], { config, tokenizer: {} } as never)).rejects.toThrow('tokenizer is not an option');
  });
});

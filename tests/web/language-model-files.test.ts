// Opening the language model of a page from files.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tokenizeText } from '../../web/figure/compute/model-text.ts';
import type { LanguageModel } from '../../web/figure/contract/context.ts';
import type { OpenHooks } from '../../web/figure/runtime/language-models.ts';
import { createLanguageModelOpener } from '../../web/figure/runtime/open-language-model.ts';
import { SHIPPED_MODEL_NAME } from '../../web/figure/runtime/shipped-language-model.ts';
import { openFiles, files as shipped } from './kinds/language-model.ts';

const filesWithout = (name: string) => shipped.filter((file) => file.name !== name);

describe('createLanguageModelOpener', () => {
  const openedModels: LanguageModel[] = [];
  const open = async (...[files, hooks = {}, name]: [Parameters<typeof openFiles>[0], OpenHooks?, string?]) => {
    const model = { key: 1, ...(await openFiles(files, hooks, name)) };
    openedModels.push(model);
    return model;
  };
  afterEach(() => {
    for (const model of openedModels.splice(0)) model.dispose();
  });

  it('opens the shipped model with its tokenizer and context length', async () => {
    const language = await open(shipped, {}, SHIPPED_MODEL_NAME);
    expect(language).toMatchObject({ name: 'austen', isShipped: true, contextLength: 128 });
    const { ids, pieces } = await tokenizeText('It was a truth, and a truth', language, 2, 300);
    expect(pieces.map(({ text }) => text).join('')).toBe('It was a truth, and a truth');
    const { predictions } = await language.model.run(ids, { topK: 3, logitsToKeep: 1 });
    expect(predictions?.[0]).toHaveLength(3);
  });

  it('reads texts as token ids without a usable tokenizer', async () => {
    const language = await open(filesWithout('tokenizer.json'));
    expect(language).toMatchObject({ name: 'llama', isShipped: false });
    expect(language.tokenizer).toBeUndefined();
    expect(language.tokenizerProblem).toContain('The files contain no tokenizer.json');
    expect(await tokenizeText('3 1, 4', language, 2, 300)).toMatchObject({
      ids: [3, 1, 4],
      pieces: [{ text: '3' }, { text: '1' }, { text: '4' }],
    });
    await expect(tokenizeText('It was', language, 2, 300)).rejects.toThrow(
      'text: "It" is not a token id; expected ids from 0 to 1023. The files contain no tokenizer.json',
    );
    await expect(tokenizeText('5 1024', language, 2, 300)).rejects.toThrow('text: "1024" is not a token id; expected ids from 0 to 1023');
    await expect(tokenizeText(' \n', language, 2, 300)).rejects.toThrow('text: has 0 tokens for this model; expected at least 2');
    await expect(tokenizeText('5', language, 2, 300)).rejects.toThrow('text: has 1 token for this model; expected at least 2');
    await expect(tokenizeText('1 2 3 4', language, 2, 3)).rejects.toThrow('text: has 4 tokens for this model; expected at most 3');
    const broken = await open([...filesWithout('tokenizer.json'), new File(['{"model":'], 'tokenizer.json')]);
    expect(broken.tokenizerProblem).toMatch(/^The tokenizer cannot be used \(tokenizer: tokenizer.json is not JSON/);
  });

  it('names the model after its folder', async () => {
    const inFolder = shipped.map((file) => Object.assign(file, { webkitRelativePath: `my-model/${file.name}` }));
    expect((await open(inFolder)).name).toBe('my-model');
    for (const file of inFolder) Object.assign(file, { webkitRelativePath: '' });
  });

  it('reports its progress', async () => {
    const shares: number[] = [];
    await open(shipped, { onProgress: ({ loaded, total }) => shares.push(loaded / total) });
    expect(shares.at(-1)).toBe(1);
  });

  it.each<[string, readonly File[] | typeof shipped, string]>([
    ['no model', [new File(['a picture'], 'cat.png')], 'files: model.safetensors is missing'],
    ['no config', filesWithout('config.json'), 'config: config.json is missing from the files'],
    ['two models', [...shipped, ...shipped], 'files: two files are named config.json'],
    ['a pickle', [new File(['x'], 'pytorch_model.bin')], 'pytorch_model.bin: a pickle can run code when loaded'],
  ])('rejects files with %s', async (_, files, sentence) => {
    await expect(open(files)).rejects.toThrow(sentence);
  });

  it('rejects files that exceed the memory of the page before reading them', async () => {
    vi.stubGlobal('navigator', { deviceMemory: 0.003 });
    const read = vi.fn();
    const watchedFiles = shipped.map((file) => ({
      name: file.name,
      size: file.size,
      slice: (begin: number, end: number) => {
        read(end - begin);
        return file.slice(begin, end);
      },
    }));
    await expect(open(watchedFiles)).rejects.toThrow(
      /^files: llama needs \d MB of memory, but this page can use 2 MB; expected a smaller model/,
    );
    expect(read.mock.calls.flat().reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(20_000);
    vi.unstubAllGlobals();
  });

  it('rejects more than a gigabyte on a phone that does not report its memory', async () => {
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    const headers = vi.fn(async () => ({ info: { bytes: 2 ** 30 + 1, modelType: 'llama' }, fileBytes: 1 }));
    const opener = createLanguageModelOpener({ readHeaders: headers as never, openModelWorker: vi.fn(), openTokenizer: vi.fn() });
    await expect(opener(shipped, {})).rejects.toThrow('files: llama needs 1.0 GB of memory, but this page can use 1.0 GB; expected');
    vi.unstubAllGlobals();
  });

  it('does not read files that the user declines', async () => {
    const read = vi.fn();
    const opener = createLanguageModelOpener({
      readHeaders: async () => ({ info: { bytes: 1, modelType: 'llama' } as never, fileBytes: 1 }),
      openModelWorker: read,
      openTokenizer: read,
    });
    await expect(opener(shipped, { approve: () => Promise.reject(new Error('not now')) })).rejects.toThrow('not now');
    expect(read).not.toHaveBeenCalled();
  });

  it('disposes of the tokenizer if the weights cannot be read', async () => {
    const dispose = vi.fn();
    const opener = createLanguageModelOpener({
      readHeaders: async () => ({ info: { bytes: 1, modelType: 'llama' } as never, fileBytes: 1 }),
      openModelWorker: () => Promise.reject(new Error('gone')),
      openTokenizer: async () => ({ tokenize: vi.fn(), decode: vi.fn(), dispose }),
    });
    await expect(opener(shipped, {})).rejects.toThrow('gone');
    await vi.waitFor(() => expect(dispose).toHaveBeenCalledTimes(1));
  });
});

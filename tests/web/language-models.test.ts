// The language model of a page: opened when it is needed, replaced by the reader's, and freed; and the files that open one.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { modelText } from '../../web/figure/compute/model-text.ts';
import type { LanguageModel } from '../../web/figure/contract/context.ts';
import { LanguageModels, type ModelSummary, type OpenHooks } from '../../web/figure/runtime/language-models.ts';
import { languageModelOpener } from '../../web/figure/runtime/open-language-model.ts';
import { SHIPPED } from '../../web/figure/runtime/shipped-language-model.ts';
import { openFiles, files as shipped } from './kinds/language-model.ts';

const without = (name: string) => shipped.filter((file) => file.name !== name);

/** A source of models that the test ends itself. */
function fixture() {
  const requests: { files: unknown; hooks: OpenHooks; answer(): void; fail(): void; dispose: ReturnType<typeof vi.fn> }[] = [];
  const models = new LanguageModels(
    (files, hooks) =>
      new Promise((resolve, reject) => {
        const dispose = vi.fn();
        const opened = { name: 'any', isShipped: !files, dispose } as never;
        requests.push({ files, hooks, dispose, answer: () => resolve(opened), fail: () => reject(new Error('no file')) });
      }),
  );
  return { models, requests };
}
type Request = ReturnType<typeof fixture>['requests'][number];
const at = (requests: readonly Request[], index: number) => requests[index] as Request;
const file = { name: 'model.gguf', size: 1, slice: () => new Blob() };

describe('the model of a page', () => {
  it('is opened by the first figure that needs it, once for all', async () => {
    const { models, requests } = fixture();
    expect(requests).toHaveLength(0);
    const both = [models.get(), models.get()];
    expect(requests).toHaveLength(1);
    at(requests, 0).answer();
    const [a, b] = await Promise.all(both);
    expect(a).toBe(b);
    expect(models.opened.value).toBe(0);
  });

  it('is requested again after a failure', async () => {
    const { models, requests } = fixture();
    const first = models.get();
    at(requests, 0).fail();
    await expect(first).rejects.toThrow('no file');
    const second = models.get();
    at(requests, 1).answer();
    expect((await second).isShipped).toBe(true);
  });

  it("is replaced by the reader's when that is complete, and freed", async () => {
    const { models, requests } = fixture();
    const first = models.get();
    at(requests, 0).answer();
    const { key } = await first;
    const opening = models.open([file]);
    expect(models.get()).toBe(first);
    at(requests, 1).answer();
    const opened = await opening;
    expect(opened.key).not.toBe(key);
    expect(await models.get()).toBe(opened);
    expect(models.opened.value).toBe(1);
    await vi.waitFor(() => expect(at(requests, 0).dispose).toHaveBeenCalledTimes(1));
    expect(at(requests, 1).dispose).not.toHaveBeenCalled();
    models.close();
    await vi.waitFor(() => expect(at(requests, 1).dispose).toHaveBeenCalledTimes(1));
    expect(models.opened.value).toBe(2);
  });

  it('remains where other files are not those of a model', async () => {
    const { models, requests } = fixture();
    const first = models.get();
    at(requests, 0).answer();
    await first;
    const opening = models.open([file]);
    at(requests, 1).fail();
    await expect(opening).rejects.toThrow('no file');
    expect(models.get()).toBe(first);
    expect(at(requests, 0).dispose).not.toHaveBeenCalled();
    expect(models.opened.value).toBe(0);
  });

  it('is that of the second drop, whichever is complete first', async () => {
    const { models, requests } = fixture();
    const first = models.open([file]);
    const second = models.open([file]);
    expect([at(requests, 0).hooks.signal?.aborted, at(requests, 1).hooks.signal?.aborted]).toEqual([true, false]);
    at(requests, 1).answer();
    const opened = await second;
    at(requests, 0).answer();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(at(requests, 0).dispose).toHaveBeenCalledTimes(1);
    expect(await models.get()).toBe(opened);
  });

  it('is not opened where the reader cancels', async () => {
    const { models, requests } = fixture();
    const opening = models.open([file]);
    models.cancel();
    expect(at(requests, 0).hooks.signal?.aborted).toBe(true);
    at(requests, 0).answer();
    await expect(opening).rejects.toMatchObject({ code: 'cancelled' });
    expect(models.opened.value).toBe(0);
  });

  const summaryOf = (megabytes: number) => ({ name: 'mine', fileBytes: 1, info: { bytes: megabytes * 2 ** 20 } }) as ModelSummary;
  const approved = (request: Request, summary: ModelSummary) => (request.hooks.approve as NonNullable<OpenHooks['approve']>)(summary);

  it('is read at once where it is small, and says how far', async () => {
    const { models, requests } = fixture();
    const opening = models.open([file]);
    expect(models.status.value).toEqual({ share: 0 });
    await approved(at(requests, 0), summaryOf(64));
    at(requests, 0).hooks.onProgress?.({ loaded: 1, total: 4 });
    expect(models.status.value).toEqual({ share: 0.25, summary: summaryOf(64) });
    at(requests, 0).answer();
    await opening;
    expect(models.status.value).toEqual({ opened: summaryOf(64) });
    models.close();
    expect(models.status.value).toEqual({});
  });

  it('waits for the reader where it is large, who may decline it', async () => {
    const { models, requests } = fixture();
    const accepted = models.open([file]);
    const waiting = approved(at(requests, 0), summaryOf(65));
    const { accept, ...asked } = models.status.value;
    expect(asked).toEqual({ summary: summaryOf(65) });
    accept?.();
    await waiting;
    expect(models.status.value).toMatchObject({ share: 0 });
    at(requests, 0).answer();
    await accepted;

    const declined = models.open([file]);
    const other = approved(at(requests, 1), summaryOf(65));
    models.cancel();
    await expect(other).rejects.toMatchObject({ code: 'cancelled' });
    at(requests, 1).fail();
    await expect(declined).rejects.toMatchObject({ code: 'cancelled' });
    // The model that was opened before remains, without a problem.
    expect(models.status.value).toEqual({ opened: summaryOf(65) });
  });

  it('is another one where files are dropped while a large one waits', async () => {
    const { models, requests } = fixture();
    const first = models.open([file]);
    const waiting = approved(at(requests, 0), summaryOf(65));
    const second = models.open([file]);
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    at(requests, 0).fail();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(models.status.value).toEqual({ share: 0 });
    at(requests, 1).fail();
    await expect(second).rejects.toThrow('no file');
    expect(models.status.value).toEqual({ problem: 'no file' });
  });

  it('is freed with the page', async () => {
    const { models, requests } = fixture();
    const first = models.get();
    at(requests, 0).answer();
    await first;
    const opening = models.open([file]);
    models.dispose();
    await vi.waitFor(() => expect(at(requests, 0).dispose).toHaveBeenCalledTimes(1));
    at(requests, 1).answer();
    await expect(opening).rejects.toMatchObject({ code: 'cancelled' });
    expect(at(requests, 1).dispose).toHaveBeenCalledTimes(1);
  });
});

describe('the files of a model', () => {
  const opened: LanguageModel[] = [];
  const open = async (...[files, hooks = {}, name]: [Parameters<typeof openFiles>[0], OpenHooks?, string?]) => {
    const model = { key: 1, ...(await openFiles(files, hooks, name)) };
    opened.push(model);
    return model;
  };
  afterEach(() => {
    for (const model of opened.splice(0)) model.dispose();
  });

  it('that ship have a tokenizer, and the length of their training', async () => {
    const language = await open(shipped, {}, SHIPPED);
    expect(language).toMatchObject({ name: 'austen', isShipped: true, contextLength: 128 });
    const { ids, pieces } = await modelText('It was a truth, and a truth', language, 2, 300);
    expect(pieces.map(({ text }) => text).join('')).toBe('It was a truth, and a truth');
    const { predictions } = await language.model.run(ids, { topK: 3, logitsToKeep: 1 });
    expect(predictions?.[0]).toHaveLength(3);
  });

  it('may be without a tokenizer, or with one that cannot be used: the text is then token ids', async () => {
    const language = await open(without('tokenizer.json'));
    expect(language).toMatchObject({ name: 'llama', isShipped: false });
    expect(language.tokenizer).toBeUndefined();
    expect(language.tokenizerProblem).toContain('no tokenizer.json among the files');
    expect(await modelText('3 1, 4', language, 2, 300)).toMatchObject({
      ids: [3, 1, 4],
      pieces: [{ text: '3' }, { text: '1' }, { text: '4' }],
    });
    await expect(modelText('It was', language, 2, 300)).rejects.toThrow(
      'text: "It" is not a token id from 0 to 1023, which this model needs. There is no',
    );
    await expect(modelText('5 1024', language, 2, 300)).rejects.toThrow('text: "1024" is not a token id from 0 to 1023');
    await expect(modelText(' \n', language, 2, 300)).rejects.toThrow('text: it has 0 tokens of this model; expected at least 2');
    await expect(modelText('5', language, 2, 300)).rejects.toThrow('text: it has 1 token of this model; expected at least 2');
    await expect(modelText('1 2 3 4', language, 2, 3)).rejects.toThrow('text: it has 4 tokens of this model; expected at most 3');
    const broken = await open([...without('tokenizer.json'), new File(['{"model":'], 'tokenizer.json')]);
    expect(broken.tokenizerProblem).toMatch(/^The tokenizer cannot be used \(tokenizer: tokenizer.json: it is no JSON/);
  });

  it('are called as their folder', async () => {
    const inFolder = shipped.map((one) => Object.assign(one, { webkitRelativePath: `my-model/${one.name}` }));
    expect((await open(inFolder)).name).toBe('my-model');
    for (const one of inFolder) Object.assign(one, { webkitRelativePath: '' });
  });

  it('are reported while they are read', async () => {
    const shares: number[] = [];
    await open(shipped, { onProgress: ({ loaded, total }) => shares.push(loaded / total) });
    expect(shares.at(-1)).toBe(1);
  });

  it.each<[string, readonly File[] | typeof shipped, string]>([
    ['no model', [new File(['a picture'], 'cat.png')], 'files: there is no model.safetensors among them'],
    ['no config', without('config.json'), 'config: there is no config.json among the files'],
    ['two models', [...shipped, ...shipped], 'files: two of them are called config.json'],
    ['a pickle', [new File(['x'], 'pytorch_model.bin')], 'pytorch_model.bin: a pickle is a program'],
  ])('are rejected by name: %s', async (_, files, sentence) => {
    await expect(open(files)).rejects.toThrow(sentence);
  });

  it('that are too large for the memory of the page are rejected before they are read', async () => {
    vi.stubGlobal('navigator', { deviceMemory: 0.003 });
    const read = vi.fn();
    const watched = shipped.map((one) => ({
      name: one.name,
      size: one.size,
      slice: (begin: number, end: number) => {
        read(end - begin);
        return one.slice(begin, end);
      },
    }));
    await expect(open(watched)).rejects.toThrow(
      /^files: llama needs \d MB of memory, and this page can use 2 MB; expected a smaller model/,
    );
    expect(read.mock.calls.flat().reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(20_000);
    vi.unstubAllGlobals();
  });

  it('of more than a gigabyte are too large for a phone that does not state its memory', async () => {
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    const headers = vi.fn(async () => ({ info: { bytes: 2 ** 30 + 1, modelType: 'llama' }, fileBytes: 1 }));
    const opener = languageModelOpener({ readHeaders: headers as never, openModelWorker: vi.fn(), openTokenizer: vi.fn() });
    await expect(opener(shipped, {})).rejects.toThrow('files: llama needs 1.0 GB of memory, and this page can use 1.0 GB; expected');
    vi.unstubAllGlobals();
  });

  it('are not read where the reader declines them', async () => {
    const read = vi.fn();
    const opener = languageModelOpener({
      readHeaders: async () => ({ info: { bytes: 1, modelType: 'llama' } as never, fileBytes: 1 }),
      openModelWorker: read,
      openTokenizer: read,
    });
    await expect(opener(shipped, { approve: () => Promise.reject(new Error('not now')) })).rejects.toThrow('not now');
    expect(read).not.toHaveBeenCalled();
  });

  it('free their tokenizer where the weights cannot be read', async () => {
    const dispose = vi.fn();
    const opener = languageModelOpener({
      readHeaders: async () => ({ info: { bytes: 1, modelType: 'llama' } as never, fileBytes: 1 }),
      openModelWorker: () => Promise.reject(new Error('gone')),
      openTokenizer: async () => ({ tokenize: vi.fn(), decode: vi.fn(), dispose }),
    });
    await expect(opener(shipped, {})).rejects.toThrow('gone');
    await vi.waitFor(() => expect(dispose).toHaveBeenCalledTimes(1));
  });
});

// The language model of a page: opened when it is needed, replaced by that of the user, and disposed of.
import { describe, expect, it, vi } from 'vitest';
import { LanguageModels, type ModelSummary, type OpenHooks } from '../../web/figure/runtime/language-models.ts';

/** A source of models whose requests are completed by the test. */
function fixture() {
  const requests: { files: unknown; hooks: OpenHooks; answer(): void; fail(): void; dispose: ReturnType<typeof vi.fn> }[] = [];
  const models = new LanguageModels(
    (files, hooks) =>
      new Promise((resolve, reject) => {
        const dispose = vi.fn();
        const openedModel = { name: 'any', isShipped: !files, dispose } as never;
        requests.push({ files, hooks, dispose, answer: () => resolve(openedModel), fail: () => reject(new Error('no file')) });
      }),
  );
  return { models, requests };
}
type Request = ReturnType<typeof fixture>['requests'][number];
const requestAt = (requests: readonly Request[], index: number) => requests[index] as Request;
const file = { name: 'model.gguf', size: 1, slice: () => new Blob() };

describe('LanguageModels', () => {
  it('opens the model once, for the first figure that needs it', async () => {
    const { models, requests } = fixture();
    expect(requests).toHaveLength(0);
    const pendingModels = [models.get(), models.get()];
    expect(requests).toHaveLength(1);
    requestAt(requests, 0).answer();
    const [a, b] = await Promise.all(pendingModels);
    expect(a).toBe(b);
    expect(models.replacementCount.value).toBe(0);
  });

  it('requests the model again after a failure', async () => {
    const { models, requests } = fixture();
    const first = models.get();
    requestAt(requests, 0).fail();
    await expect(first).rejects.toThrow('no file');
    const second = models.get();
    requestAt(requests, 1).answer();
    expect((await second).isShipped).toBe(true);
  });

  it('replaces the model once that of the user is complete, and disposes of the replaced one', async () => {
    const { models, requests } = fixture();
    const first = models.get();
    requestAt(requests, 0).answer();
    const { key } = await first;
    const opening = models.open([file]);
    expect(models.get()).toBe(first);
    requestAt(requests, 1).answer();
    const openedModel = await opening;
    expect(openedModel.key).not.toBe(key);
    expect(await models.get()).toBe(openedModel);
    expect(models.replacementCount.value).toBe(1);
    await vi.waitFor(() => expect(requestAt(requests, 0).dispose).toHaveBeenCalledTimes(1));
    expect(requestAt(requests, 1).dispose).not.toHaveBeenCalled();
    models.close();
    await vi.waitFor(() => expect(requestAt(requests, 1).dispose).toHaveBeenCalledTimes(1));
    expect(models.replacementCount.value).toBe(2);
  });

  it('keeps the model if other files cannot be opened', async () => {
    const { models, requests } = fixture();
    const first = models.get();
    requestAt(requests, 0).answer();
    await first;
    const opening = models.open([file]);
    requestAt(requests, 1).fail();
    await expect(opening).rejects.toThrow('no file');
    expect(models.get()).toBe(first);
    expect(requestAt(requests, 0).dispose).not.toHaveBeenCalled();
    expect(models.replacementCount.value).toBe(0);
  });

  it('opens the second of two dropped models, whichever completes first', async () => {
    const { models, requests } = fixture();
    const first = models.open([file]);
    const second = models.open([file]);
    expect([requestAt(requests, 0).hooks.signal?.aborted, requestAt(requests, 1).hooks.signal?.aborted]).toEqual([true, false]);
    requestAt(requests, 1).answer();
    const openedModel = await second;
    requestAt(requests, 0).answer();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(requestAt(requests, 0).dispose).toHaveBeenCalledTimes(1);
    expect(await models.get()).toBe(openedModel);
  });

  it('opens no model that the user cancels', async () => {
    const { models, requests } = fixture();
    const opening = models.open([file]);
    models.cancel();
    expect(requestAt(requests, 0).hooks.signal?.aborted).toBe(true);
    requestAt(requests, 0).answer();
    await expect(opening).rejects.toMatchObject({ code: 'cancelled' });
    expect(models.replacementCount.value).toBe(0);
  });

  const summaryOf = (megabytes: number) => ({ name: 'mine', fileBytes: 1, info: { bytes: megabytes * 2 ** 20 } }) as ModelSummary;
  const approved = (request: Request, summary: ModelSummary) => (request.hooks.approve as NonNullable<OpenHooks['approve']>)(summary);

  it('opens a small model at once and reports its progress', async () => {
    const { models, requests } = fixture();
    const opening = models.open([file]);
    expect(models.status.value).toEqual({ fraction: 0 });
    await approved(requestAt(requests, 0), summaryOf(64));
    requestAt(requests, 0).hooks.onProgress?.({ loaded: 1, total: 4 });
    expect(models.status.value).toEqual({ fraction: 0.25, summary: summaryOf(64) });
    requestAt(requests, 0).answer();
    await opening;
    expect(models.status.value).toEqual({ openedModel: summaryOf(64) });
    models.close();
    expect(models.status.value).toEqual({});
  });

  it('waits until the user accepts or declines a large model', async () => {
    const { models, requests } = fixture();
    const opening = models.open([file]);
    const approval = approved(requestAt(requests, 0), summaryOf(65));
    const { accept, ...status } = models.status.value;
    expect(status).toEqual({ summary: summaryOf(65) });
    accept?.();
    await approval;
    expect(models.status.value).toMatchObject({ fraction: 0 });
    requestAt(requests, 0).answer();
    await opening;

    const declined = models.open([file]);
    const otherApproval = approved(requestAt(requests, 1), summaryOf(65));
    models.cancel();
    await expect(otherApproval).rejects.toMatchObject({ code: 'cancelled' });
    requestAt(requests, 1).fail();
    await expect(declined).rejects.toMatchObject({ code: 'cancelled' });
    expect(models.status.value).toEqual({ openedModel: summaryOf(65) });
  });

  it('cancels a waiting large model if other files are dropped', async () => {
    const { models, requests } = fixture();
    const first = models.open([file]);
    const approval = approved(requestAt(requests, 0), summaryOf(65));
    const second = models.open([file]);
    await expect(approval).rejects.toMatchObject({ code: 'cancelled' });
    requestAt(requests, 0).fail();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(models.status.value).toEqual({ fraction: 0 });
    requestAt(requests, 1).fail();
    await expect(second).rejects.toThrow('no file');
    expect(models.status.value).toEqual({ problem: 'no file' });
  });

  it('disposes of all models with the page', async () => {
    const { models, requests } = fixture();
    const first = models.get();
    requestAt(requests, 0).answer();
    await first;
    const opening = models.open([file]);
    models.dispose();
    await vi.waitFor(() => expect(requestAt(requests, 0).dispose).toHaveBeenCalledTimes(1));
    requestAt(requests, 1).answer();
    await expect(opening).rejects.toMatchObject({ code: 'cancelled' });
    expect(requestAt(requests, 1).dispose).toHaveBeenCalledTimes(1);
  });
});

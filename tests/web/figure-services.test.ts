// Resources shared by the figures of a page: reference counting, disposal after the last, restart after a failure.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RemotePhasor } from '../../web/engine/index.ts';
import { PageServices } from '../../web/figure/runtime/services.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function fixture(failures = 0) {
  const engines: { dispose: ReturnType<typeof vi.fn> }[] = [];
  let starts = 0;
  const startEngine = async (): Promise<RemotePhasor> => {
    starts += 1;
    if (starts <= failures) throw new Error('no wasm');
    const engine = { dispose: vi.fn() };
    engines.push(engine);
    return engine as never;
  };
  return {
    page: new PageServices({ startEngine, vocabulary: {} as never, photographs: {} as never, kinds: {} as never }),
    engines,
    starts: () => starts,
  };
}

describe('page engine', () => {
  it('starts with the first call, not with the first figure, and is shared by all figures', async () => {
    const { page, starts } = fixture();
    const [a, b] = [page.acquire(), page.acquire()];
    expect([page.figureCount, starts()]).toEqual([2, 0]);
    expect(await a.engine()).toBe(await b.engine());
    expect(starts()).toBe(1);
  });

  it('is disposed seconds after the last figure is released, and started again for the next', async () => {
    const { page, engines, starts } = fixture();
    const [a, b] = [page.acquire(), page.acquire()];
    await a.engine();
    a.release();
    a.release();
    expect(page.figureCount).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(engines[0]?.dispose).not.toHaveBeenCalled();
    b.release();
    await vi.advanceTimersByTimeAsync(4000);
    expect(engines[0]?.dispose).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(engines[0]?.dispose).toHaveBeenCalledTimes(1);
    const c = page.acquire();
    await c.engine();
    expect(starts()).toBe(2);
  });

  it('is kept if another figure is acquired in time', async () => {
    const { page, engines } = fixture();
    const a = page.acquire();
    const first = await a.engine();
    a.release();
    await vi.advanceTimersByTimeAsync(4000);
    const b = page.acquire();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(engines[0]?.dispose).not.toHaveBeenCalled();
    expect(await b.engine()).toBe(first);
  });

  it('rejects all pending calls after a failure, and is started again', async () => {
    const { page, starts } = fixture(1);
    const [a, b] = [page.acquire(), page.acquire()];
    const results = await Promise.allSettled([a.engine(), b.engine()]);
    expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual(['no wasm', 'no wasm']);
    expect(starts()).toBe(1);
    await expect(a.engine()).resolves.toBeDefined();
    expect(starts()).toBe(2);
  });

  it('is disposed for all figures by a restart, and replaced by the next call', async () => {
    const { page, engines, starts } = fixture();
    const [a, b] = [page.acquire(), page.acquire()];
    await a.engine();
    b.restart();
    await vi.advanceTimersByTimeAsync(0);
    expect(engines[0]?.dispose).toHaveBeenCalledTimes(1);
    expect(a.restartCount.value).toBe(1);
    const nextEngine = await a.engine();
    expect(nextEngine.dispose).toBe(engines[1]?.dispose);
    expect(await b.engine()).toBe(nextEngine);
    expect(starts()).toBe(2);
  });

  it('is not started by a released figure', async () => {
    const { page, starts } = fixture();
    const a = page.acquire();
    a.release();
    await expect(a.engine()).rejects.toMatchObject({ code: 'cancelled' });
    expect(starts()).toBe(0);
  });

  it('is disposed if it is still starting when the last figure is released', async () => {
    const dispose = vi.fn();
    let started: (engine: RemotePhasor) => void = () => {};
    const page = new PageServices({
      startEngine: () => new Promise((resolve) => (started = resolve)),
      vocabulary: {} as never,
      photographs: {} as never,
      kinds: {} as never,
    });
    const a = page.acquire();
    void a.engine();
    a.release();
    await vi.advanceTimersByTimeAsync(6000);
    started({ dispose } as never);
    await vi.advanceTimersByTimeAsync(0);
    expect(dispose).toHaveBeenCalledTimes(1);
  });
});

describe('model engine', () => {
  function fixtureOfModels(hasTrainers: boolean) {
    const openPageModel = vi.fn();
    const started: { readonly runsModels: boolean; readonly createTrainer: unknown }[] = [];
    const page = new PageServices({
      async startEngine(runsModels) {
        const createTrainer = hasTrainers ? vi.fn() : undefined;
        started.push({ runsModels, createTrainer });
        return { dispose: vi.fn(), ...(createTrainer ? { createTrainer } : {}) } as never;
      },
      createTrainer: openPageModel,
      models: async (createTrainer) => createTrainer as never,
      vocabulary: {} as never,
      photographs: {} as never,
      kinds: {} as never,
    });
    return { page, started, openPageModel };
  }

  it('is selected by the first figure that needs an engine, for all figures of the page', async () => {
    const { page, started } = fixtureOfModels(true);
    const [a, b] = [page.acquire(), page.acquire()];
    expect(await a.engine(true)).toBe(await b.engine());
    expect(started.map(({ runsModels }) => runsModels)).toEqual([true]);
    const other = fixtureOfModels(false);
    await other.page.acquire().engine();
    expect(other.started.map(({ runsModels }) => runsModels)).toEqual([false]);
  });

  it('holds the models, as does the next engine after a restart', async () => {
    const { page, started } = fixtureOfModels(true);
    const a = page.acquire();
    expect(await a.models?.()).toBe(started[0]?.createTrainer);
    a.restart();
    const after = await a.models?.();
    expect(started).toHaveLength(2);
    expect(after).toBe(started[1]?.createTrainer);
    expect(after).not.toBe(started[0]?.createTrainer);
  });

  it('leaves models to separate workers if it cannot train', async () => {
    const { page, openPageModel } = fixtureOfModels(false);
    expect(await page.acquire().models?.()).toBe(openPageModel);
  });
});

describe('joinGroup', () => {
  it('returns one group per name until its last figure leaves', () => {
    const { page } = fixture();
    const [a, b] = [page.acquire(), page.acquire()];
    const group = a.joinGroup('g');
    expect(b.joinGroup('g')).toBe(group);
    expect(b.joinGroup('h')).not.toBe(group);
    a.release();
    const c = page.acquire();
    expect(c.joinGroup('g')).toBe(group);
    b.release();
    c.leaveGroup('g');
    expect(page.acquire().joinGroup('g')).not.toBe(group);
  });

  it('returns a new group for each call without a name', () => {
    const a = fixture().page.acquire();
    expect(a.joinGroup(undefined)).not.toBe(a.joinGroup(undefined));
    a.leaveGroup(undefined);
    a.leaveGroup('never joined');
  });
});

// A figure whose engine is lost: its message, and the recomputation with the next engine.
import { signal } from '@preact/signals-core';
import { describe, expect, it, vi } from 'vitest';
import { PhasorError, type RemotePhasor } from '../../web/engine/index.ts';
import { createAnsweredFigure, createShownFigure, flushPromises, plainServices } from './answered-figure.ts';

describe('figure with a lost engine', () => {
  const crash = () => new PhasorError('internal', 'the worker stopped: out of memory');

  it('reports the failure, and repeats the request with the next engine', async () => {
    const services = { ...plainServices, restartCount: signal(0), engine: async () => ({ encodings: [] }) as never };
    const { figure, calls } = await createShownFigure({ services });
    figure.change({ text: 'c d' });
    await flushPromises();
    await calls[1]?.refuse(crash());
    expect(figure.failure.value).toEqual({
      field: '',
      message: 'Engine stopped (the worker stopped: out of memory). Your settings are kept.',
      isEngineFailure: true,
    });
    expect(figure.computed.value?.results).toBe('first');
    services.restartCount.value += 1;
    expect([figure.state.value, figure.failure.value]).toEqual(['computing', undefined]);
    await flushPromises();
    await calls[2]?.answer('again');
    expect(calls).toHaveLength(3);
    expect(calls[2]?.spec).toMatchObject({ text: 'c d' });
    expect([figure.state.value, figure.computed.value?.results]).toEqual(['ready', 'again']);
  });

  it('shows no failure during a restart, and resolves with the results of the next engine', async () => {
    const services = { ...plainServices, restartCount: signal(0), engine: async () => ({ encodings: [] }) as never };
    const { figure, calls } = createAnsweredFigure({ services });
    const ready = figure.ready();
    await flushPromises();
    services.restartCount.value += 1;
    await calls[0]?.refuse(new PhasorError('internal', 'the worker was disposed'));
    expect(figure.state.value).toBe('computing');
    await calls[1]?.answer('next');
    expect((await ready).results).toBe('next');
  });

  it('does not report rejected requests as engine failures, and keeps its results', async () => {
    const services = { ...plainServices, restartCount: signal(0), engine: async () => ({ encodings: [] }) as never };
    const { figure, calls } = await createShownFigure({ services });
    services.restartCount.value += 1;
    await flushPromises();
    expect([calls.length, figure.state.value]).toEqual([1, 'ready']);
    figure.change({ text: 'c d' });
    await flushPromises();
    await calls[1]?.refuse(new PhasorError('invalid_argument', 'text: it is too odd'));
    expect(figure.failure.value?.isEngineFailure).toBeUndefined();
    services.restartCount.value += 1;
    await flushPromises();
    await calls[2]?.refuse(new PhasorError('invalid_argument', 'text: it is too odd'));
    expect([calls.length, figure.state.value]).toEqual([3, 'failed']);
  });

  it('reports an engine that does not respond, until it responds', async () => {
    vi.useFakeTimers();
    try {
      const { figure, calls } = createAnsweredFigure();
      figure.isActive.value = true;
      await flushPromises();
      vi.advanceTimersByTime(15_000);
      calls[0]?.context.progress?.(0.5);
      vi.advanceTimersByTime(15_000);
      expect(figure.failure.value).toBeUndefined();
      vi.advanceTimersByTime(5_000);
      expect(figure.failure.value?.message).toMatch(/^No response for 20 s/);
      expect(figure.state.value).toBe('computing');
      await calls[0]?.answer('late');
      expect([figure.failure.value, figure.state.value]).toEqual([undefined, 'ready']);
      vi.advanceTimersByTime(60_000);
      expect(figure.failure.value).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('tries again if the engine could not be started', async () => {
    let starts = 0;
    const services = { ...plainServices, restartCount: signal(0) };
    const engine = async (): Promise<RemotePhasor> => {
      starts += 1;
      if (starts === 1) throw new PhasorError('unsupported', 'wasm: it could not be loaded');
      return { encodings: [] } as never;
    };
    const { figure, calls } = createAnsweredFigure({ services: { ...services, engine } });
    figure.isActive.value = true;
    await flushPromises();
    expect(figure.failure.value).toEqual({ field: '', message: 'wasm: it could not be loaded', isEngineFailure: true });
    services.restartCount.value += 1;
    await flushPromises();
    await calls[0]?.answer('at last');
    expect(figure.state.value).toBe('ready');
  });
});

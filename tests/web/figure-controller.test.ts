// One figure without a page: what is computed when, and what is cached.
import { describe, expect, it } from 'vitest';
import { PhasorError, type RemotePhasor } from '../../web/engine/index.ts';
import { SpecError } from '../../web/figure/contract/spec.ts';
import { answered, shown, turns } from './answered-figure.ts';

describe('a figure', () => {
  it('computes when it is seen, not before, and once', async () => {
    const { figure, calls } = answered();
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['idle', 0]);
    figure.isActive.value = true;
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['computing', 1]);
    figure.isActive.value = false;
    figure.isActive.value = true;
    await turns();
    expect(calls.length).toBe(1);
    await calls[0]?.answer(7);
    expect([figure.state.value, figure.computed.value?.results]).toEqual(['ready', 7]);
    figure.isActive.value = false;
    figure.isActive.value = true;
    await turns();
    expect(calls.length).toBe(1);
  });

  it('shows the latest spec alone, skips those between, and tells the computation that is no longer wanted', async () => {
    const { figure, calls } = answered();
    figure.isActive.value = true;
    await turns();
    for (const length of [5, 6, 7]) figure.setFields({ length });
    expect(calls[0]?.context.signal?.aborted).toBe(true);
    await calls[0]?.answer('old');
    expect([figure.state.value, figure.computed.value]).toEqual(['computing', undefined]);
    expect(calls.map(({ spec }) => spec.length)).toEqual([4, 7]);
    await calls[1]?.answer('new');
    expect(figure.computed.value).toMatchObject({ results: 'new', spec: { length: 7 } });
  });

  it('tells its first numbers as coming, a task before they are its own, and drops those that are no longer asked for', async () => {
    const go: (() => void)[] = [];
    const { figure, calls } = answered({ pause: () => new Promise((resolve) => go.push(resolve)) });
    const end = async (): Promise<void> => {
      for (const one of go.splice(0)) one();
      await turns();
    };
    const now = () => [figure.state.value, figure.pendingResult.value?.results, figure.computed.value?.results];
    figure.isActive.value = true;
    await turns();
    await calls[0]?.answer('old');
    expect(now()).toEqual(['computing', undefined, undefined]);
    await end();
    expect(now()).toEqual(['computing', 'old', undefined]);
    figure.setFields({ length: 7 });
    await end();
    expect(figure.computed.value).toBeUndefined();
    await calls[1]?.answer('newer');
    figure.setFields({ length: 8 });
    await end();
    await calls[2]?.answer('new');
    expect(now()).toEqual(['computing', 'old', undefined]);
    await end();
    expect(now()).toEqual(['computing', 'new', undefined]);
    await end();
    expect(now()).toEqual(['ready', undefined, 'new']);
    // Background requests resolve for a reader who moves a slider.
    figure.setFields({ length: 9 });
    await turns();
    await calls[3]?.answer('newest');
    expect([...now(), go.length]).toEqual(['ready', undefined, 'newest', 0]);
  });

  it('shows early what its picture needs, until the numbers are whole, have failed or are no longer asked for', async () => {
    const { figure, calls } = await shown();
    const now = () => [figure.state.value, figure.partial.value?.results, figure.computed.value?.results];
    figure.setFields({ length: 5 });
    await turns();
    calls[1]?.context.partial?.({ part: 5 });
    expect(now()).toEqual(['computing', { part: 5 }, 'first']);
    expect(figure.partial.value?.spec.length).toBe(5);
    await calls[1]?.answer('whole');
    expect(now()).toEqual(['ready', undefined, 'whole']);
    // The result of an outdated spec.
    figure.setFields({ length: 6 });
    await turns();
    figure.setFields({ length: 7 });
    calls[2]?.context.partial?.({ part: 6 });
    expect(figure.partial.value).toBeUndefined();
    await calls[2]?.answer('late');
    calls[3]?.context.partial?.({ part: 7 });
    expect(now()).toEqual(['computing', { part: 7 }, 'whole']);
    await calls[3]?.refuse(new PhasorError('internal', 'no memory'));
    expect(now()).toEqual(['failed', undefined, 'whole']);
    // Back at a computed spec: no background computation remains.
    figure.setFields({ length: 8 });
    await turns();
    calls[4]?.context.partial?.({ part: 8 });
    figure.setFields({ length: 5 });
    expect(now()).toEqual(['ready', undefined, 'whole']);
  });

  it('computes nothing for a change that changes nothing, and nothing for one that is taken back', async () => {
    const { figure, calls } = await shown();
    figure.setFields({ length: '4', encoding: 'rope' });
    await turns();
    expect(calls.length).toBe(1);
    figure.setFields({ length: 99 });
    expect(figure.state.value).toBe('failed');
    figure.setFields({ length: undefined });
    expect([figure.state.value, figure.failure.value, calls.length]).toEqual(['ready', undefined, 1]);
  });

  it('keeps its numbers when a later spec fails, in its fields or in the core', async () => {
    const { figure, calls } = await shown();
    figure.setFields({ text: '' });
    expect(figure.failure.value).toEqual({ field: 'text', argument: 'text', message: 'text: there are no words' });
    expect([figure.state.value, figure.computed.value?.results]).toEqual(['failed', 'first']);
    await expect(figure.ready()).rejects.toThrow(SpecError);
    figure.setFields({ text: 'c', encoding: 'rope base=-1' });
    await turns();
    await calls[1]?.refuse(new PhasorError('invalid_argument', 'encoding.base: -1 is outside', { argument: 'encoding.base' }));
    expect(figure.failure.value).toEqual({ field: 'encoding', argument: 'encoding.base', message: 'encoding.base: -1 is outside' });
    expect(figure.computed.value?.results).toBe('first');
    await expect(figure.ready()).rejects.toThrow('encoding.base: -1 is outside');
    figure.setFields({ encoding: 'rope' });
    await turns();
    await calls[2]?.answer('third');
    expect([figure.state.value, figure.failure.value, figure.computed.value?.results]).toEqual(['ready', undefined, 'third']);
  });

  it('names its fields where a name is neither a field nor a parameter', async () => {
    const { figure, calls } = answered({ initialFields: { lenght: '8' } });
    figure.isActive.value = true;
    await turns();
    await calls[0]?.refuse(new PhasorError('unknown_name', 'lenght: is not a parameter of rope', { argument: 'lenght' }));
    expect(figure.failure.value?.message).toBe(
      'lenght: is not a parameter of rope; fields of a fake figure are encoding, text, length, and measure',
    );
  });

  it('tries again when it is seen again after the engine has failed', async () => {
    let tries = 0;
    const { figure, calls } = answered({}, async () => {
      tries += 1;
      if (tries === 1) throw new PhasorError('unsupported', 'wasm: lost');
      return { encodings: [] } as never;
    });
    figure.isActive.value = true;
    await turns();
    expect([figure.state.value, figure.failure.value?.message, tries]).toEqual(['failed', 'wasm: lost', 1]);
    figure.isActive.value = false;
    figure.isActive.value = true;
    await turns();
    await calls[0]?.answer(1);
    expect([figure.state.value, tries]).toEqual(['ready', 2]);
  });

  it('is waited for out of sight, also when what is asked for changes meanwhile', async () => {
    const { figure, calls } = answered();
    const ready = figure.ready();
    await turns();
    figure.setFields({ length: 8 });
    await calls[0]?.answer('old');
    await calls[1]?.answer('new');
    expect((await ready).results).toBe('new');
    // No request is pending.
    figure.setFields({ length: 9 });
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['idle', 2]);
  });

  it('does not begin when it has gone out of sight while the engine started', async () => {
    let started: (engine: RemotePhasor) => void = () => {};
    const { figure, calls } = answered({}, () => new Promise((resolve) => (started = resolve)));
    figure.isActive.value = true;
    figure.isActive.value = false;
    started({ encodings: [] } as never);
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['idle', 0]);
    figure.isActive.value = true;
    started({ encodings: [] } as never);
    await turns();
    expect(calls.length).toBe(1);
  });

  it('ends: who waits is told, and what comes later changes nothing', async () => {
    const { figure, calls } = answered();
    const ready = figure.ready();
    await turns();
    figure.dispose();
    await expect(ready).rejects.toMatchObject({ code: 'cancelled' });
    await expect(figure.ready()).rejects.toMatchObject({ code: 'cancelled' });
    expect(calls[0]?.context.signal?.aborted).toBe(true);
    await calls[0]?.answer('late');
    expect(figure.computed.value).toBeUndefined();
    figure.setFields({ length: 5 });
    await turns();
    expect(calls.length).toBe(1);
  });

  it('shows the progress of a long computation, not that of one no longer wanted', async () => {
    const { figure, calls } = answered();
    figure.isActive.value = true;
    await turns();
    calls[0]?.context.progress?.(0.5);
    expect(figure.progress.value).toBe(0.5);
    figure.setFields({ length: 5 });
    calls[0]?.context.progress?.(0.9);
    expect(figure.progress.value).toBe(0.5);
    await calls[0]?.answer('old');
    await calls[1]?.answer('new');
    expect(figure.progress.value).toBeUndefined();
  });
});

describe('what stood in a field before the reader changed it', () => {
  it('is kept while the reader goes on, until it is set elsewhere or again', () => {
    const { figure } = answered({ initialFields: { text: 'given' } });
    expect(figure.valuesBeforeChange).toEqual({});
    figure.change({ text: 'mine' });
    figure.change({ text: 'mine too' });
    expect(figure.valuesBeforeChange).toEqual({ text: 'given' });
    figure.setFields({ text: 'of the page' });
    figure.change({ text: 'mine again' });
    expect(figure.valuesBeforeChange).toEqual({ text: 'of the page' });
    figure.change({ text: 'of the page' });
    expect(figure.valuesBeforeChange).toEqual({});
  });
});

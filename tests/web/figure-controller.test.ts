// One figure without a page: when it computes, and which results it keeps.
import { describe, expect, it } from 'vitest';
import { PhasorError, type RemotePhasor } from '../../web/engine/index.ts';
import { SpecError } from '../../web/figure/contract/spec.ts';
import { createAnsweredFigure, createShownFigure, flushPromises } from './answered-figure.ts';

describe('createFigure', () => {
  it('computes once when it becomes visible', async () => {
    const { figure, calls } = createAnsweredFigure();
    await flushPromises();
    expect([figure.state.value, calls.length]).toEqual(['idle', 0]);
    figure.isActive.value = true;
    await flushPromises();
    expect([figure.state.value, calls.length]).toEqual(['computing', 1]);
    figure.isActive.value = false;
    figure.isActive.value = true;
    await flushPromises();
    expect(calls.length).toBe(1);
    await calls[0]?.answer(7);
    expect([figure.state.value, figure.computed.value?.results]).toEqual(['ready', 7]);
    figure.isActive.value = false;
    figure.isActive.value = true;
    await flushPromises();
    expect(calls.length).toBe(1);
  });

  it('shows only the latest spec, skips those between, and aborts the outdated computation', async () => {
    const { figure, calls } = createAnsweredFigure();
    figure.isActive.value = true;
    await flushPromises();
    for (const length of [5, 6, 7]) figure.setFields({ length });
    expect(calls[0]?.context.signal?.aborted).toBe(true);
    await calls[0]?.answer('old');
    expect([figure.state.value, figure.computed.value]).toEqual(['computing', undefined]);
    expect(calls.map(({ spec }) => spec.length)).toEqual([4, 7]);
    await calls[1]?.answer('new');
    expect(figure.computed.value).toMatchObject({ results: 'new', spec: { length: 7 } });
  });

  it('announces its first results as pending one task before it shows them, and drops outdated results', async () => {
    const resolvers: (() => void)[] = [];
    const { figure, calls } = createAnsweredFigure({ pause: () => new Promise((resolve) => resolvers.push(resolve)) });
    const end = async (): Promise<void> => {
      for (const resolve of resolvers.splice(0)) resolve();
      await flushPromises();
    };
    const readResults = () => [figure.state.value, figure.pendingResult.value?.results, figure.computed.value?.results];
    figure.isActive.value = true;
    await flushPromises();
    await calls[0]?.answer('old');
    expect(readResults()).toEqual(['computing', undefined, undefined]);
    await end();
    expect(readResults()).toEqual(['computing', 'old', undefined]);
    figure.setFields({ length: 7 });
    await end();
    expect(figure.computed.value).toBeUndefined();
    await calls[1]?.answer('newer');
    figure.setFields({ length: 8 });
    await end();
    await calls[2]?.answer('new');
    expect(readResults()).toEqual(['computing', 'old', undefined]);
    await end();
    expect(readResults()).toEqual(['computing', 'new', undefined]);
    await end();
    expect(readResults()).toEqual(['ready', undefined, 'new']);
    // Later results are shown without a pause.
    figure.setFields({ length: 9 });
    await flushPromises();
    await calls[3]?.answer('newest');
    expect([...readResults(), resolvers.length]).toEqual(['ready', undefined, 'newest', 0]);
  });

  it('shows partial results until the results are complete, failed or outdated', async () => {
    const { figure, calls } = await createShownFigure();
    const readResults = () => [figure.state.value, figure.partial.value?.results, figure.computed.value?.results];
    figure.setFields({ length: 5 });
    await flushPromises();
    calls[1]?.context.partial?.({ part: 5 });
    expect(readResults()).toEqual(['computing', { part: 5 }, 'first']);
    expect(figure.partial.value?.spec.length).toBe(5);
    await calls[1]?.answer('whole');
    expect(readResults()).toEqual(['ready', undefined, 'whole']);
    // Partial results of an outdated spec are ignored.
    figure.setFields({ length: 6 });
    await flushPromises();
    figure.setFields({ length: 7 });
    calls[2]?.context.partial?.({ part: 6 });
    expect(figure.partial.value).toBeUndefined();
    await calls[2]?.answer('late');
    calls[3]?.context.partial?.({ part: 7 });
    expect(readResults()).toEqual(['computing', { part: 7 }, 'whole']);
    await calls[3]?.refuse(new PhasorError('internal', 'no memory'));
    expect(readResults()).toEqual(['failed', undefined, 'whole']);
    // A change back to the computed spec drops the partial results.
    figure.setFields({ length: 8 });
    await flushPromises();
    calls[4]?.context.partial?.({ part: 8 });
    figure.setFields({ length: 5 });
    expect(readResults()).toEqual(['ready', undefined, 'whole']);
  });

  it('computes nothing for a change without effect or an undone change', async () => {
    const { figure, calls } = await createShownFigure();
    figure.setFields({ length: '4', encoding: 'rope' });
    await flushPromises();
    expect(calls.length).toBe(1);
    figure.setFields({ length: 99 });
    expect(figure.state.value).toBe('failed');
    figure.setFields({ length: undefined });
    expect([figure.state.value, figure.failure.value, calls.length]).toEqual(['ready', undefined, 1]);
  });

  it('keeps its results if a later spec fails in its fields or in the core', async () => {
    const { figure, calls } = await createShownFigure();
    figure.setFields({ text: '' });
    expect(figure.failure.value).toEqual({ field: 'text', argument: 'text', message: 'text: there are no words' });
    expect([figure.state.value, figure.computed.value?.results]).toEqual(['failed', 'first']);
    await expect(figure.ready()).rejects.toThrow(SpecError);
    figure.setFields({ text: 'c', encoding: 'rope base=-1' });
    await flushPromises();
    await calls[1]?.refuse(new PhasorError('invalid_argument', 'encoding.base: -1 is outside', { argument: 'encoding.base' }));
    expect(figure.failure.value).toEqual({ field: 'encoding', argument: 'encoding.base', message: 'encoding.base: -1 is outside' });
    expect(figure.computed.value?.results).toBe('first');
    await expect(figure.ready()).rejects.toThrow('encoding.base: -1 is outside');
    figure.setFields({ encoding: 'rope' });
    await flushPromises();
    await calls[2]?.answer('third');
    expect([figure.state.value, figure.failure.value, figure.computed.value?.results]).toEqual(['ready', undefined, 'third']);
  });

  it('lists its fields if a name is neither a field nor a parameter', async () => {
    const { figure, calls } = createAnsweredFigure({ initialFields: { lenght: '8' } });
    figure.isActive.value = true;
    await flushPromises();
    await calls[0]?.refuse(new PhasorError('unknown_name', 'lenght: is not a parameter of rope', { argument: 'lenght' }));
    expect(figure.failure.value?.message).toBe(
      'lenght: is not a parameter of rope; fields of a fake figure are encoding, text, length, and measure',
    );
  });

  it('tries again when it becomes visible again after an engine failure', async () => {
    let attempts = 0;
    const { figure, calls } = createAnsweredFigure({}, async () => {
      attempts += 1;
      if (attempts === 1) throw new PhasorError('unsupported', 'wasm: lost');
      return { encodings: [] } as never;
    });
    figure.isActive.value = true;
    await flushPromises();
    expect([figure.state.value, figure.failure.value?.message, attempts]).toEqual(['failed', 'wasm: lost', 1]);
    figure.isActive.value = false;
    figure.isActive.value = true;
    await flushPromises();
    await calls[0]?.answer(1);
    expect([figure.state.value, attempts]).toEqual(['ready', 2]);
  });

  it('resolves ready() out of view, also if the spec changes meanwhile', async () => {
    const { figure, calls } = createAnsweredFigure();
    const ready = figure.ready();
    await flushPromises();
    figure.setFields({ length: 8 });
    await calls[0]?.answer('old');
    await calls[1]?.answer('new');
    expect((await ready).results).toBe('new');
    // Out of view, a change is computed only for a pending ready() call.
    figure.setFields({ length: 9 });
    await flushPromises();
    expect([figure.state.value, calls.length]).toEqual(['idle', 2]);
  });

  it('does not compute if it left the view while the engine started', async () => {
    let started: (engine: RemotePhasor) => void = () => {};
    const { figure, calls } = createAnsweredFigure({}, () => new Promise((resolve) => (started = resolve)));
    figure.isActive.value = true;
    figure.isActive.value = false;
    started({ encodings: [] } as never);
    await flushPromises();
    expect([figure.state.value, calls.length]).toEqual(['idle', 0]);
    figure.isActive.value = true;
    started({ encodings: [] } as never);
    await flushPromises();
    expect(calls.length).toBe(1);
  });

  it('rejects pending ready() calls on disposal, and ignores later results', async () => {
    const { figure, calls } = createAnsweredFigure();
    const ready = figure.ready();
    await flushPromises();
    figure.dispose();
    await expect(ready).rejects.toMatchObject({ code: 'cancelled' });
    await expect(figure.ready()).rejects.toMatchObject({ code: 'cancelled' });
    expect(calls[0]?.context.signal?.aborted).toBe(true);
    await calls[0]?.answer('late');
    expect(figure.computed.value).toBeUndefined();
    figure.setFields({ length: 5 });
    await flushPromises();
    expect(calls.length).toBe(1);
  });

  it('shows the progress of a computation until it is outdated', async () => {
    const { figure, calls } = createAnsweredFigure();
    figure.isActive.value = true;
    await flushPromises();
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

describe('valuesBeforeChange', () => {
  it('keeps the value before the changes of the user until the page sets it or the user restores it', () => {
    const { figure } = createAnsweredFigure({ initialFields: { text: 'given' } });
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

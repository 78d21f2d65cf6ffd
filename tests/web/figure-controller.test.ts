// One figure without a page: what is computed when, what stays, and who shares what.
import { signal } from '@preact/signals-core';
import { describe, expect, it, vi } from 'vitest';
import { PhasorError, type RemotePhasor } from '../../web/engine/index.ts';
import { createFigure, type Figure, type FigureOptions } from '../../web/figure/controller.ts';
import { choice, count, encoding, FieldError, text } from '../../web/figure/fields.ts';
import type { Means } from '../../web/figure/kind.ts';
import { linkGroup } from '../../web/figure/link-group.ts';
import type { AnyKind } from '../../web/figure/registry.ts';
import { SpecError } from '../../web/figure/spec.ts';
import { still } from '../../web/views/scene.ts';

interface Call {
  readonly spec: { readonly [name: string]: unknown };
  readonly means: Means;
  answer(numbers: unknown): Promise<void>;
  refuse(error: unknown): Promise<void>;
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

const plainServices = {
  vocabulary: {} as never,
  photographs: {} as never,
  restarts: signal(0),
  restart: () => {},
  group: linkGroup,
  leave: () => {},
  release: () => {},
};

/** A kind whose computations are answered by the test. */
function fixture(options: Partial<FigureOptions> = {}, engine: () => Promise<RemotePhasor> = async () => ({ encodings: [] }) as never) {
  const calls: Call[] = [];
  const kind: AnyKind = {
    id: 'fake',
    question: '',
    caption: '',
    fields: {
      encoding: encoding('rope'),
      text: text('a b', (words) => {
        if (words === '') throw new FieldError('there are no words');
      }),
      length: count(4, 1, 9),
      measure: choice('cosine', 'dot'),
    },
    compute: (spec, means) =>
      new Promise((resolve, reject) => {
        calls.push({
          spec,
          means,
          answer: (numbers) => {
            resolve(numbers);
            return turns();
          },
          refuse: (error) => {
            reject(error);
            return turns();
          },
        });
      }),
    scene: () => still({ width: 1, height: 1, title: '', description: '', rasters: [], marks: [] }),
    readout: () => '',
    proof: () => ({ what: '', residual: 0, tolerance: 0, source: '', meaning: '' }),
    tables: () => [],
    code: () => ({ numpy: '', pytorch: '', phasor: '' }),
  };
  const figure = createFigure(kind, { services: { ...plainServices, engine }, ...options });
  return { figure, calls };
}

async function shown(options: Partial<FigureOptions> = {}) {
  const made = fixture(options);
  made.figure.active.value = true;
  await turns();
  await made.calls[0]?.answer('first');
  return made;
}

describe('a figure', () => {
  it('computes when it is seen, not before, and once', async () => {
    const { figure, calls } = fixture();
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['idle', 0]);
    figure.active.value = true;
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['computing', 1]);
    figure.active.value = false;
    figure.active.value = true;
    await turns();
    expect(calls.length).toBe(1);
    await calls[0]?.answer(7);
    expect([figure.state.value, figure.computed.value?.numbers]).toEqual(['ready', 7]);
    figure.active.value = false;
    figure.active.value = true;
    await turns();
    expect(calls.length).toBe(1);
  });

  it('shows the latest spec alone, skips those between, and tells the computation that is no longer wanted', async () => {
    const { figure, calls } = fixture();
    figure.active.value = true;
    await turns();
    for (const length of [5, 6, 7]) figure.give({ length });
    expect(calls[0]?.means.signal?.aborted).toBe(true);
    await calls[0]?.answer('old');
    expect([figure.state.value, figure.computed.value]).toEqual(['computing', undefined]);
    expect(calls.map(({ spec }) => spec.length)).toEqual([4, 7]);
    await calls[1]?.answer('new');
    expect(figure.computed.value).toMatchObject({ numbers: 'new', spec: { length: 7 } });
  });

  it('computes nothing for a change that changes nothing, and nothing for one that is taken back', async () => {
    const { figure, calls } = await shown();
    figure.give({ length: '4', encoding: 'rope' });
    await turns();
    expect(calls.length).toBe(1);
    figure.give({ length: 99 });
    expect(figure.state.value).toBe('failed');
    figure.give({ length: undefined });
    expect([figure.state.value, figure.failure.value, calls.length]).toEqual(['ready', undefined, 1]);
  });

  it('keeps its numbers when a later spec fails, in its fields or in the core', async () => {
    const { figure, calls } = await shown();
    figure.give({ text: '' });
    expect(figure.failure.value).toEqual({ field: 'text', message: 'text: there are no words' });
    expect([figure.state.value, figure.computed.value?.numbers]).toEqual(['failed', 'first']);
    await expect(figure.ready()).rejects.toThrow(SpecError);
    figure.give({ text: 'c', encoding: 'rope base=-1' });
    await turns();
    await calls[1]?.refuse(new PhasorError('invalid_argument', 'encoding.base: -1 is outside'));
    expect(figure.failure.value).toEqual({ field: 'encoding', message: 'encoding.base: -1 is outside' });
    expect(figure.computed.value?.numbers).toBe('first');
    await expect(figure.ready()).rejects.toThrow('encoding.base: -1 is outside');
    figure.give({ encoding: 'rope' });
    await turns();
    await calls[2]?.answer('third');
    expect([figure.state.value, figure.failure.value, figure.computed.value?.numbers]).toEqual(['ready', undefined, 'third']);
  });

  it('names its fields where a name is neither a field nor a parameter', async () => {
    const { figure, calls } = fixture({ given: { lenght: '8' } });
    figure.active.value = true;
    await turns();
    await calls[0]?.refuse(new PhasorError('unknown_name', 'lenght: rope has no such parameter'));
    expect(figure.failure.value?.message).toBe(
      'lenght: rope has no such parameter; fields of a fake figure are encoding, text, length, and measure',
    );
  });

  it('tries again when it is seen again after the engine has failed', async () => {
    let tries = 0;
    const { figure, calls } = fixture({}, async () => {
      tries += 1;
      if (tries === 1) throw new PhasorError('unsupported', 'wasm: lost');
      return { encodings: [] } as never;
    });
    figure.active.value = true;
    await turns();
    expect([figure.state.value, figure.failure.value?.message, tries]).toEqual(['failed', 'wasm: lost', 1]);
    figure.active.value = false;
    figure.active.value = true;
    await turns();
    await calls[0]?.answer(1);
    expect([figure.state.value, tries]).toEqual(['ready', 2]);
  });

  it('is waited for out of sight, also when what is asked for changes meanwhile', async () => {
    const { figure, calls } = fixture();
    const ready = figure.ready();
    await turns();
    figure.give({ length: 8 });
    await calls[0]?.answer('old');
    await calls[1]?.answer('new');
    expect((await ready).numbers).toBe('new');
    // Nobody waits any more.
    figure.give({ length: 9 });
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['idle', 2]);
  });

  it('does not begin when it has gone out of sight while the engine started', async () => {
    let started: (engine: RemotePhasor) => void = () => {};
    const { figure, calls } = fixture({}, () => new Promise((resolve) => (started = resolve)));
    figure.active.value = true;
    figure.active.value = false;
    started({ encodings: [] } as never);
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['idle', 0]);
    figure.active.value = true;
    started({ encodings: [] } as never);
    await turns();
    expect(calls.length).toBe(1);
  });

  it('ends: who waits is told, and what comes later changes nothing', async () => {
    const { figure, calls } = fixture();
    const ready = figure.ready();
    await turns();
    figure.dispose();
    await expect(ready).rejects.toMatchObject({ code: 'cancelled' });
    await expect(figure.ready()).rejects.toMatchObject({ code: 'cancelled' });
    expect(calls[0]?.means.signal?.aborted).toBe(true);
    await calls[0]?.answer('late');
    expect(figure.computed.value).toBeUndefined();
    figure.give({ length: 5 });
    await turns();
    expect(calls.length).toBe(1);
  });

  it('shows the progress of a long computation, not that of one no longer wanted', async () => {
    const { figure, calls } = fixture();
    figure.active.value = true;
    await turns();
    calls[0]?.means.progress?.(0.5);
    expect(figure.progress.value).toBe(0.5);
    figure.give({ length: 5 });
    calls[0]?.means.progress?.(0.9);
    expect(figure.progress.value).toBe(0.5);
    await calls[0]?.answer('old');
    await calls[1]?.answer('new');
    expect(figure.progress.value).toBeUndefined();
  });
});

describe('a link group', () => {
  const two = (first: Partial<FigureOptions> = {}, second: Partial<FigureOptions> = {}) => {
    const group = linkGroup();
    return [fixture({ group, ...first }).figure, fixture({ group, ...second }).figure] as const;
  };
  const value = (figure: ReturnType<typeof fixture>['figure'], name: string) => (figure.spec.value as Record<string, unknown>)[name];

  it('shares the cursor; figures without a group do not', () => {
    const [a, b] = two();
    const alone = fixture().figure;
    a.cursor.value = { query: 3 };
    expect([b.cursor.value, alone.cursor.value]).toEqual([{ query: 3 }, {}]);
  });

  it('shares what the reader changes and both have, not what the page gives', () => {
    const [a, b] = two();
    a.change({ text: 'x', length: 7 });
    a.give({ measure: 'dot' });
    expect(['text', 'length', 'measure'].map((name) => value(b, name))).toEqual(['x', 4, 'cosine']);
  });

  it('leaves locked fields alone, and does not tell of them', () => {
    const [a, b] = two({}, { locked: ['text'] });
    a.change({ text: 'x' });
    expect(value(b, 'text')).toBe('a b');
    b.change({ text: 'y', length: 5 });
    expect([value(a, 'text'), value(b, 'text'), value(b, 'length')]).toEqual(['x', 'a b', 5]);
  });

  it('drops parameters that were given beside another encoding', () => {
    const [a, b] = two({}, { given: { encoding: 'rope', base: '500' } });
    expect(value(b, 'encoding')).toEqual({ id: 'rope', base: 500 });
    a.change({ encoding: { id: 'alibi' } });
    expect(value(b, 'encoding')).toEqual({ id: 'alibi' });
  });

  it('shares no value that is outside of the limits of a figure: it stays as it was, and says so', async () => {
    const group = linkGroup();
    const encodings = [
      { id: 'alibi', injection: 'score' },
      { id: 'rope', injection: 'query_key' },
    ];
    const kind = (most: number): AnyKind => ({
      ...(fixture().figure.kind as AnyKind),
      fields: { encoding: encoding('rope', { injections: ['query_key'] }), width: count(4, 1, most) },
      compute: async (spec) => spec,
    });
    const services = { ...plainServices, engine: async () => ({ encodings }) as never };
    const [wide, narrow] = [4096, 64].map((most) => createFigure(kind(most), { services, group })) as [Figure, Figure];
    for (const figure of [wide, narrow]) figure.active.value = true;
    await Promise.all([wide.ready(), narrow.ready()]);
    wide.change({ width: 512 });
    expect([(await wide.ready()).spec.width, (await narrow.ready()).spec.width]).toEqual([512, 4]);
    expect([wide, narrow].map(({ kept }) => kept.value.map(({ message }) => message))).toEqual([
      [],
      ['This figure keeps its own channels: 512 is outside 1 to 64.'],
    ]);
    expect(narrow.state.value).toBe('ready');
    wide.change({ width: 32 });
    expect([(await narrow.ready()).spec.width, narrow.kept.value]).toEqual([32, []]);
    // Its own reader is told what is wrong, as ever; the other figure takes what it can.
    narrow.change({ width: 100 });
    await expect(narrow.ready()).rejects.toThrow('width: 100 is outside 1 to 64');
    expect([narrow.kept.value, (await wide.ready()).spec.width]).toEqual([[], 100]);
    // So is an encoding that enters where the figure shows nothing.
    wide.change({ encoding: { id: 'alibi' }, width: 8 });
    expect((await narrow.ready()).spec).toEqual({ encoding: { id: 'rope' }, width: 8 });
    expect(narrow.kept.value.map(({ message }) => message)).toEqual(['This figure keeps its own encoding: alibi has no place in it.']);
  });

  it('gives way to what the page says later, until the reader changes it again', () => {
    const [a, b] = two();
    a.change({ text: 'x' });
    b.give({ text: 'page' });
    expect([value(a, 'text'), value(b, 'text')]).toEqual(['x', 'page']);
    a.change({ text: 'y' });
    expect(value(b, 'text')).toBe('y');
    b.give({ text: 'page' });
    b.change({ text: 'reader' });
    expect([value(a, 'text'), value(b, 'text')]).toEqual(['reader', 'reader']);
  });

  it('lets figures compute nothing anew for fields that they do not have', async () => {
    const group = linkGroup();
    const { figure, calls } = await shown({ group });
    group.changes.value = { heads: 3 };
    await turns();
    expect([figure.state.value, calls.length]).toEqual(['ready', 1]);
  });
});

describe('what stood in a field before the reader changed it', () => {
  it('is kept while the reader goes on, until it is set elsewhere or again', () => {
    const { figure } = fixture({ given: { text: 'given' } });
    expect(figure.before).toEqual({});
    figure.change({ text: 'mine' });
    figure.change({ text: 'mine too' });
    expect(figure.before).toEqual({ text: 'given' });
    figure.give({ text: 'of the page' });
    figure.change({ text: 'mine again' });
    expect(figure.before).toEqual({ text: 'of the page' });
    figure.change({ text: 'of the page' });
    expect(figure.before).toEqual({});
  });
});

describe('an engine that is lost', () => {
  const crash = () => new PhasorError('internal', 'the worker stopped: out of memory');

  it('is said to be lost, and what it was asked for is computed by the next one', async () => {
    const services = { ...plainServices, restarts: signal(0), engine: async () => ({ encodings: [] }) as never };
    const { figure, calls } = await shown({ services });
    figure.change({ text: 'c d' });
    await turns();
    await calls[1]?.refuse(crash());
    expect(figure.failure.value).toEqual({
      field: '',
      message: 'The engine has stopped (the worker stopped: out of memory). Nothing you have set is lost.',
      ofEngine: true,
    });
    expect(figure.computed.value?.numbers).toBe('first');
    services.restarts.value += 1;
    expect([figure.state.value, figure.failure.value]).toEqual(['computing', undefined]);
    await turns();
    await calls[2]?.answer('again');
    expect(calls).toHaveLength(3);
    expect(calls[2]?.spec).toMatchObject({ text: 'c d' });
    expect([figure.state.value, figure.computed.value?.numbers]).toEqual(['ready', 'again']);
  });

  it('takes what was under way along: no failure is seen, and those who wait get the numbers of the next one', async () => {
    const services = { ...plainServices, restarts: signal(0), engine: async () => ({ encodings: [] }) as never };
    const { figure, calls } = fixture({ services });
    const ready = figure.ready();
    await turns();
    services.restarts.value += 1;
    await calls[0]?.refuse(new PhasorError('internal', 'the worker was disposed'));
    expect(figure.state.value).toBe('computing');
    await calls[1]?.answer('next');
    expect((await ready).numbers).toBe('next');
  });

  it('is not blamed for what is refused, and numbers that are there stay', async () => {
    const services = { ...plainServices, restarts: signal(0), engine: async () => ({ encodings: [] }) as never };
    const { figure, calls } = await shown({ services });
    services.restarts.value += 1;
    await turns();
    expect([calls.length, figure.state.value]).toEqual([1, 'ready']);
    figure.change({ text: 'c d' });
    await turns();
    await calls[1]?.refuse(new PhasorError('invalid_argument', 'text: it is too odd'));
    expect(figure.failure.value?.ofEngine).toBeUndefined();
    services.restarts.value += 1;
    await turns();
    await calls[2]?.refuse(new PhasorError('invalid_argument', 'text: it is too odd'));
    expect([calls.length, figure.state.value]).toEqual([3, 'failed']);
  });

  it('that does not answer for long is mentioned, until it answers', async () => {
    vi.useFakeTimers();
    try {
      const { figure, calls } = fixture();
      figure.active.value = true;
      await turns();
      vi.advanceTimersByTime(15_000);
      calls[0]?.means.progress?.(0.5);
      vi.advanceTimersByTime(15_000);
      expect(figure.failure.value).toBeUndefined();
      vi.advanceTimersByTime(5_000);
      expect(figure.failure.value?.message).toMatch(/^No answer from the engine for 20 seconds/);
      expect(figure.state.value).toBe('computing');
      await calls[0]?.answer('late');
      expect([figure.failure.value, figure.state.value]).toEqual([undefined, 'ready']);
      vi.advanceTimersByTime(60_000);
      expect(figure.failure.value).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('that could not be started is tried again', async () => {
    let starts = 0;
    const services = { ...plainServices, restarts: signal(0) };
    const engine = async (): Promise<RemotePhasor> => {
      starts += 1;
      if (starts === 1) throw new PhasorError('unsupported', 'wasm: it could not be loaded');
      return { encodings: [] } as never;
    };
    const { figure, calls } = fixture({ services: { ...services, engine } });
    figure.active.value = true;
    await turns();
    expect(figure.failure.value).toEqual({ field: '', message: 'wasm: it could not be loaded', ofEngine: true });
    services.restarts.value += 1;
    await turns();
    await calls[0]?.answer('at last');
    expect(figure.state.value).toBe('ready');
  });
});

// One figure: what is given, its spec, its numbers, and what went wrong, as signals of its own.
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { type EncodingInfo, PhasorError } from '../engine/index.ts';
import type { Cursor } from '../views/scene.ts';
import type { FieldTable, SpecOf } from './fields.ts';
import { latestOnly } from './latest.ts';
import { type LinkGroup, SHARED } from './link-group.ts';
import type { AnyKind } from './registry.ts';
import type { Services } from './services.ts';
import { type Given, readSpec, SpecError } from './spec.ts';

export type FigureState = 'idle' | 'computing' | 'ready' | 'failed';
type AnySpec = SpecOf<FieldTable>;

/** Numbers and the spec they belong to. */
export interface Computed {
  readonly spec: AnySpec;
  readonly numbers: unknown;
}

/** Why there is no picture of what is asked for: one sentence that begins with the name of a field. */
export interface Failure {
  readonly field: string;
  readonly message: string;
}

export interface Figure {
  readonly kind: AnyKind;
  readonly state: ReadonlySignal<FigureState>;
  /** The latest numbers; they stay when a later spec fails. */
  readonly computed: ReadonlySignal<Computed | undefined>;
  readonly failure: ReadonlySignal<Failure | undefined>;
  /** What is given, by the page, the reader and linked figures. */
  readonly given: ReadonlySignal<Given>;
  /** What is asked for: the spec, or why it is none. */
  readonly spec: ReadonlySignal<AnySpec | SpecError>;
  readonly cursor: Signal<Cursor>;
  readonly encodings: ReadonlySignal<readonly EncodingInfo[]>;
  /** Share of a long computation, 0 to 1. */
  readonly progress: ReadonlySignal<number | undefined>;
  /** Sets fields from outside; undefined removes one. */
  give(fields: Given): void;
  /** Sets fields as the reader: linked figures follow. */
  change(fields: Given): void;
  /** Computes only while active. */
  readonly active: Signal<boolean>;
  /** The numbers of what is asked for now. Rejects with what went wrong. */
  ready(): Promise<Computed>;
  dispose(): void;
}

export interface FigureOptions {
  readonly given?: Given;
  readonly services: Services;
  readonly group?: LinkGroup;
  /** Fields that neither the reader nor linked figures change. */
  readonly locked?: readonly string[];
}

const failureOf = (thrown: unknown): Failure => {
  if (thrown instanceof SpecError) return { field: thrown.field, message: thrown.message };
  const { message } = PhasorError.from(thrown);
  return { field: /^(\w+)[:.[]/.exec(message)?.[1] ?? '', message };
};

export function createFigure(kind: AnyKind, { given = {}, services, group, locked = [] }: FigureOptions): Figure {
  const own = signal<Given>(given);
  const state = signal<FigureState>('idle');
  const done = signal<Computed | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  const encodings = signal<readonly EncodingInfo[]>([]);
  const progress = signal<number | undefined>(undefined);
  const active = signal(false);
  const cursor = group?.cursor ?? signal<Cursor>({});
  /** Those who wait for the numbers of the latest spec. */
  let waiting: { resolve(computed: Computed): void; reject(reason: unknown): void }[] = [];
  let running: AbortController | undefined;
  let disposed = false;

  const follows = (name: string): boolean => SHARED.includes(name) && Object.hasOwn(kind.fields, name) && !locked.includes(name);
  const all = computed((): Given => {
    const linked = Object.entries(group?.changes.value ?? {}).filter(([name]) => follows(name));
    return { ...own.value, ...Object.fromEntries(linked) };
  });
  const spec = computed((): AnySpec | SpecError => {
    try {
      return readSpec(kind, all.value);
    } catch (thrown) {
      if (thrown instanceof SpecError) return thrown;
      throw thrown;
    }
  });

  /** What was given; when an encoding is set, without parameters that were given beside the one before. */
  const withoutParams = (next: Given): Given => {
    if (next.encoding === undefined) return own.peek();
    return Object.fromEntries(Object.entries(own.peek()).filter(([name]) => Object.hasOwn(kind.fields, name)));
  };

  const settle = (how: (one: (typeof waiting)[number]) => void): void => {
    const all = waiting;
    waiting = [];
    all.forEach(how);
  };
  const fail = (thrown: unknown): void => {
    batch(() => {
      failure.value = failureOf(thrown);
      state.value = 'failed';
      progress.value = undefined;
    });
    settle(({ reject }) => reject(thrown));
  };
  const succeed = (result: Computed): void => {
    batch(() => {
      done.value = result;
      failure.value = undefined;
      state.value = 'ready';
      progress.value = undefined;
    });
    settle(({ resolve }) => resolve(result));
  };

  const compute = latestOnly(
    async (asked: AnySpec) => {
      const engine = await services.engine();
      encodings.value = engine.encodings;
      running = new AbortController();
      const { signal } = running;
      const numbers = await kind.compute(asked, {
        engine,
        vocabulary: services.vocabulary,
        signal,
        progress: (share) => {
          progress.value = share;
        },
      });
      return { spec: asked, numbers };
    },
    (result, asked) => {
      // A newer spec is already on its way.
      if (!disposed && spec.peek() === asked) succeed(result);
    },
    (thrown, asked) => {
      if (!disposed && spec.peek() === asked) fail(thrown);
    },
    fail,
  );

  const stop = effect(() => {
    const asked = spec.value;
    if (!active.value || disposed) return;
    if (asked instanceof SpecError) {
      fail(asked);
      return;
    }
    if (done.peek()?.spec === asked && !failure.peek()) return;
    state.value = 'computing';
    running?.abort();
    compute(asked);
  });

  return {
    kind,
    state,
    computed: done,
    failure,
    given: all,
    spec,
    cursor,
    encodings,
    progress,
    active,
    give(fields) {
      own.value = { ...own.peek(), ...fields };
    },
    change(fields) {
      const open = Object.fromEntries(Object.entries(fields).filter(([name]) => !locked.includes(name)));
      batch(() => {
        own.value = { ...withoutParams(open), ...open };
        const shared = Object.entries(open).filter(([name]) => follows(name));
        if (group && shared.length > 0) group.changes.value = { ...group.changes.peek(), ...Object.fromEntries(shared) };
      });
    },
    ready() {
      active.value = true;
      const asked = spec.peek();
      const latest = done.peek();
      if (asked instanceof SpecError) return Promise.reject(asked);
      if (latest?.spec === asked && state.peek() === 'ready') return Promise.resolve(latest);
      if (state.peek() === 'failed') return Promise.reject(new Error(failure.peek()?.message));
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
      });
    },
    dispose() {
      disposed = true;
      stop();
      running?.abort();
      settle(({ reject }) => reject(new PhasorError('cancelled', 'the figure was removed')));
    },
  };
}

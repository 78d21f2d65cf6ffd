// One figure: what is given, its spec, its numbers, and what went wrong, as signals of its own.
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { PhasorError } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { Cursor } from '../../views/scene.ts';
import type { AnyKind } from '../contract/registry.ts';
import { type Given, SpecError } from '../contract/spec.ts';
import { WORDS } from '../contract/words.ts';
import { afterPause } from './after-pause.ts';
import { type AnySpec, type AskedSpec, askedSpec } from './asked-spec.ts';
import { type Failure, failureOf } from './failure.ts';
import { latestOnly } from './latest.ts';
import type { LinkGroup } from './link-group.ts';
import type { Services } from './services.ts';
import { silence } from './silence.ts';

export type FigureState = 'idle' | 'computing' | 'ready' | 'failed';

/** Numbers and the spec they belong to. */
export interface Computed {
  readonly spec: AnySpec;
  readonly numbers: unknown;
}

export interface Figure extends AskedSpec {
  readonly kind: AnyKind;
  readonly state: ReadonlySignal<FigureState>;
  /** The latest numbers; they stay when a later spec fails. */
  readonly computed: ReadonlySignal<Computed | undefined>;
  /** The first numbers, a task before they are `computed`: their scene is made in one task and drawn in another, so that the page answers between them. */
  readonly coming: ReadonlySignal<Computed | undefined>;
  /** What a picture needs of the numbers that are under way (`Means.early`). */
  readonly early: ReadonlySignal<Computed | undefined>;
  readonly failure: ReadonlySignal<Failure | undefined>;
  readonly cursor: Signal<Cursor>;
  readonly encodings: ReadonlySignal<readonly EncodingInfo[]>;
  /** Share of a long computation, 0 to 1. */
  readonly progress: ReadonlySignal<number | undefined>;
  /** Starts another engine for the whole page. */
  restart(): void;
  /** Asks again for words that could not be had, for the whole page. */
  retryWords(): void;
  /** Computes only while active, or while somebody waits for `ready`. */
  readonly active: Signal<boolean>;
  /** Whether any of it is in the window. Where not, other numbers follow when the reader pauses. */
  readonly inView: Signal<boolean>;
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
  /** Waits for a task between the first numbers that are `coming` and the same as `computed`; default: there is none. */
  readonly pause?: () => Promise<void>;
}

const removed = () => new PhasorError('cancelled', 'the figure was removed');

export function createFigure(kind: AnyKind, { given = {}, services, group, locked = [], pause }: FigureOptions): Figure {
  const state = signal<FigureState>('idle');
  const done = signal<Computed | undefined>(undefined);
  const coming = signal<Computed | undefined>(undefined);
  const early = signal<Computed | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  const encodings = signal<readonly EncodingInfo[]>([]);
  const progress = signal<number | undefined>(undefined);
  const active = signal(false);
  const inView = signal(true);
  const cursor = group?.cursor ?? signal<Cursor>({});
  /** Those who wait for the numbers of the latest spec; they are computed even when the figure is out of sight. */
  let waiting: { resolve(computed: Computed): void; reject(reason: unknown): void }[] = [];
  const awaited = signal(false);
  const seen = computed(() => active.value || awaited.value);
  /** The spec that was last computed, refused or is under way. */
  let attempted: AnySpec | SpecError | undefined;
  let lastError: unknown;
  let running: AbortController | undefined;
  /** Whether there was an engine for the latest computation, and how many had been ended before. */
  let isRunning = true;
  let restarts = 0;
  let ended = services.restarts.peek();
  let disposed = false;

  const inputs = askedSpec(kind, {
    given,
    group,
    locked,
    encodings,
    wordsAsked: services.wordsAsked,
    nameOf: services.nameOf,
    shown: () => done.peek()?.spec,
  });
  const { spec } = inputs;

  const settle = (how: (one: (typeof waiting)[number]) => void): void => {
    const everyone = waiting;
    waiting = [];
    awaited.value = false;
    everyone.forEach(how);
  };
  const fail = (thrown: unknown): void => {
    const why = failureOf(thrown, kind, isRunning);
    lastError = thrown instanceof SpecError ? thrown : new PhasorError(PhasorError.from(thrown).code, why.message);
    batch(() => {
      failure.value = why;
      state.value = 'failed';
      progress.value = undefined;
      early.value = undefined;
      settle(({ reject }) => reject(lastError));
    });
  };
  const succeed = (result: Computed): void => {
    batch(() => {
      done.value = result;
      coming.value = undefined;
      early.value = undefined;
      failure.value = undefined;
      state.value = 'ready';
      progress.value = undefined;
      settle(({ resolve }) => resolve(result));
    });
  };
  const isWanted = (asked: AnySpec): boolean => !disposed && spec.peek() === asked;
  const quiet = silence((seconds) => {
    failure.value = { field: '', message: WORDS.silent(seconds), ofEngine: true };
  });

  const compute = latestOnly(
    async (asked: AnySpec) => {
      restarts = services.restarts.peek();
      isRunning = false;
      const engine = await services.engine();
      isRunning = true;
      if (!isWanted(asked) || !seen.peek()) throw new PhasorError('cancelled', 'the figure has gone out of sight');
      encodings.value = engine.encodings;
      running = new AbortController();
      const { signal } = running;
      quiet.await();
      const numbers = await kind.compute(asked, {
        engine,
        vocabulary: services.vocabulary,
        photographs: services.photographs,
        signal,
        progress: (share) => {
          if (signal.aborted) return;
          progress.value = share;
          quiet.await();
        },
        early: (numbers) => {
          if (!signal.aborted && isWanted(asked)) early.value = { spec: asked, numbers };
        },
      });
      const result = { spec: asked, numbers };
      if (pause && !done.peek() && isWanted(asked)) {
        coming.value = result;
        await pause();
      }
      return result;
    },
    (result, asked) => {
      quiet.end();
      // A newer spec is already on its way.
      if (isWanted(asked)) succeed(result);
    },
    (thrown, asked) => {
      quiet.end();
      // Of an engine that was ended since: another one computes it.
      if (!isWanted(asked) || restarts !== services.restarts.peek()) return;
      if (seen.peek()) fail(thrown);
      else rest();
    },
    fail,
  );
  const request = afterPause(
    compute,
    computed(() => inView.value || awaited.value || done.value === undefined),
  );
  /** Nothing is under way, until the figure is seen. */
  const rest = (): void => {
    attempted = undefined;
    batch(() => {
      state.value = 'idle';
      progress.value = undefined;
      early.value = undefined;
    });
  };

  const stop = effect(() => {
    const asked = spec.value;
    const isSeen = seen.value;
    if (disposed) return;
    const { value: count } = services.restarts;
    // What an engine that was ended since had to compute, or has refused, is asked for again.
    if (count !== ended) {
      ended = count;
      attempted = undefined;
      if (failure.peek()?.ofEngine) failure.value = undefined;
    }
    const isNew = asked !== attempted;
    if (isNew) running?.abort();
    const latest = done.peek();
    if (asked instanceof SpecError) {
      attempted = asked;
      if (isNew) fail(asked);
    } else if (latest?.spec === asked) {
      // Also when a later spec has failed, or is still under way: these are its numbers.
      attempted = asked;
      if (state.peek() !== 'ready') succeed(latest);
    } else if (!isSeen) {
      if (isNew && state.peek() !== 'idle') rest();
    } else if (isNew || state.peek() !== 'computing') {
      attempted = asked;
      state.value = 'computing';
      request.ask(asked);
    }
  });

  return {
    kind,
    state,
    computed: done,
    coming,
    early,
    failure,
    ...inputs,
    cursor,
    encodings,
    progress,
    active,
    inView,
    restart: () => services.restart(),
    retryWords: () => services.retryWords(),
    ready() {
      if (disposed) return Promise.reject(removed());
      const asked = spec.peek();
      const latest = done.peek();
      if (latest?.spec === asked && state.peek() === 'ready') return Promise.resolve(latest);
      if (state.peek() === 'failed' && attempted === asked) return Promise.reject(lastError);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        awaited.value = true;
      });
    },
    dispose() {
      disposed = true;
      stop();
      request.dispose();
      quiet.end();
      running?.abort();
      settle(({ reject }) => reject(removed()));
    },
  };
}

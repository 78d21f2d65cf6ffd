// What has come of a figure: its state, its numbers and what went wrong, which change together; and those who wait for it.
import { batch, signal } from '@preact/signals-core';
import type { AnySpec } from './asked-spec.ts';
import type { Failure } from './failure.ts';

export type FigureState = 'idle' | 'computing' | 'ready' | 'failed';

/** Numbers and the spec they belong to. */
export interface Computed {
  readonly spec: AnySpec;
  readonly numbers: unknown;
}

interface Waiting {
  resolve(computed: Computed): void;
  reject(reason: unknown): void;
}

export type Outcome = ReturnType<typeof figureOutcome>;

export function figureOutcome() {
  const state = signal<FigureState>('idle');
  const computed = signal<Computed | undefined>(undefined);
  const coming = signal<Computed | undefined>(undefined);
  const early = signal<Computed | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  const progress = signal<number | undefined>(undefined);
  /** Somebody waits: the numbers of the latest spec are computed even when the figure is out of sight. */
  const awaited = signal(false);
  let waiting: readonly Waiting[] = [];

  const settle = (how: (one: Waiting) => void): void => {
    const everyone = waiting;
    waiting = [];
    awaited.value = false;
    everyone.forEach(how);
  };
  /** Nothing is under way any more. */
  const end = (how: FigureState): void => {
    state.value = how;
    progress.value = undefined;
    early.value = undefined;
  };
  return {
    state,
    computed,
    coming,
    early,
    failure,
    progress,
    awaited,
    wait: () =>
      new Promise<Computed>((resolve, reject) => {
        waiting = [...waiting, { resolve, reject }];
        awaited.value = true;
      }),
    rest: () => batch(() => end('idle')),
    succeed: (result: Computed) =>
      batch(() => {
        computed.value = result;
        coming.value = undefined;
        failure.value = undefined;
        end('ready');
        settle(({ resolve }) => resolve(result));
      }),
    /** @param reason what those who wait are told */
    fail: (why: Failure, reason: unknown) =>
      batch(() => {
        failure.value = why;
        end('failed');
        settle(({ reject }) => reject(reason));
      }),
    abandon: (reason: unknown) => settle(({ reject }) => reject(reason)),
  };
}

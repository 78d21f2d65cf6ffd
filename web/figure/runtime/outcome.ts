// A figure's outcome: its state, result and failure, and the promises that wait for them.
import { batch, signal } from '@preact/signals-core';
import { type ErrorDetails, PhasorError } from '../../engine/errors.ts';
import type { AnyKind } from '../contract/registry.ts';
import { SpecError } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import type { AnySpec } from './requested-spec.ts';

export type FigureState = 'idle' | 'computing' | 'ready' | 'failed';

export interface FigureResult {
  readonly spec: AnySpec;
  readonly results: unknown;
}

interface Waiter {
  resolve(result: FigureResult): void;
  reject(reason: unknown): void;
}

export type Outcome = ReturnType<typeof createFigureOutcome>;

export function createFigureOutcome() {
  const state = signal<FigureState>('idle');
  const computed = signal<FigureResult | undefined>(undefined);
  const pending = signal<FigureResult | undefined>(undefined);
  const partial = signal<FigureResult | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  const progress = signal<number | undefined>(undefined);
  /** Whether a caller awaits the result. If so, it is computed even if the figure is out of view. */
  const isAwaited = signal(false);
  let waiters: readonly Waiter[] = [];

  const settle = (settleWaiter: (waiter: Waiter) => void): void => {
    const settledWaiters = waiters;
    waiters = [];
    isAwaited.value = false;
    settledWaiters.forEach(settleWaiter);
  };
  const finish = (newState: FigureState): void => {
    state.value = newState;
    progress.value = undefined;
    partial.value = undefined;
  };
  return {
    state,
    computed,
    pending,
    partial,
    failure,
    progress,
    isAwaited,
    wait: () =>
      new Promise<FigureResult>((resolve, reject) => {
        waiters = [...waiters, { resolve, reject }];
        isAwaited.value = true;
      }),
    reset: () => batch(() => finish('idle')),
    succeed: (result: FigureResult) =>
      batch(() => {
        computed.value = result;
        pending.value = undefined;
        failure.value = undefined;
        finish('ready');
        settle(({ resolve }) => resolve(result));
      }),
    /** @param reason the value with which pending promises are rejected */
    fail: (newFailure: Failure, reason: unknown) =>
      batch(() => {
        failure.value = newFailure;
        finish('failed');
        settle(({ reject }) => reject(reason));
      }),
    abandon: (reason: unknown) => settle(({ reject }) => reject(reason)),
  };
}

/** The reason why a figure has no result. The message starts with the name of a field if that field is the cause. */
export interface Failure extends ErrorDetails {
  /** The field that caused the failure; empty if the cause is not a field. */
  readonly field: string;
  readonly message: string;
  /** Whether the engine failed, so that the same request may succeed with a new engine. */
  readonly isEngineFailure?: true;
}

/** Returns the first name of a path: 'positions' for 'positions[3]', 'pooling' for 'pooling.cellSize'. */
const parseRootName = (path = ''): string => /^\w+/.exec(path)?.[0] ?? '';

/** Converts a thrown value to a failure. `hasEngine` is false if the engine could not be started. */
export const toFailure = (thrown: unknown, { id, fields }: AnyKind, hasEngine: boolean): Failure => {
  if (thrown instanceof SpecError) return { field: thrown.field, argument: thrown.field, message: thrown.message };
  const { message, code, argument, value, allowed } = PhasorError.from(thrown);
  if (!hasEngine || (thrown instanceof PhasorError && code === 'internal'))
    return { field: '', message: hasEngine ? STRINGS.lost(message) : message, isEngineFailure: true };
  const field = parseRootName(argument);
  // Names that are not fields are passed to the core as encoding parameters, so the core also rejects misspelled
  // fields.
  const isMisspelled = code === 'unknown_name' && field !== '' && !Object.hasOwn(fields, field);
  return { field, argument, value, allowed, message: isMisspelled ? `${message}; ${STRINGS.fieldsOf(id, Object.keys(fields))}` : message };
};

interface CacheEntry {
  readonly key: string;
  readonly value: Promise<unknown>;
  dispose(): void;
}

/**
 * Stores one result per slot, such as a trained model. Results are disposed of when they are replaced and when the
 * figure is removed.
 */
export class FigureCache {
  private readonly slots = new Map<string, CacheEntry>();

  /**
   * Returns the stored value for this key, or calls `create` and stores its result. Failures are not stored, so that
   * the next call tries again.
   */
  get<Value>(slot: string, key: string, create: () => Promise<Value>, disposeValue: (value: Value) => void = () => {}): Promise<Value> {
    const cachedEntry = this.slots.get(slot);
    if (cachedEntry?.key === key) return cachedEntry.value as Promise<Value>;
    this.drop(slot);
    const value = create();
    const cacheEntry: CacheEntry = { key, value, dispose: () => void value.then(disposeValue, () => {}) };
    this.slots.set(slot, cacheEntry);
    value.catch(() => {
      if (this.slots.get(slot) === cacheEntry) this.slots.delete(slot);
    });
    return value;
  }

  drop(slot: string): void {
    this.slots.get(slot)?.dispose();
    this.slots.delete(slot);
  }

  dispose(): void {
    for (const slot of [...this.slots.keys()]) this.drop(slot);
  }
}

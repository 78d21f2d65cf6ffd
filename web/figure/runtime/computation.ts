// Computes the numbers of one figure on the page's engine, one computation at a time.
import type { Signal } from '@preact/signals-core';
import { PhasorError } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { WatchedPace } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { SpecError } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import { runsModels } from '../contract/untrained.ts';
import { type Computed, FigureCache, failureOf, type Outcome } from './outcome.ts';
import type { AnySpec } from './requested-spec.ts';
import { coalesce } from './scheduling.ts';
import { EngineWatchdog, type Services } from './services.ts';

export interface ComputationOptions {
  readonly services: Services;
  readonly outcome: Outcome;
  readonly pace: Signal<WatchedPace | undefined>;
  readonly encodings: Signal<readonly EncodingInfo[]>;
  readonly pause: (() => Promise<void>) | undefined;
  /** Whether this spec is still the requested one. */
  isWanted(requested: AnySpec): boolean;
  isNeeded(): boolean;
  /** Resets the figure to idle until it is visible. */
  reset(): void;
}

export interface Computation {
  /** Computes the newest requested spec. */
  run(request: AnySpec): void;
  fail(thrown: unknown): void;
  /** The error of the last failure, with which callers were rejected. */
  lastError(): unknown;
  /** Aborts the computation, whose numbers are no longer needed. */
  abort(): void;
  dispose(): void;
}

export function computation(kind: AnyKind, options: ComputationOptions): Computation {
  const { services, outcome, pace, encodings, pause, isWanted, isNeeded, reset } = options;
  const { languageModels } = services;
  const stored = new FigureCache();
  let running: AbortController | undefined;
  let lastError: unknown;
  /** Whether the latest computation had an engine, and the number of engines that had ended before. */
  let isRunning = true;
  let restarts = 0;

  const watchdog = new EngineWatchdog((seconds) => {
    outcome.failure.value = { field: '', message: STRINGS.silent(seconds), ofEngine: true };
  });
  const fail = (thrown: unknown): void => {
    const failureNow = failureOf(thrown, kind, isRunning);
    lastError = thrown instanceof SpecError ? thrown : new PhasorError(PhasorError.from(thrown).code, failureNow.message, failureNow);
    outcome.fail(failureNow, lastError);
  };
  const engineFor = async (asked: AnySpec) => {
    restarts = services.restarts.peek();
    isRunning = false;
    const engine = await services.engine(runsModels(kind, asked));
    isRunning = true;
    if (!isWanted(asked) || !isNeeded()) throw new PhasorError('cancelled', 'the figure is no longer visible');
    encodings.value = engine.encodings;
    return engine;
  };
  const compute = async (spec: AnySpec): Promise<Computed> => {
    const engine = await engineFor(spec);
    running = new AbortController();
    const { signal } = running;
    const paced = await kind.trainable?.(spec);
    pace.value = paced?.watchedPace();
    // If the reader controls the pace, a missing response does not mean that the engine is busy.
    if (!paced) watchdog.reset();
    const numbers = await kind.compute(spec, {
      engine,
      vocabulary: services.vocabulary,
      photographs: services.photographs,
      createTrainer: services.createTrainer,
      diagnose: services.diagnose,
      corpus: services.corpus,
      models: services.models,
      languageModel: languageModels && (() => languageModels.get()),
      cache: stored,
      pace: pace.peek()?.pace,
      signal,
      progress: (share) => {
        if (signal.aborted) return;
        outcome.progress.value = share;
        if (!paced) watchdog.reset();
      },
      partial: (numbers) => {
        if (!signal.aborted && isWanted(spec)) outcome.partial.value = { spec, numbers };
      },
    });
    if (pause && !outcome.computed.peek() && isWanted(spec)) {
      await pause();
      if (isWanted(spec)) {
        outcome.coming.value = { spec, numbers };
        await pause();
      }
    }
    return { spec, numbers };
  };

  return {
    run: coalesce(
      compute,
      (result, asked) => {
        watchdog.stop();
        // A newer spec is already being computed.
        if (isWanted(asked)) outcome.succeed(result);
      },
      (thrown, asked) => {
        watchdog.stop();
        // The result is from an ended engine: another engine computes it again.
        if (!isWanted(asked) || restarts !== services.restarts.peek()) return;
        if (isNeeded()) fail(thrown);
        else reset();
      },
      fail,
    ),
    fail,
    lastError: () => lastError,
    abort: () => running?.abort(),
    dispose() {
      watchdog.stop();
      running?.abort();
      stored.dispose();
    },
  };
}

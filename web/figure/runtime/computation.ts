// Runs the computations of one figure on the page's engine, one at a time.
import type { Signal } from '@preact/signals-core';
import { PhasorError } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { PaceControls } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { SpecError } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import { usesTrainedModel } from '../contract/untrained.ts';
import { FigureCache, type FigureResult, type Outcome, toFailure } from './outcome.ts';
import type { AnySpec } from './requested-spec.ts';
import { coalesce } from './scheduling.ts';
import { EngineWatchdog, type Services } from './services.ts';

export interface ComputationOptions {
  readonly services: Services;
  readonly outcome: Outcome;
  readonly pace: Signal<PaceControls | undefined>;
  readonly encodings: Signal<readonly EncodingInfo[]>;
  readonly pause: (() => Promise<void>) | undefined;
  isWanted(requested: AnySpec): boolean;
  isNeeded(): boolean;
  /** Sets the state to 'idle' until the figure is needed again. */
  reset(): void;
}

export interface Computation {
  /** Requests a computation. Only the newest pending request is computed. */
  run(request: AnySpec): void;
  fail(thrown: unknown): void;
  /** The last error, as reported to callers. */
  getLastError(): unknown;
  abort(): void;
  dispose(): void;
}

export function createComputation(kind: AnyKind, options: ComputationOptions): Computation {
  const { services, outcome, pace, encodings, pause, isWanted, isNeeded, reset } = options;
  const { languageModels } = services;
  const cache = new FigureCache();
  let controller: AbortController | undefined;
  let lastError: unknown;
  /** Whether the latest computation has obtained the engine. */
  let hasEngine = true;
  let restartsAtStart = 0;

  const watchdog = new EngineWatchdog((seconds) => {
    outcome.failure.value = { field: '', message: STRINGS.silent(seconds), isEngineFailure: true };
  });
  const fail = (thrown: unknown): void => {
    const failure = toFailure(thrown, kind, hasEngine);
    lastError = thrown instanceof SpecError ? thrown : new PhasorError(PhasorError.from(thrown).code, failure.message, failure);
    outcome.fail(failure, lastError);
  };
  const acquireEngine = async (requested: AnySpec) => {
    restartsAtStart = services.restartCount.peek();
    hasEngine = false;
    const engine = await services.engine(usesTrainedModel(kind, requested));
    hasEngine = true;
    if (!isWanted(requested) || !isNeeded()) throw new PhasorError('cancelled', 'the figure is no longer visible');
    encodings.value = engine.encodings;
    return engine;
  };
  const compute = async (spec: AnySpec): Promise<FigureResult> => {
    const engine = await acquireEngine(spec);
    controller = new AbortController();
    const { signal } = controller;
    const pacedComputation = await kind.trainable?.(spec);
    pace.value = pacedComputation?.watchedPace();
    // The user may pause this computation, so a missing response does not mean that the engine has failed.
    if (!pacedComputation) watchdog.reset();
    const results = await kind.compute(spec, {
      engine,
      vocabulary: services.vocabulary,
      photographs: services.photographs,
      createTrainer: services.createTrainer,
      diagnose: services.diagnose,
      corpus: services.corpus,
      models: services.models,
      languageModel: languageModels && (() => languageModels.get()),
      cache,
      pace: pace.peek()?.pace,
      signal,
      progress: (fraction) => {
        if (signal.aborted) return;
        outcome.progress.value = fraction;
        if (!pacedComputation) watchdog.reset();
      },
      partial: (results) => {
        if (!signal.aborted && isWanted(spec)) outcome.partial.value = { spec, results };
      },
    });
    if (pause && !outcome.computed.peek() && isWanted(spec)) {
      await pause();
      if (isWanted(spec)) {
        outcome.pending.value = { spec, results };
        await pause();
      }
    }
    return { spec, results };
  };

  return {
    run: coalesce(
      compute,
      (result, requested) => {
        watchdog.stop();
        // The result is dropped, because a newer spec is already being computed.
        if (isWanted(requested)) outcome.succeed(result);
      },
      (thrown, requested) => {
        watchdog.stop();
        // Errors of a replaced engine are ignored, because the new engine repeats the computation.
        if (!isWanted(requested) || restartsAtStart !== services.restartCount.peek()) return;
        if (isNeeded()) fail(thrown);
        else reset();
      },
      fail,
    ),
    fail,
    getLastError: () => lastError,
    abort: () => controller?.abort(),
    dispose() {
      watchdog.stop();
      controller?.abort();
      cache.dispose();
    },
  };
}

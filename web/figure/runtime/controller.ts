// A figure's fields, spec, results and errors, as signals.
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Cursor } from '../../charts/scene.ts';
import { PhasorError } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { PaceControls } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { type RawFields, SpecError } from '../contract/spec.ts';
import { createComputation } from './computation.ts';
import type { LanguageModels } from './language-models.ts';
import type { LinkGroup } from './link-group.ts';
import { createFigureOutcome, type Failure, type FigureResult, type FigureState } from './outcome.ts';
import { type AnySpec, createRequestedSpec, type RequestedSpec } from './requested-spec.ts';
import { debounce } from './scheduling.ts';
import type { PageEngine, Services } from './services.ts';

export type { FigureResult as Computed, FigureState };

export interface Figure extends RequestedSpec {
  readonly kind: AnyKind;
  readonly state: ReadonlySignal<FigureState>;
  /** The latest result. It is kept if the computation of a later spec fails. */
  readonly computed: ReadonlySignal<FigureResult | undefined>;
  /**
   * The first result, before it is set as `computed`. The scene is created in one task and drawn in the next, so that
   * the page stays responsive.
   */
  readonly pendingResult: ReadonlySignal<FigureResult | undefined>;
  /** The partial result of a running computation (see `KindContext.partial`). */
  readonly partial: ReadonlySignal<FigureResult | undefined>;
  /** The displayed result: the latest result, or the partial result while a model is being trained. */
  readonly shownResult: ReadonlySignal<FigureResult | undefined>;
  readonly pace: ReadonlySignal<PaceControls | undefined>;
  readonly failure: ReadonlySignal<Failure | undefined>;
  readonly cursor: Signal<Cursor>;
  readonly encodings: ReadonlySignal<readonly EncodingInfo[]>;
  /** Completed fraction of a long computation, from 0 to 1. */
  readonly progress: ReadonlySignal<number | undefined>;
  /** The language models of the page; undefined if the page has none. */
  readonly languageModels: LanguageModels | undefined;
  engine(): Promise<PageEngine>;
  /** Shows a figure of another kind on this page; undefined if the page links to that figure instead. */
  readonly openKind: Services['openKind'];
  /** Replaces the engine that all figures on the page share. */
  restart(): void;
  /** Retries loading the page's word vectors. */
  retryWords(): void;
  /** Whether the figure computes requested specs. An inactive figure computes only while a caller awaits `ready`. */
  readonly isActive: Signal<boolean>;
  /** Whether any part of the figure is visible. Otherwise, a change is computed only after a pause in the requests. */
  readonly isInView: Signal<boolean>;
  /** Resolves to the result for the requested spec. Rejects if it cannot be computed. */
  ready(): Promise<FigureResult>;
  dispose(): void;
}

export interface FigureOptions {
  readonly initialFields?: RawFields;
  readonly services: Services;
  readonly group?: LinkGroup;
  /** Fields that neither the user nor linked figures can change. */
  readonly lockedFields?: readonly string[];
  /**
   * Called before the first result is set as `pendingResult`, and again before it is set as `computed`. Default: no
   * pause.
   */
  readonly pause?: () => Promise<void>;
}

const createRemovedError = () => new PhasorError('cancelled', 'the figure was removed');

export function createFigure(kind: AnyKind, { initialFields = {}, services, group, lockedFields = [], pause }: FigureOptions): Figure {
  const outcome = createFigureOutcome();
  const { state, computed: result, isAwaited, failure } = outcome;
  const pace = signal<PaceControls | undefined>(undefined);
  const encodings = signal<readonly EncodingInfo[]>([]);
  const isActive = signal(false);
  const isInView = signal(true);
  const isNeeded = computed(() => isActive.value || isAwaited.value);
  /** The spec that was last computed or rejected, or is being computed. */
  let attemptedSpec: AnySpec | SpecError | undefined;
  let seenRestartCount = services.restartCount.peek();
  let isDisposed = false;

  const specInputs = createRequestedSpec(kind, {
    rawFields: initialFields,
    group,
    lockedFields,
    encodings,
    repeatCount: computed(
      () => services.wordRetryCount.value + (kind.showsLanguageModel ? (services.languageModels?.replacementCount.value ?? 0) : 0),
    ),
    nameOf: services.nameOf,
    getShownSpec: () => result.peek()?.spec,
  });
  const { spec } = specInputs;
  const reset = (): void => {
    attemptedSpec = undefined;
    outcome.reset();
  };
  const { run, fail, getLastError, ...runningComputation } = createComputation(kind, {
    services,
    outcome,
    pace,
    encodings,
    pause,
    isWanted: (requested) => !isDisposed && spec.peek() === requested,
    isNeeded: () => isNeeded.peek(),
    reset,
  });
  const debouncedRun = debounce(
    run,
    computed(() => isInView.value || isAwaited.value || result.value === undefined),
  );

  const stopEffect = effect(() => {
    const specOrError = spec.value;
    const isNeededNow = isNeeded.value;
    if (isDisposed) return;
    const { value: restartCount } = services.restartCount;
    // Resends unfinished and failed requests after a restart.
    if (restartCount !== seenRestartCount) {
      seenRestartCount = restartCount;
      attemptedSpec = undefined;
      if (failure.peek()?.isEngineFailure) failure.value = undefined;
    }
    const isNewSpec = specOrError !== attemptedSpec;
    if (isNewSpec) runningComputation.abort();
    const latestResult = result.peek();
    if (specOrError instanceof SpecError) {
      attemptedSpec = specOrError;
      if (isNewSpec) fail(specOrError);
    } else if (latestResult?.spec === specOrError) {
      // The latest result is for the requested spec, for example after a change was undone.
      attemptedSpec = specOrError;
      if (state.peek() !== 'ready') outcome.succeed(latestResult);
    } else if (!isNeededNow) {
      if (isNewSpec && state.peek() !== 'idle') reset();
    } else if (isNewSpec || state.peek() !== 'computing') {
      attemptedSpec = specOrError;
      state.value = 'computing';
      debouncedRun.submit(specOrError);
    }
  });

  return {
    kind,
    state,
    computed: result,
    pendingResult: outcome.pending,
    partial: outcome.partial,
    shownResult: kind.trainable ? computed(() => outcome.partial.value ?? result.value) : result,
    pace,
    failure,
    progress: outcome.progress,
    ...specInputs,
    cursor: group?.cursor ?? signal<Cursor>({}),
    encodings,
    isActive,
    isInView,
    languageModels: services.languageModels,
    engine: () => services.engine(),
    openKind: services.openKind,
    restart: () => services.restart(),
    retryWords: () => services.retryWords(),
    ready() {
      if (isDisposed) return Promise.reject(createRemovedError());
      const specOrError = spec.peek();
      const latestResult = result.peek();
      if (latestResult?.spec === specOrError && state.peek() === 'ready') return Promise.resolve(latestResult);
      if (state.peek() === 'failed' && attemptedSpec === specOrError) return Promise.reject(getLastError());
      return outcome.wait();
    },
    dispose() {
      isDisposed = true;
      stopEffect();
      debouncedRun.dispose();
      runningComputation.dispose();
      outcome.abandon(createRemovedError());
    },
  };
}

// Starts an element's figure. When the element is near the viewport, its figure kind is loaded and its results are computed.
import { computed, effect } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';
import type { FigureElementState } from '../contract/element-types.ts';
import type { AnyKind } from '../contract/registry.ts';
import type { RawFields } from '../contract/spec.ts';
import { createFigure } from '../runtime/controller.ts';
import { enqueueTask, waitForNextTask } from '../runtime/scheduling.ts';
import type { Services } from '../runtime/services.ts';
import type { View } from './view-state.ts';

/**
 * A margin of one screen around the window or, if the browser supports scrollMargin, around the scroll container. If both were set, the
 * margins would add up.
 */
const NEAR_MARGIN = '100% 0px';
const NEAR_OPTIONS: IntersectionObserverInit & { readonly scrollMargin?: string } =
  'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: NEAR_MARGIN } : { rootMargin: NEAR_MARGIN };

export interface VisibilityObserver {
  watch(element: Element): void;
  /** Stops observing, and marks the element as neither near nor visible. */
  end(): void;
}

/** Updates the view's signals when the element comes near the viewport, becomes visible, or leaves. */
export function observeVisibility({ isNear: near, isInView }: View): VisibilityObserver {
  /** The state last reported by the browser. The view's signal is updated in a later task. */
  let isNear = false;
  const nearObserver = new IntersectionObserver((entries) => {
    isNear = entries.at(-1)?.isIntersecting ?? false;
    if (!isNear) near.value = false;
    else if (!near.peek())
      enqueueTask(() => {
        near.value = isNear;
      });
  }, NEAR_OPTIONS);
  const visibilityObserver = new IntersectionObserver((entries) => {
    isInView.value = entries.at(-1)?.isIntersecting ?? false;
  });
  return {
    watch(element) {
      nearObserver.observe(element);
      visibilityObserver.observe(element);
    },
    end() {
      nearObserver.disconnect();
      visibilityObserver.disconnect();
      isNear = false;
      near.value = false;
      isInView.value = false;
    },
  };
}

export class PendingKind {
  #fetch: (() => Promise<void>) | undefined;
  #pending: Promise<void> | undefined;

  /** Stores the loader of a figure kind. If `isRequested`, calls it in a separate task. */
  schedule(fetch: () => Promise<void>, isRequested: boolean): void {
    this.#fetch = fetch;
    if (!isRequested) return;
    enqueueTask(() => {
      if (this.#fetch === fetch) void this.ensureLoaded();
    });
  }

  /**
   * Starts loading the figure kind, unless loading has already started.
   * @returns resolves when the kind is loaded or loading has failed
   */
  ensureLoaded(): Promise<void> | undefined {
    const fetch = this.#fetch;
    this.#fetch = undefined;
    if (fetch) this.#pending = fetch();
    return this.#pending;
  }
}

/** Returns a figure's state. Effects that call it run again when the state changes. */
export function getFigureState({ specError, internalError, figure }: View): FigureElementState {
  if (specError.value || internalError.value !== undefined) return 'failed';
  return figure.value?.state.value ?? 'idle';
}

export interface FigureReadiness {
  /** Resolves when the element is connected and its figure kind has loaded or failed to load. */
  whenStarted(): Promise<void>;
  whenShown(): Promise<unknown>;
  isConnected(): boolean;
}

/** Waits until the current figure's results are displayed. Rejects if they cannot be computed. */
export async function waitUntilReady(
  { specError, figure: figureSignal, internalError }: View,
  { whenStarted, whenShown, isConnected }: FigureReadiness,
): Promise<void> {
  for (;;) {
    await whenStarted();
    const problem = specError.peek();
    if (problem) throw problem;
    const figure = figureSignal.peek();
    try {
      await figure?.ready();
      await whenShown();
      if (figureSignal.peek() !== figure) continue;
      const message = internalError.peek();
      if (message !== undefined) throw new Error(message);
      return;
    } catch (thrown) {
      // If the figure has been replaced, for example because its kind has changed, waits for the new figure.
      if (figureSignal.peek() === figure || !isConnected()) throw thrown;
    }
  }
}

export interface StartOptions {
  readonly rawFields: RawFields;
  readonly services: Services;
  readonly group: string | undefined;
  /** The folder of trained models; default: the page's folder of models. */
  readonly modelsFolder: string | undefined;
  reflect(state: FigureElementState): void;
}

/** Resolves when the figure may replace its placeholder, or when it is no longer near the viewport. */
function whenReplaceable({ isPending, isNear }: View): Promise<void> {
  return new Promise((resolve) => {
    const isSettled = computed(() => !isPending.value || !isNear.value);
    const unsubscribe = isSettled.subscribe((settled) => {
      if (!settled) return;
      resolve();
      queueMicrotask(() => unsubscribe());
    });
  });
}

/**
 * Creates the figure in `view.figure`, or sets it to undefined if the kind is unknown. The figure computes only while its element is within
 * one screen of the window. `reflect` is called with the state whenever it changes.
 * @returns a function that ends the figure
 */
export function startFigure(
  view: View,
  kind: AnyKind | undefined,
  { rawFields, services: pageServices, group: groupName, modelsFolder, reflect }: StartOptions,
): () => void {
  const { settings, isNear, isInView, internalError } = view;
  const { models } = pageServices;
  const services = modelsFolder === undefined || !models ? pageServices : { ...pageServices, models: () => models(modelsFolder) };
  // Delays the first results until the placeholder can be replaced, and then until the next task.
  const waitForStart = async (): Promise<void> => {
    await whenReplaceable(view);
    await waitForNextTask();
  };
  const newFigure =
    kind &&
    createFigure(kind, {
      initialFields: rawFields,
      services,
      lockedFields: settings.peek().lock,
      group: services.joinGroup(groupName),
      pause: waitForStart,
    });
  view.figure.value = newFigure;
  view.player.value = undefined;
  let hasEnded = false;
  if (newFigure?.kind.playback) {
    import('../surface/play.ts').then(
      ({ createPlayer }) => {
        if (!hasEnded) view.player.value = createPlayer(newFigure, () => (view.announcement.value = view.readout.peek()));
      },
      (thrown: unknown) => {
        internalError.value = messageOf(thrown);
      },
    );
  }
  const disposeEffects = [
    // New results clear the error of the previous ones.
    effect(() => {
      if (newFigure?.computed.value) internalError.value = undefined;
    }),
    effect(() => {
      if (newFigure) newFigure.isActive.value = isNear.value;
    }),
    effect(() => {
      if (newFigure) newFigure.isInView.value = isInView.value;
    }),
    effect(() => reflect(getFigureState(view))),
  ];
  return () => {
    for (const dispose of disposeEffects) dispose();
    hasEnded = true;
    view.player.peek()?.dispose();
    newFigure?.dispose();
    services.leaveGroup(groupName);
  };
}

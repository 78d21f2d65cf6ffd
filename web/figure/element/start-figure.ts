// Starts the figure of an element. Near the viewport, its kind is loaded and its numbers are computed.
import { computed, effect } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';
import type { FigureElementState } from '../contract/element-types.ts';
import type { AnyKind } from '../contract/registry.ts';
import type { RawFields } from '../contract/spec.ts';
import { createFigure } from '../runtime/controller.ts';
import { enqueueTask, waitForNextTask } from '../runtime/scheduling.ts';
import type { Services } from '../runtime/services.ts';
import type { View } from './view-state.ts';

/** A margin of one screen around the window, or around the scroll container in browsers that support that. With both, the margins would add up. */
const NEAR_MARGIN = '100% 0px';
const NEAR_OPTIONS: IntersectionObserverInit & { readonly scrollMargin?: string } =
  'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: NEAR_MARGIN } : { rootMargin: NEAR_MARGIN };

export interface VisibilityObserver {
  watch(element: Element): void;
  /** Stops observing, and reports the element as neither near nor visible. */
  end(): void;
}

/** Observes whether an element is near the viewport and whether it is visible, and updates the signals of the view. */
export function observeVisibility({ isNear: near, isInView }: View): VisibilityObserver {
  /** Whether the element is near the viewport, as last reported by the browser; a later task copies it to the signal. */
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

// A kind that is loaded on demand.

export class PendingKind {
  #fetch: (() => Promise<void>) | undefined;
  #pending: Promise<void> | undefined;

  /** Stores the loader, which runs on demand in a separate task. */
  schedule(fetch: () => Promise<void>, isRequested: boolean): void {
    this.#fetch = fetch;
    if (!isRequested) return;
    enqueueTask(() => {
      if (this.#fetch === fetch) void this.ensureLoaded();
    });
  }

  /**
   * Starts loading, at most once.
   * @returns resolves when the kind is loaded or loading has failed
   */
  ensureLoaded(): Promise<void> | undefined {
    const fetch = this.#fetch;
    this.#fetch = undefined;
    if (fetch) this.#pending = fetch();
    return this.#pending;
  }
}

/** Returns the state of a figure. Must be called in an effect, which then depends on the state. */
export function getFigureState({ specError, internalError, figure }: View): FigureElementState {
  if (specError.value || internalError.value !== undefined) return 'failed';
  return figure.value?.state.value ?? 'idle';
}

export interface FigureReadiness {
  /** Resolves when the element is connected and all previously requested work has started. */
  whenStarted(): Promise<void>;
  /** Resolves when the element shows the computed numbers. */
  whenShown(): Promise<unknown>;
  isConnected(): boolean;
}

/** Waits until the numbers of the newest figure are shown, and throws on failure. */
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
      // If another kind or group was requested meanwhile, the new figure is awaited instead.
      if (figureSignal.peek() === figure || !isConnected()) throw thrown;
    }
  }
}

export interface StartOptions {
  readonly rawFields: RawFields;
  readonly services: Services;
  readonly group: string | undefined;
  /** The folder of trained models; default: the folder of the page. */
  readonly modelsFolder: string | undefined;
  reflect(state: FigureElementState): void;
}

/** Resolves when the figure can replace its placeholder, or is no longer near the viewport. */
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
 * one screen of the window, and the element reflects its state.
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
  // Before it shows its first numbers, the figure waits until it can replace its placeholder, and then for a new task.
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
    // New numbers clear the error of the previous ones.
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

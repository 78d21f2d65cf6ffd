// The beginning and the end of a figure in its element: it computes while it is near sight, and its state is followed.
import { computed, effect } from '@preact/signals-core';
import { messageOf } from '../../engine/errors/thrown.ts';
import type { FigureElementState } from '../contract/element-types.ts';
import type { AnyKind } from '../contract/registry.ts';
import type { Given } from '../contract/spec.ts';
import { createFigure } from '../runtime/controller.ts';
import type { Services } from '../runtime/services.ts';
import { nextTask } from '../runtime/task-queue.ts';
import { stateOf } from './readiness.ts';
import type { View } from './view-state.ts';

export interface Start {
  readonly given: Given;
  readonly services: Services;
  /** The name of its link group. */
  readonly group: string | undefined;
  /** The folder of trained models; default: that of the page. */
  readonly models: string | undefined;
  reflect(state: FigureElementState): void;
}

/** Until there is something behind the placeholder that can show numbers. One that goes out of sight has no need of it. */
function shownBehind({ isPending, near }: View): Promise<void> {
  return new Promise((resolve) => {
    const isSettled = computed(() => !isPending.value || !near.value);
    const stop = isSettled.subscribe((settled) => {
      if (!settled) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

/** Puts a figure into `view.figure`, none without a kind. @returns what ends it */
export function startFigure(
  view: View,
  kind: AnyKind | undefined,
  { given, services: page, group: name, models: folder, reflect }: Start,
): () => void {
  const { settings, near, inView, broken } = view;
  const { models } = page;
  const services = folder === undefined || !models ? page : { ...page, models: () => models(folder) };
  // What is made for the first numbers is made in tasks before them, and what they need in tasks of their own.
  const pause = async (): Promise<void> => {
    await shownBehind(view);
    await nextTask();
  };
  const made = kind && createFigure(kind, { given, services, locked: settings.peek().lock, group: services.group(name), pause });
  view.figure.value = made;
  view.player.value = undefined;
  let isOver = false;
  if (made?.kind.play) {
    import('../surface/play.ts').then(
      ({ createPlayer }) => {
        if (!isOver) view.player.value = createPlayer(made, () => (view.spoken.value = view.readout.peek()));
      },
      (thrown: unknown) => {
        broken.value = messageOf(thrown);
      },
    );
  }
  const ends = [
    // Other numbers may be drawn all the same.
    effect(() => {
      if (made?.computed.value) broken.value = undefined;
    }),
    effect(() => {
      if (made) made.active.value = near.value;
    }),
    effect(() => {
      if (made) made.inView.value = inView.value;
    }),
    effect(() => reflect(stateOf(view))),
  ];
  return () => {
    for (const end of ends) end();
    isOver = true;
    view.player.peek()?.dispose();
    made?.dispose();
    services.leave(name);
  };
}

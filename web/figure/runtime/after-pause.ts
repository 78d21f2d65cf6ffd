// What nobody looks at waits until a slider rests, so that it does not delay what is in view.
import { effect, type ReadonlySignal, untracked } from '@preact/signals-core';

/** How long nothing else must have been asked for, ms. */
const PAUSE = 150;

export interface AfterPause<Input> {
  /** The latest input replaces one that waits. */
  ask(input: Input): void;
  dispose(): void;
}

/** Calls `run` at once while `isUrgent`, and otherwise, or as soon as it is, when nothing was asked for during a pause. */
export function afterPause<Input>(run: (input: Input) => void, isUrgent: ReadonlySignal<boolean>): AfterPause<Input> {
  let waiting: { readonly input: Input } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(timer);
    const asked = waiting;
    waiting = undefined;
    if (asked) run(asked.input);
  };
  const stop = effect(() => {
    if (isUrgent.value) untracked(now);
  });
  return {
    ask(input) {
      waiting = { input };
      clearTimeout(timer);
      if (isUrgent.peek()) now();
      else timer = setTimeout(now, PAUSE);
    },
    dispose() {
      stop();
      clearTimeout(timer);
    },
  };
}

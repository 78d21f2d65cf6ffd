// When a figure is ready, and what state it is in until then.
import type { FigureElementState } from '../contract/element-types.ts';
import type { View } from './view-state.ts';

/** To be called in an effect where it is to be followed. */
export function stateOf({ unknown, broken, figure }: View): FigureElementState {
  if (unknown.value || broken.value !== undefined) return 'failed';
  return figure.value?.state.value ?? 'idle';
}

export interface Readying {
  /** The element is in a page, and what was asked of it by then has begun. */
  begun(): Promise<void>;
  /** The element shows what was computed. */
  shown(): Promise<unknown>;
  isConnected(): boolean;
}

/** Waits until the numbers of the newest figure are shown, and throws what prevents it. */
export async function untilReady({ unknown, figure: current, broken }: View, { begun, shown, isConnected }: Readying): Promise<void> {
  for (;;) {
    await begun();
    const problem = unknown.peek();
    if (problem) throw problem;
    const figure = current.peek();
    try {
      await figure?.ready();
      await shown();
      if (current.peek() !== figure) continue;
      const fault = broken.peek();
      if (fault !== undefined) throw new Error(fault);
      return;
    } catch (thrown) {
      // Another kind or group was asked for meanwhile: that is what is waited for.
      if (current.peek() === figure || !isConnected()) throw thrown;
    }
  }
}

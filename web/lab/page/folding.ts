// If there is no space for parameters beside the figures, they are folded behind a button, so that the picture stays visible.
import { computed, effect, signal } from '@preact/signals-core';
import { inputError } from '../state/store.ts';
import { stacked } from '../state/ui-state.ts';

/** Whether the reader has opened them, or they have an error. */
export const unfolded = signal(false);
export const folded = computed(() => stacked.value && !unfolded.value);

effect(() => {
  if (inputError.value) unfolded.value = true;
});

// Parameters are folded behind a button if there is no space next to the figures, so that the picture stays visible.
import { computed, effect, signal } from '@preact/signals-core';
import { inputError } from '../state/store.ts';
import { isStacked } from '../state/ui-state.ts';

export const isUnfolded = signal(false);
export const isFolded = computed(() => isStacked.value && !isUnfolded.value);

effect(() => {
  if (inputError.value) isUnfolded.value = true;
});

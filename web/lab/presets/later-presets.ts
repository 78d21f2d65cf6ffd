// The presets of Compare are loaded with that question, because the first picture needs none of them.
import { computed, signal } from '@preact/signals-core';
import { reportPageError } from '../state/page-error.ts';
import type { LabState } from '../state/state.ts';
import { state } from '../state/store.ts';
import type { Preset } from './presets.ts';

type Find = (state: LabState) => Preset | undefined;
const find = signal<Find | undefined>(undefined);
let requested = false;

/** The displayed preset, once the list is loaded. */
export const presetNow = computed(() => find.value?.(state.value));

export function needPresets(): void {
  if (requested) return;
  requested = true;
  import('./conventions.ts').then(
    ({ defineConventions, presetOf }) => {
      defineConventions();
      find.value = presetOf;
    },
    (thrown: unknown) => {
      requested = false;
      reportPageError(thrown);
    },
  );
}

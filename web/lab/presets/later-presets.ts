// Loads the presets when the Compare question is opened, because the first picture does not need them.
import { computed, signal } from '@preact/signals-core';
import { reportPageError } from '../state/page-error.ts';
import type { LabState } from '../state/state.ts';
import { state } from '../state/store.ts';
import type { Preset } from './presets.ts';

type PresetFinder = (state: LabState) => Preset | undefined;
const presetFinder = signal<PresetFinder | undefined>(undefined);
let isRequested = false;

/** The preset that matches the state; undefined if there is none or the list is not loaded. */
export const activePreset = computed(() => presetFinder.value?.(state.value));

export function loadPresets(): void {
  if (isRequested) return;
  isRequested = true;
  import('./conventions.ts').then(
    ({ defineConventions, presetOf }) => {
      defineConventions();
      presetFinder.value = presetOf;
    },
    (thrown: unknown) => {
      isRequested = false;
      reportPageError(thrown);
    },
  );
}

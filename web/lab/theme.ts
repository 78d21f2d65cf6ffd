// Light or dark theme: by the system's preference, or by choice.
import { computed, effect, signal } from '@preact/signals-core';
import type { Theme } from '../views/picture.ts';

export const CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof CHOICES)[number];

const NAME = 'phasor-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

// A page opened from disk may have no storage; the choice is then not persisted.
function stored(): ThemeChoice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(NAME)) ?? 'system';
  } catch {
    return 'system';
  }
}

const systemDark = signal(dark.matches);
dark.addEventListener('change', () => {
  systemDark.value = dark.matches;
});

export const themeChoice = signal<ThemeChoice>(stored());
export const theme = computed((): Theme => (themeChoice.value === 'system' ? (systemDark.value ? 'dark' : 'light') : themeChoice.value));

effect(() => {
  const choice = themeChoice.value;
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
});

export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice;
  try {
    localStorage.setItem(NAME, choice);
  } catch {
    // Without storage the choice is not persisted.
  }
}

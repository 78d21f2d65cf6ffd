// The theme, which applies to all pages of the site. This module does not import signals, because it is the first module that a page
// runs.
export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const THEME_KEY = 'phasor-theme';

// Returns the stored choice. Pages opened from disk may have no access to localStorage.
export function readStoredTheme(): ThemeChoice {
  try {
    return THEME_CHOICES.find((choice) => choice === localStorage.getItem(THEME_KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

/** Applies a theme to this page, and stores it for pages that are opened later. */
export function chooseTheme(choice: ThemeChoice): void {
  applyTheme(choice);
  try {
    localStorage.setItem(THEME_KEY, choice);
  } catch {
    // Without storage, the choice applies only to this page.
  }
}

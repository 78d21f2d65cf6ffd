// Restores the state that the website saved in this file, unless the URL already contains a state.

/** Writes the saved state to the URL. Must be called before the URL is read. */
export function restoreSavedState(): void {
  const { saved } = document.documentElement.dataset;
  if (saved && location.hash === '') location.replace(`#${saved}`);
}

// Restores the state that was saved in a file from the website, unless the URL of the file has a state.

/** Writes the saved state to the URL. Must be called before the URL is read. */
export function restoreSavedState(): void {
  const { saved } = document.documentElement.dataset;
  if (saved && location.hash === '') location.replace(`#${saved}`);
}

// A file that was saved from the website opens with the saved state, unless its URL has another.

/** Must be called before the URL is read. */
export function openSaved(): void {
  const { saved } = document.documentElement.dataset;
  if (saved && location.hash === '') location.replace(`#${saved}`);
}

// A file that was saved from the website opens with what was seen there, unless its address says otherwise.

/** Call before anything reads the address. */
export function openSaved(): void {
  const { saved } = document.documentElement.dataset;
  if (saved && location.hash === '') location.replace(`#${saved}`);
}

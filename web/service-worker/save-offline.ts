// Saves the page with its current state as one file that runs from disk. The files without a state are in the folder offline/ of the site.
import { escapeMarkup } from '../charts/escaped.ts';
import { siteRoot } from './site-root.ts';
import { SITE_COPY_STRINGS as STRINGS } from './strings.ts';

/** The attribute of the <html> element that the saved state follows (web/standalone/saved-state.ts). */
const START = ' lang="en"';

/**
 * Inserts a URL fragment as the initial state into the text of a file, with a function, because the fragment may contain replacement patterns.
 */
export const openingWith = (text: string, state: string): string =>
  state === '' ? text : text.replace(START, () => `${START} data-saved="${escapeMarkup(state)}"`);

function download(text: string, name: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/**
 * Makes the browser save a file of the offline edition.
 * @param state the initial state, a URL fragment
 * @returns a sentence on the result, also on failure
 */
export async function saveOffline(name: string, state: string): Promise<string> {
  let result: Response;
  try {
    result = await fetch(new URL(`offline/${name}`, siteRoot()));
  } catch {
    return STRINGS.unreachable(name);
  }
  const text = result.ok ? await result.text().catch(() => undefined) : '';
  if (text === undefined) return STRINGS.unreachable(name);
  // Some servers respond with an error page if there is no file.
  if (!(result.ok && text.includes(START) && text.includes('data-edition="offline"'))) return STRINGS.missing(name);
  download(openingWith(text, state), name);
  return STRINGS.saved(name);
}

// Saves the page as one file that runs from disk, with its current state. Such files are in the folder offline/ of the site.
import { escaped } from '../charts/escaped.ts';
import { siteRoot } from './site-root.ts';
import { SITE_COPY_STRINGS as STRINGS } from './strings.ts';

/** The first attribute of this name belongs to the <html> element; the saved state is inserted after it (web/standalone/saved-state.ts). */
const START = ' lang="en"';

/**
 * The file with this URL fragment as its initial state. The fragment is inserted by a function, because it may contain special characters
 * of replacements.
 */
export const openingWith = (text: string, state: string): string =>
  state === '' ? text : text.replace(START, () => `${START} data-saved="${escaped(state)}"`);

function download(text: string, name: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/**
 * Makes the browser save a file of the offline edition.
 * @param state its initial state: a URL fragment
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

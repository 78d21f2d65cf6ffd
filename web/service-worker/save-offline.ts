// The page as one file that runs from disk, with what is seen now in it. Such files lie in the folder offline/ of the site.
import { escaped } from '../charts/escaped.ts';
import { siteRoot } from './site-root.ts';
import { SITE_COPY_STRINGS as STRINGS } from './strings.ts';

/** The first attribute of this name is that of the whole file, wherever others are; what was seen is written behind it (web/standalone/saved-state.ts). */
const START = ' lang="en"';

/** The file, opening with this fragment of an address. A fragment may have any letters, also those that mean something in a replacement. */
export const openingWith = (text: string, state: string): string =>
  state === '' ? text : text.replace(START, () => `${START} data-saved="${escaped(state)}"`);

function download(text: string, name: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/**
 * Has the browser save a file of the offline edition.
 * @param state what it opens with: the fragment of an address
 * @returns a sentence that says what happened, also where the file could not be had
 */
export async function saveOffline(name: string, state: string): Promise<string> {
  let answer: Response;
  try {
    answer = await fetch(new URL(`offline/${name}`, siteRoot()));
  } catch {
    return STRINGS.unreachable(name);
  }
  const text = answer.ok ? await answer.text().catch(() => undefined) : '';
  if (text === undefined) return STRINGS.unreachable(name);
  // Some servers answer with a page of their own where there is no file.
  if (!(answer.ok && text.includes(START) && text.includes('data-edition="offline"'))) return STRINGS.missing(name);
  download(openingWith(text, state), name);
  return STRINGS.saved(name);
}

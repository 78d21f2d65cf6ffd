// Downloads the page in its current state as a single file that works without a server. The folder offline/ of the site contains these
// files without a saved state.
import { escapeMarkup } from '../charts/escaped.ts';
import { getSiteRoot } from './site-root.ts';
import { SITE_COPY_STRINGS as STRINGS } from './strings.ts';

/** The saved state is inserted after this attribute of the <html> element. It is read by web/standalone/saved-state.ts. */
const STATE_ANCHOR = ' lang="en"';

/**
 * Inserts a URL fragment into an HTML file as its initial state. The replacement is a function, because the fragment may contain patterns
 * such as $&.
 */
export const insertInitialState = (text: string, state: string): string =>
  state === '' ? text : text.replace(STATE_ANCHOR, () => `${STATE_ANCHOR} data-saved="${escapeMarkup(state)}"`);

function downloadFile(text: string, name: string): void {
  const fileUrl = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
  Object.assign(document.createElement('a'), { href: fileUrl, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(fileUrl), 10_000);
}

/**
 * Downloads a file of the offline edition.
 * @param state the initial state, a URL fragment
 * @returns a message about success or failure
 */
export async function saveOffline(name: string, state: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(new URL(`offline/${name}`, getSiteRoot()));
  } catch {
    return STRINGS.serverUnreachable(name);
  }
  const text = response.ok ? await response.text().catch(() => undefined) : '';
  if (text === undefined) return STRINGS.serverUnreachable(name);
  // If the file does not exist, some servers respond with an error page.
  if (!(response.ok && text.includes(STATE_ANCHOR) && text.includes('data-edition="offline"'))) return STRINGS.fileMissing(name);
  downloadFile(insertInitialState(text, state), name);
  return STRINGS.fileSaved(name);
}

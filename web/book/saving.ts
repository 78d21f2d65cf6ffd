// Sets up the download buttons of the offline edition. The downloaded book opens at the current page.
import { saveOffline } from '../service-worker/save-offline.ts';
import { SITE_COPY_STRINGS as STRINGS } from '../service-worker/strings.ts';
import { currentPage } from './site.ts';

/** Returns the id of this page, or of the section in its URL, in the single-file book (scripts/standalone/book.mjs). */
function getPageId(): string {
  const page = currentPage().replace(/\/$/, '').replaceAll('/', '-');
  if (page === '') return 'contents';
  return location.hash === '' ? page : `${page}--${location.hash.slice(1)}`;
}

export function addSaveButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-save]')) {
    const file = button.dataset.save as string;
    const message = document.createElement('span');
    message.setAttribute('role', 'status');
    button.after(' ', message);
    button.hidden = false;
    button.addEventListener('click', async () => {
      message.textContent = STRINGS.preparingDownload;
      message.textContent = await saveOffline(file, file === 'book.html' ? getPageId() : '');
    });
  }
}

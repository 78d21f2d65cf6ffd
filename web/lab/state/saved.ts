// Links that the user has saved in this browser as the steps of a lecture.
import { signal } from '@preact/signals-core';
import { type StorageResult, storeText } from '../../service-worker/page-storage.ts';

const STORAGE_KEY = 'phasor-saved';

// Returns the stored links. Without storage, for example on a page opened from disk, links are kept only in memory.
function readStoredLinks(): readonly string[] {
  try {
    const storedValue: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(storedValue) ? storedValue.filter((link): link is string => typeof link === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether the links are stored, or why not. Links that are not stored are lost when the page is closed. */
export const storageResult = signal<StorageResult>('stored');

/** The saved links, as URL fragments in lecture order. */
export const savedLinks = signal<readonly string[]>(readStoredLinks());

/** The steps before the last deletion, which can be undone until the next change. */
export const linksBeforeDeletion = signal<readonly string[] | undefined>(undefined);

function storeLinks(links: readonly string[], linksBefore?: readonly string[]): void {
  savedLinks.value = links;
  linksBeforeDeletion.value = linksBefore;
  storageResult.value = storeText(STORAGE_KEY, JSON.stringify(links));
}

/** Returns the current links, including changes by other tabs. */
const readCurrentLinks = (): readonly string[] => (storageResult.peek() === 'stored' ? readStoredLinks() : savedLinks.peek());

/** Appends a link to the lecture, or moves it to the end if it is already saved. */
export const saveLink = (link: string): void => storeLinks([...readCurrentLinks().filter((savedLink) => savedLink !== link), link]);

/** Inserts a shared lecture's steps before the saved steps. */
export const saveLecture = (links: readonly string[]): void =>
  storeLinks([...new Set(links), ...readCurrentLinks().filter((savedLink) => !links.includes(savedLink))]);

export function moveLink(link: string, offset: number): void {
  const links = [...readCurrentLinks()];
  const index = links.indexOf(link);
  if (index < 0 || index + offset < 0 || index + offset >= links.length) return;
  links.splice(index, 1);
  links.splice(index + offset, 0, link);
  storeLinks(links);
}

export const deleteLink = (link: string): void => {
  const previousLinks = readCurrentLinks();
  storeLinks(
    previousLinks.filter((savedLink) => savedLink !== link),
    previousLinks,
  );
};

export const deleteAllLinks = (): void => storeLinks([], readCurrentLinks());

export const undoDeletion = (): void => {
  const restorableLinks = linksBeforeDeletion.peek();
  if (restorableLinks) storeLinks(restorableLinks);
};

addEventListener('storage', ({ key }) => {
  // The key is null if `localStorage.clear()` was called.
  if (key !== STORAGE_KEY && key !== null) return;
  savedLinks.value = readStoredLinks();
  linksBeforeDeletion.value = undefined;
});

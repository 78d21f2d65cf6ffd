// Links that the reader has saved in this browser. They are the steps of a lecture.
import { signal } from '@preact/signals-core';
import { type StorageResult, storeText } from '../../service-worker/page-storage.ts';

const STORAGE_KEY = 'phasor-saved';

// Reads the stored links. If storage is unavailable, for example for a page opened from disk, links are only kept in memory.
function readStoredLinks(): readonly string[] {
  try {
    const storedValue: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(storedValue) ? storedValue.filter((link): link is string => typeof link === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether the links are stored. If not, they are lost when the page is closed. */
export const storageResult = signal<StorageResult>('stored');

/** The saved links: fragments of URLs, in the order of the lecture. */
export const savedLinks = signal<readonly string[]>(readStoredLinks());

/** The steps before the last deletion. They can be restored until the next change. */
export const linksBeforeDeletion = signal<readonly string[] | undefined>(undefined);

function storeLinks(links: readonly string[], linksBefore?: readonly string[]): void {
  savedLinks.value = links;
  linksBeforeDeletion.value = linksBefore;
  storageResult.value = storeText(STORAGE_KEY, JSON.stringify(links));
}

/** Returns the current links, including changes by other tabs. */
const readCurrentLinks = (): readonly string[] => (storageResult.peek() === 'stored' ? readStoredLinks() : savedLinks.peek());

/** Saves a link at the end of the lecture, at most once. */
export const saveLink = (link: string): void => storeLinks([...readCurrentLinks().filter((savedLink) => savedLink !== link), link]);

/** Inserts the steps of a shared lecture before the saved steps. */
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
  // The key is null if the whole storage was cleared.
  if (key !== STORAGE_KEY && key !== null) return;
  savedLinks.value = readStoredLinks();
  linksBeforeDeletion.value = undefined;
});

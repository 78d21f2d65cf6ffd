// Links that the reader has saved in this browser: the steps of a lecture.
import { signal } from '@preact/signals-core';
import { type StorageResult, storeText } from '../../service-worker/page-storage.ts';

const STORAGE_KEY = 'phasor-saved';

// Reads the stored links. A page opened from disk, or without storage, keeps links in memory.
function readStored(): readonly string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(list) ? list.filter((link): link is string => typeof link === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether the links are stored. If not, they are lost when the page is closed. */
export const storageResult = signal<StorageResult>('kept');

/** The saved links: fragments of URLs, in the order of the lecture. */
export const savedLinks = signal<readonly string[]>(readStored());

/** The steps before the last deletion, which can be restored until the next change. */
export const beforeDeletion = signal<readonly string[] | undefined>(undefined);

function storeLinks(links: readonly string[], deletedFrom?: readonly string[]): void {
  savedLinks.value = links;
  beforeDeletion.value = deletedFrom;
  storageResult.value = storeText(STORAGE_KEY, JSON.stringify(links));
}

/** The current links, including changes that another tab has saved. */
const currentLinks = (): readonly string[] => (storageResult.peek() === 'kept' ? readStored() : savedLinks.peek());

/** Saves a link at the end of the lecture, at most once. */
export const saveLink = (link: string): void => storeLinks([...currentLinks().filter((savedLink) => savedLink !== link), link]);

/** Inserts the steps of a shared lecture before the others. */
export const saveLecture = (links: readonly string[]): void =>
  storeLinks([...new Set(links), ...currentLinks().filter((savedLink) => !links.includes(savedLink))]);

export function moveLink(link: string, by: number): void {
  const links = [...currentLinks()];
  const at = links.indexOf(link);
  if (at < 0 || at + by < 0 || at + by >= links.length) return;
  links.splice(at, 1);
  links.splice(at + by, 0, link);
  storeLinks(links);
}

export const deleteLink = (link: string): void => {
  const previous = currentLinks();
  storeLinks(
    previous.filter((savedLink) => savedLink !== link),
    previous,
  );
};

export const deleteAllLinks = (): void => storeLinks([], currentLinks());

export const undoDeletion = (): void => {
  const restorableLinks = beforeDeletion.peek();
  if (restorableLinks) storeLinks(restorableLinks);
};

// Another tab may have changed the links.
addEventListener('storage', ({ key }) => {
  // The key is null if the whole storage was cleared.
  if (key !== STORAGE_KEY && key !== null) return;
  savedLinks.value = readStored();
  beforeDeletion.value = undefined;
});

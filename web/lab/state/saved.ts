// Links that the reader has saved in this browser: the steps of a lecture.
import { signal } from '@preact/signals-core';
import { type StorageResult, storeText } from '../../service-worker/page-storage.ts';

const NAME = 'phasor-saved';

// Reads the stored links. A page opened from disk, or without storage, keeps links in memory.
function stored(): readonly string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(list) ? list.filter((link): link is string => typeof link === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether links are stored, or will be lost when this page is closed. */
export const keeping = signal<StorageResult>('kept');

/** The saved links: fragments of URLs, in the order of the lecture. */
export const savedLinks = signal<readonly string[]>(stored());

/** The steps before the last deletion, which can be restored until the next change. */
export const beforeDeletion = signal<readonly string[] | undefined>(undefined);

function keep(links: readonly string[], before?: readonly string[]): void {
  savedLinks.value = links;
  beforeDeletion.value = before;
  keeping.value = storeText(NAME, JSON.stringify(links));
}

/** The current links, including changes that another tab has saved. */
const current = (): readonly string[] => (keeping.peek() === 'kept' ? stored() : savedLinks.peek());

/** Saves a link, once. */
export const saveLink = (link: string): void => keep([...current().filter((one) => one !== link), link]);

/** Inserts the steps of a shared lecture before the others. */
export const saveLecture = (links: readonly string[]): void =>
  keep([...new Set(links), ...current().filter((one) => !links.includes(one))]);

/** Moves a step by a number of positions. */
export function moveLink(link: string, by: number): void {
  const links = [...current()];
  const at = links.indexOf(link);
  if (at < 0 || at + by < 0 || at + by >= links.length) return;
  links.splice(at, 1);
  links.splice(at + by, 0, link);
  keep(links);
}

export const deleteLink = (link: string): void => {
  const previous = current();
  keep(
    previous.filter((one) => one !== link),
    previous,
  );
};

export const deleteAllLinks = (): void => keep([], current());

export const undoDeletion = (): void => {
  const deleted = beforeDeletion.peek();
  if (deleted) keep(deleted);
};

// Another tab may have changed the links.
addEventListener('storage', ({ key }) => {
  // The key is null if the whole storage was cleared.
  if (key !== NAME && key !== null) return;
  savedLinks.value = stored();
  beforeDeletion.value = undefined;
});

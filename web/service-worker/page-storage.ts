// Storage of pages in this browser: whether it succeeded, or why not.

/** 'full': the quota of this site is exhausted. 'forbidden': storage is disabled, as for files opened from disk. */
export type StorageResult = 'kept' | 'full' | 'forbidden';

/** The name in older versions of Firefox. */
const FULL = ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'];

/** Keeps a text under a name in the storage of this site. The previous text stays if storage is full. */
export function storeText(name: string, text: string): StorageResult {
  try {
    localStorage.setItem(name, text);
    return 'kept';
  } catch (thrown) {
    return FULL.includes((thrown as { name?: string }).name ?? '') ? 'full' : 'forbidden';
  }
}

// Stores texts in this browser, and reports whether they were stored.

/** 'full': the quota of this site is exhausted. 'forbidden': storage is disabled, as for files opened from disk. */
export type StorageResult = 'stored' | 'full' | 'forbidden';

/** Error names for an exhausted quota; the second is that of older versions of Firefox. */
const QUOTA_ERRORS = ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'];

/** Stores a text under a name in this browser. The previous text is kept if storage is full. */
export function storeText(name: string, text: string): StorageResult {
  try {
    localStorage.setItem(name, text);
    return 'stored';
  } catch (thrown) {
    return QUOTA_ERRORS.includes((thrown as { name?: string }).name ?? '') ? 'full' : 'forbidden';
  }
}

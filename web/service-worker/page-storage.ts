/** 'full': the quota of this site is exhausted. 'forbidden': storage is disabled, for example for files opened from disk. */
export type StorageResult = 'stored' | 'full' | 'forbidden';

/** Names of the error that is thrown if the quota is exhausted. Older versions of Firefox use the second name. */
const QUOTA_ERRORS = ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'];

/** Stores a string under a name in this browser. If storage is full, the previous value is kept. */
export function storeText(name: string, text: string): StorageResult {
  try {
    localStorage.setItem(name, text);
    return 'stored';
  } catch (thrown) {
    return QUOTA_ERRORS.includes((thrown as { name?: string }).name ?? '') ? 'full' : 'forbidden';
  }
}

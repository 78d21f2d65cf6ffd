// Storage of pages in this browser: whether it succeeded, and why not.

/** 'full': the browser gives this site no more room. 'forbidden': it may not keep anything, as in files that are opened from disk. */
export type KeptHere = 'kept' | 'full' | 'forbidden';

/** Firefox had another name for it. */
const FULL = ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'];

/** Keeps a text under a name in the storage of this site. The previous text stays if storage is full. */
export function keepHere(name: string, text: string): KeptHere {
  try {
    localStorage.setItem(name, text);
    return 'kept';
  } catch (thrown) {
    return FULL.includes((thrown as { name?: string }).name ?? '') ? 'full' : 'forbidden';
  }
}

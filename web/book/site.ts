// URLs and storage of a page of the book. The site may have any path, and storage may be forbidden.

import { type StorageResult, storeText } from '../service-worker/page-storage.ts';

/** A file of the site, by its path from the site's root. */
export const fromRoot = (path: string): URL => new URL(`${document.documentElement.dataset.root ?? './'}${path}`, document.baseURI);

/** The path of this page below that of the book: 'order-matters/'. */
export const thisPage = (): string => document.documentElement.dataset.page ?? '';

interface Memory {
  /** Pages that were read to their end. */
  readonly read: readonly string[];
  /** The reader's answers, by page and question. */
  readonly answers: { readonly [question: string]: string };
  /** The reader's sentence, which replaces the book's. */
  readonly sentence?: string;
}

const NAME = 'phasor-book';
const EMPTY: Memory = { read: [], answers: {} };
let unsaved: Memory | undefined;

export function recall(): Memory {
  if (unsaved) return unsaved;
  try {
    const { read, answers, sentence } = JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Memory>;
    return {
      read: Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [],
      answers: typeof answers === 'object' && answers !== null && !Array.isArray(answers) ? answers : {},
      ...(typeof sentence === 'string' ? { sentence } : {}),
    };
  } catch {
    return EMPTY;
  }
}

/** @returns whether it was stored; otherwise it is kept until the page is closed */
export function remember(next: Memory): StorageResult {
  const stored = storeText(NAME, JSON.stringify(next));
  unsaved = stored === 'kept' ? undefined : next;
  return stored;
}

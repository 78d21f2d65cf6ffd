// URLs and storage of a book page. The site may be served from any path, and the browser may forbid storage.

import { type StorageResult, storeText } from '../service-worker/page-storage.ts';

/** The URL of a file, from its path relative to the root of the site. */
export const fromRoot = (path: string): URL => new URL(`${document.documentElement.dataset.root ?? './'}${path}`, document.baseURI);

/** The path of this page relative to the book, such as 'order-matters/'. */
export const currentPage = (): string => document.documentElement.dataset.page ?? '';

interface ReaderData {
  readonly read: readonly string[];
  /** The reader's answers, by page and question. */
  readonly answers: { readonly [question: string]: string };
  /** The reader's sentence, which replaces the book's. */
  readonly sentence?: string;
}

const STORAGE_KEY = 'phasor-book';
const EMPTY_DATA: ReaderData = { read: [], answers: {} };
let unsavedData: ReaderData | undefined;

export function loadReaderData(): ReaderData {
  if (unsavedData) return unsavedData;
  try {
    const { read, answers, sentence } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<ReaderData>;
    return {
      read: Array.isArray(read) ? read.filter((pageId) => typeof pageId === 'string') : [],
      answers: typeof answers === 'object' && answers !== null && !Array.isArray(answers) ? answers : {},
      ...(typeof sentence === 'string' ? { sentence } : {}),
    };
  } catch {
    return EMPTY_DATA;
  }
}

/** Stores the reader's data. If storage fails, keeps it in memory until the page is closed. */
export function saveReaderData(data: ReaderData): StorageResult {
  const result = storeText(STORAGE_KEY, JSON.stringify(data));
  unsavedData = result === 'stored' ? undefined : data;
  return result;
}

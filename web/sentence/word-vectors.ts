// Word vectors. The vectors of some words are bundled with the page. The others are in two files, which are fetched on first use.
import starter from 'virtual:starter-vectors';
import { messageOf } from '../engine/errors.ts';
import { type FileFetcher, fetchFile, fetchResponse } from './get-file.ts';
import { spellOut } from './spelling.ts';

export const VECTOR_DIM = starter.width;

/** URLs of the complete table: a JSON index, and a file with int8 rows. */
export interface VectorFiles {
  readonly index: string | URL;
  readonly rows: string | URL;
}

interface VectorTable {
  readonly rowsByWord: ReadonlyMap<string, number>;
  readonly rows: Int8Array;
  readonly scales: readonly number[];
  /** Cached vectors, because a sentence needs the same vectors at each step of a slider. */
  readonly cache: Map<string, Float32Array>;
}

const createTable = (words: readonly string[], scale: readonly number[], rows: Int8Array): VectorTable => ({
  rowsByWord: new Map(words.map((word, position) => [word, position])),
  rows,
  scales: scale,
  cache: new Map(),
});

let cachedStarterTable: VectorTable | undefined;

function decodeStarterTable(): VectorTable {
  if (cachedStarterTable) return cachedStarterTable;
  const bytes = Uint8Array.from(atob(starter.rows), (letter) => letter.charCodeAt(0));
  cachedStarterTable = createTable(starter.words, starter.scale, new Int8Array(bytes.buffer));
  return cachedStarterTable;
}

async function fetchTable({ index, rows }: VectorFiles, fetcher: FileFetcher): Promise<VectorTable> {
  // The rows are only requested after the index is loaded.
  const indexResponse = await fetchResponse(fetcher, index);
  const [indexData, bytes] = await Promise.all([
    indexResponse.json() as Promise<{ words: string[]; scale: number[]; dims: number }>,
    fetchResponse(fetcher, rows).then((response) => response.arrayBuffer()),
  ]);
  if (indexData.dims !== VECTOR_DIM || bytes.byteLength !== indexData.words.length * VECTOR_DIM)
    throw new Error('the two word-vector files do not match');
  return createTable(indexData.words, indexData.scale, new Int8Array(bytes));
}

export class WordVectors {
  /** Mean norm of all vectors. The random vectors of unknown words are scaled to this norm. */
  readonly meanNorm = starter.meanNorm;
  private fetchedTable: VectorTable | undefined;
  private pendingFetch: Promise<void> | undefined;
  private failure: string | undefined;

  /** Without `files`, only the bundled words have vectors. */
  constructor(
    private readonly files?: VectorFiles,
    private readonly fetcher: FileFetcher = fetchFile,
  ) {}

  /** Fetches the files if one of these words is unknown, but only once. Never rejects; errors are reported in `problem`. */
  async prepare(words: readonly string[]): Promise<void> {
    if (!this.files || (!this.pendingFetch && words.every((word) => this.has(word)))) return;
    this.pendingFetch ??= fetchTable(this.files, this.fetcher).then(
      (table) => {
        this.fetchedTable = table;
      },
      (error: unknown) => {
        this.failure = `Word vectors could not be loaded (${messageOf(error)}).`;
      },
    );
    await this.pendingFetch;
  }

  /** Clears the failure, so that the files are fetched again for the next unknown word. */
  retry(): void {
    this.failure = undefined;
    this.pendingFetch = undefined;
  }

  /** An error message if the files could not be loaded, otherwise undefined. */
  get problem(): string | undefined {
    return this.failure;
  }

  has(word: string): boolean {
    return this.findRows(word) !== undefined;
  }

  /**
   * Returns the vector of a word, ignoring case, or undefined for an unknown word. If a word is split into parts, returns the mean of their
   * vectors.
   */
  vector(word: string): Float32Array | undefined {
    const { cache, rows, scales } = this.table;
    const cachedVector = cache.get(word);
    if (cachedVector) return cachedVector;
    const rowIndices = this.findRows(word);
    if (!rowIndices) return undefined;
    const vectorSum = new Float32Array(VECTOR_DIM);
    for (const rowIndex of rowIndices) {
      const factor = (scales[rowIndex] as number) / rowIndices.length;
      for (let channel = 0; channel < VECTOR_DIM; channel++) {
        vectorSum[channel] = (vectorSum[channel] as number) + (rows[rowIndex * VECTOR_DIM + channel] as number) * factor;
      }
    }
    cache.set(word, vectorSum);
    return vectorSum;
  }

  private get table(): VectorTable {
    return this.fetchedTable ?? decodeStarterTable();
  }

  /** Returns the row of a word in the table, or the rows of its parts if the word is split. */
  private findRows(word: string): readonly number[] | undefined {
    const lowerCaseWord = word.toLowerCase();
    const row = this.table.rowsByWord.get(lowerCaseWord);
    if (row !== undefined) return [row];
    const rowIndices = spellOut(lowerCaseWord).map((part) => this.table.rowsByWord.get(part));
    return rowIndices.every((rowIndex) => rowIndex !== undefined) ? (rowIndices as number[]) : undefined;
  }
}

// Helpers for tests of the book: the core, chapters of a few lines, and the whole book.
import { join } from 'node:path';
import * as modules from '../../web/book/node.ts';

export interface Value {
  readonly value: unknown;
  readonly source: string;
  readonly text: string;
}
export interface Page {
  readonly file: string;
  readonly slug: string;
  readonly number: string;
  readonly body: string;
  readonly ids: ReadonlySet<string>;
  readonly figures: readonly {
    readonly id: string;
    readonly kind: string;
    readonly fields: Record<string, unknown>;
    readonly labHash: string;
  }[];
  readonly constants: readonly object[];
  readonly cores: readonly { readonly result: Value }[];
  write(links: object): string;
}
export interface Book {
  readonly chapters: readonly Page[];
  readonly pages: readonly Page[];
  readonly encodings: readonly Page[];
  readonly missing: readonly { readonly target: string; readonly place: { readonly file: string; readonly line: number } }[];
  write(page: Page): string;
}
export interface KindContext {
  readonly core: {
    evaluator(constants: readonly object[], figures: ReadonlyMap<string, object>): Promise<(source: string) => Promise<Value>>;
  };
}

/** Imports a module of scripts/book, which has no types. */
export const load = async <Module>(name: string) => (await import(join(process.cwd(), 'scripts/book', name))) as Module;

const { bookBundle, meansOfBook } = await load<{
  bookBundle: () => Promise<object>;
  meansOfBook: (bookModules: typeof modules, phasor: unknown, bundle: object, style: object) => KindContext;
}>('web-modules.mjs');
const book = await load<{ readBook: (means: KindContext) => Promise<Book> }>('book.mjs');
const { readChapter } = await load<{ readChapter: (source: object, means: KindContext) => Promise<Page> }>('chapter.mjs');

/** Style sheets are left out, because they are tested in browsers. */
export const newMeans = async () => meansOfBook(modules, await modules.createPhasor(), await bookBundle(), { figure: '', below: '' });
export const context = await newMeans();

export const readBook = () => book.readBook(context);

/** Reads a text as chapter 3, in the file a.md from line 6 on. */
export const chapter = (body: string) =>
  readChapter(
    { file: 'a.md', name: 'a', slug: 'a', path: 'a/', number: '3', title: 'A', short: 'A', description: 'A', body, line: 5 },
    context,
  );

const links = { lab: '../../', reference: ({ label, target }: { label?: string; target: string }) => label ?? target };
export const html = async (body: string) => (await chapter(body)).write(links);

/** The message of the error that stops the build. */
export async function refusal(body: string): Promise<string> {
  try {
    (await chapter(body)).write(links);
  } catch (thrown) {
    return (thrown as { sentence?: string }).sentence ?? String(thrown);
  }
  return 'it was accepted';
}

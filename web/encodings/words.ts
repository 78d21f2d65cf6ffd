// What the page says about an encoding, in words. One file each, named like the C++ file that computes it.

export interface EncodingWords {
  /** A short name, as the rail shows it. */
  readonly title: string;
  /** Where it was published; simple steps on the way have no paper. */
  readonly year?: number;
  readonly authors?: string;
  /** Its title, and its number on arXiv. */
  readonly paper?: { readonly title: string; readonly arxiv: string };
  /** Model families and libraries that use it; empty when none is known here. */
  readonly usedBy: string;
  /** Its place in its group of the rail, from 1. */
  readonly rank: number;
  /** The rail shows well-known ones at once; the others wait behind 'more'. */
  readonly wellKnown: boolean;
  /** Parameters to show first, by name, when there are many; the first ones declared unless given. */
  readonly first?: readonly string[];
  /** MathML, which the build makes from TeX (tex-formula.ts). */
  readonly formula: string;
  /** Two plain sentences. */
  readonly summary: string;
  /** Where conventions differ, or what surprises. */
  readonly note: string;
  /** For tables of waves: the columns of sine and cosine that turn together, so that they can be shown as a clock. */
  readonly pairs?: (columns: number, param: (name: string) => unknown) => readonly (readonly [sine: number, cosine: number])[];
}

const files = import.meta.glob<{ words?: EncodingWords }>(['./*.ts', '!./words.ts', '!./*-*.ts'], { eager: true });

/** The words of every encoding by its id, which is the name of its file. */
// Without a prototype: an id comes from a link, and every other object has a 'constructor'.
export const encodingWords: { readonly [id: string]: EncodingWords } = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.entries(files).flatMap(([path, { words }]) => (words ? [[path.slice(2, -3), words]] : []))),
);

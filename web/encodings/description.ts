// The description of an encoding for the site and the documentation. Each encoding has its own file, named like its C++ file.

export interface EncodingDescription {
  /** A short name. */
  readonly title: string;
  /** The year of the source; absent for simple didactic encodings. */
  readonly year?: number;
  readonly authors?: string;
  readonly paper?: { readonly title: string; readonly arxiv: string };
  /** Model families and libraries that use the encoding; may be empty. */
  readonly usedBy: string;
  /** The rank of the encoding in its group. The first rank is 1. */
  readonly rank: number;
  /** Whether lists show the encoding directly. They show all other encodings under 'more'. */
  readonly wellKnown: boolean;
  /** Names of the parameters to show first if there are many; default: those declared first. */
  readonly mainParams?: readonly string[];
  /** MathML, compiled from TeX at build time (tex-formula.ts). */
  readonly formula: string;
  /** A summary in two plain sentences. */
  readonly summary: string;
  /** A note on differences between conventions, and on pitfalls. */
  readonly note: string;
}

const files = import.meta.glob<{ description?: EncodingDescription }>(['./*.ts', '!./description.ts', '!./*-*.ts'], { eager: true });

/** The descriptions of all encodings, by file name. */
// The object has no prototype, because an id from a link may be 'constructor'.
export const encodingDescriptions: { readonly [id: string]: EncodingDescription } = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.entries(files).flatMap(([path, { description }]) => (description ? [[path.slice(2, -3), description]] : []))),
);

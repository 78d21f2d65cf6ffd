// Descriptions of encodings for the site and the documentation. Each encoding has a file with the same name as its C++ file.

export interface EncodingDescription {
  /** A short name. */
  readonly title: string;
  /** The year of the source; absent for simple didactic encodings. */
  readonly year?: number;
  readonly authors?: string;
  readonly paper?: { readonly title: string; readonly arxiv: string };
  /** Model families and libraries that use the encoding; may be empty. */
  readonly usedBy: string;
  /** Rank of the encoding within its group, starting at 1. */
  readonly rank: number;
  /** Whether a collapsed group still lists the encoding. */
  readonly wellKnown: boolean;
  /** Names of the parameters to show first if there are many; default: in order of declaration. */
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
// The object has no prototype, because an id in a URL may be the name of an inherited property, such as 'constructor'.
export const encodingDescriptions: { readonly [id: string]: EncodingDescription } = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.entries(files).flatMap(([path, { description }]) => (description ? [[path.slice(2, -3), description]] : []))),
);

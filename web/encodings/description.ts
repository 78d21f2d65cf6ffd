// The description of an encoding for the page and the documentation. One file per encoding, named like its C++ file.

export interface EncodingDescription {
  /** A short name. */
  readonly title: string;
  /** The year of the source; simple didactic encodings have none. */
  readonly year?: number;
  readonly authors?: string;
  /** Title and arXiv id of the source. */
  readonly paper?: { readonly title: string; readonly arxiv: string };
  /** Model families and libraries that use it; may be empty. */
  readonly usedBy: string;
  /** Its position in its group, from 1. */
  readonly rank: number;
  /** Whether the page lists it directly; others are under 'more'. */
  readonly wellKnown: boolean;
  /** Names of the parameters to show first if there are many; default: the first ones declared. */
  readonly mainParams?: readonly string[];
  /** MathML, compiled from TeX at build time (tex-formula.ts). */
  readonly formula: string;
  /** Two plain sentences. */
  readonly summary: string;
  /** Differences between conventions, and pitfalls. */
  readonly note: string;
}

const files = import.meta.glob<{ description?: EncodingDescription }>(['./*.ts', '!./description.ts', '!./*-*.ts'], { eager: true });

/** The descriptions of all encodings by id, which is the file name. */
// The object has no prototype, because an id may come from a link, and 'constructor' must not be found.
export const encodingDescriptions: { readonly [id: string]: EncodingDescription } = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.entries(files).flatMap(([path, { description }]) => (description ? [[path.slice(2, -3), description]] : []))),
);

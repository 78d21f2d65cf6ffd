// The public interface of <phasor-figure>. The package ships this file as its types.
import type { Tensor } from '../../engine/index.ts';

/** The state of a figure. It is 'failed' if the figure shows an error. */
export type FigureElementState = 'idle' | 'computing' | 'ready' | 'failed';

/** The spec of a figure: its kind, and its fields by name in camel case. As in attributes, values may be texts. */
export interface FigureSpec {
  /** The id of a kind of figure in the gallery, such as 'similarity'. */
  readonly kind?: string;
  /** A field of the kind. The gallery lists the fields with their defaults. */
  readonly [field: string]: unknown;
}

/** The detail of the event 'phasor-change', which is dispatched after the reader has changed a field. */
export interface FigureChange {
  /** The name of the changed field, in camel case. */
  readonly field: string;
  /** The current spec, with defaults. */
  readonly spec: FigureSpec;
  /** The fields that differ from their defaults, with the values that attributes would have. Absent while a field is invalid. */
  readonly text?: { readonly [field: string]: string };
}

/** Options for a picture that is meant for print and is therefore cropped to its contents. */
export interface PictureOptions {
  /** The margin on each side in px, from 0 to 1000; default: 24. */
  readonly margin?: number;
  /** Whether to print the question of the figure above the picture; default: false. */
  readonly title?: boolean;
  /** Whether to print the version of Phasor, the kind and the fields that are not at their defaults below the picture; default: false. */
  readonly source?: boolean;
}

/** The element `<phasor-figure>`, which importing `phasor/figure` defines. */
export interface PhasorFigureElement extends HTMLElement {
  /** The state of the figure. It is also the value of the attribute data-state. */
  readonly state: FigureElementState;
  /**
   * The spec of the figure, with defaults. Assigning a spec replaces all fields. It also replaces the kind, unless the new spec has none.
   */
  get spec(): FigureSpec;
  set spec(spec: FigureSpec);
  /**
   * Resolves when the figure shows the numbers for its spec. Rejects with an Error whose message is one sentence. The figure must be in a
   * page. A figure that is far from the viewport is computed only if this promise is read.
   */
  readonly ready: Promise<void>;
  /**
   * The displayed numbers, by name; their shapes depend on the kind.
   * @throws {Error} before the numbers are computed
   * @example
   * ```js
   * await figure.ready;
   * figure.tensors().similarity.shape; // [8, 8]
   * ```
   */
  tensors(): { readonly [name: string]: Tensor };
  /**
   * The picture as on the screen, without the cursor, as the text of an SVG file in CSS px. With options, the picture is cropped to its
   * contents, and has a margin.
   * @throws {Error} before the numbers are computed, and for a margin that is not a number from 0 to 1000
   * @example
   * ```js
   * await figure.ready;
   * figure.toSVG().startsWith('<svg'); // true
   * figure.toSVG({ title: true, source: true }).includes(figure.spec.kind); // true
   * ```
   */
  toSVG(options?: PictureOptions): string;
  /**
   * The picture as a PNG file with `scale` pixels per CSS px (default: 1), on the background of the figure, with the options of `toSVG`.
   * @throws {Error} as a rejection: as `toSVG`
   * @example
   * ```js
   * await figure.ready;
   * (await figure.toPNG(2)).type; // 'image/png'
   * ```
   */
  toPNG(scale?: number, options?: PictureOptions): Promise<Blob>;
  /**
   * One table as the text of a CSV file (RFC 4180): a header, then one line per row, which begins with the name of the row.
   * `pandas.read_csv(file, index_col=0)` reads such files.
   * @param name the name of the table, as in `tensors()`; default: the first table
   * @throws {Error} before the numbers are computed, and for a name that no table has
   * @example
   * ```js
   * await figure.ready;
   * figure.toCSV(Object.keys(figure.tensors())[0]) === figure.toCSV(); // true
   * ```
   */
  toCSV(name?: string): string;
  /**
   * The computation of the figure as a program: in Python with NumPy, or in JavaScript with this package. Programs are fetched when they are
   * first needed. The Python program imports files of the folder `reference` of this package, and may read files: `programFiles()` returns
   * both.
   * @throws {Error} as a rejection: before the numbers are computed, for another language, for a spec without a program, and if a file cannot
   * be loaded; the next call tries again
   * @example
   * ```js
   * await figure.ready;
   * (await figure.toCode('python')).includes('encoding = '); // true
   * ```
   */
  toCode(language: 'python' | 'phasor'): Promise<string>;
  /**
   * The files that the Python program imports and reads, by name.
   * @throws {Error} as a rejection, as `toCode` does
   * @example
   * ```js
   * await figure.ready;
   * Object.keys(await figure.programFiles()).includes('encoding.py'); // true
   * ```
   */
  programFiles(): Promise<{ readonly [name: string]: Uint8Array }>;
}

declare global {
  interface HTMLElementTagNameMap {
    /** A figure that the core computes. */
    'phasor-figure': PhasorFigureElement;
  }
  interface GlobalEventHandlersEventMap {
    /** Dispatched after the reader has changed a field. */
    'phasor-change': CustomEvent<FigureChange>;
    /** Dispatched when the picture shows new numbers. */
    'phasor-ready': CustomEvent<undefined>;
  }
}

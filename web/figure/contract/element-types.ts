// The public types of <phasor-figure>. The package ships this file.
import type { Tensor } from '../../engine/index.ts';

/** The state of a figure; 'failed' if it displays an error. */
export type FigureElementState = 'idle' | 'computing' | 'ready' | 'failed';

/** A figure's kind and fields. Field names are in camel case. As in attributes, values may be strings. */
export interface FigureSpec {
  /** The id of a figure kind from the gallery, such as 'similarity'. */
  readonly kind?: string;
  /** A field of the figure kind. The gallery lists all fields and their defaults. */
  readonly [field: string]: unknown;
}

/** The detail of the 'phasor-change' event, which is dispatched after the user has changed a field. */
export interface FigureChange {
  /** The name of the changed field, in camel case. */
  readonly field: string;
  /** The current spec, with defaults. */
  readonly spec: FigureSpec;
  /** The fields that differ from their defaults, as attribute values. Absent while a field is invalid. */
  readonly text?: { readonly [field: string]: string };
}

/** Options for exporting a picture for print. The picture is cropped to its contents. */
export interface PictureOptions {
  /** The margin on each side in px, from 0 to 1000; default: 24. */
  readonly margin?: number;
  /** Whether to print the figure's heading above the picture; default: false. */
  readonly title?: boolean;
  /** Whether to print the Phasor version, the figure kind and all fields with non-default values below the picture; default: false. */
  readonly source?: boolean;
}

/** The `<phasor-figure>` element. Importing `phasor/figure` defines it. */
export interface PhasorFigureElement extends HTMLElement {
  /** The figure's state, which is also the value of the data-state attribute. */
  readonly state: FigureElementState;
  /** The figure's kind and fields, including defaults. Assigning a spec replaces all fields, and also the kind if the new spec has one. */
  get spec(): FigureSpec;
  set spec(spec: FigureSpec);
  /**
   * Resolves when the figure displays the results for its spec. Rejects with an Error if they cannot be computed. The element must be
   * connected to a document. A figure that is far from the viewport is not computed until this promise is read.
   */
  readonly ready: Promise<void>;
  /**
   * Returns the displayed results as tensors, by name. Their shapes depend on the figure kind.
   * @throws {Error} if the results have not been computed yet
   * @example
   * ```js
   * await figure.ready;
   * figure.tensors().similarity.shape; // [8, 8]
   * ```
   */
  tensors(): { readonly [name: string]: Tensor };
  /**
   * Returns the displayed picture, without the cursor, as an SVG document in CSS px. If options are set, the picture is cropped to its
   * contents and has a margin.
   * @throws {Error} if the results have not been computed yet, or if `margin` is not a number from 0 to 1000
   * @example
   * ```js
   * await figure.ready;
   * figure.toSVG().startsWith('<svg'); // true
   * figure.toSVG({ title: true, source: true }).includes(figure.spec.kind); // true
   * ```
   */
  toSVG(options?: PictureOptions): string;
  /**
   * Returns the picture as a PNG file with `scale` pixels per CSS px (default: 1) and the figure's background. Takes the same options as
   * `toSVG`.
   * @throws {Error} rejects in the same cases as `toSVG`
   * @example
   * ```js
   * await figure.ready;
   * (await figure.toPNG(2)).type; // 'image/png'
   * ```
   */
  toPNG(scale?: number, options?: PictureOptions): Promise<Blob>;
  /**
   * Returns one table as CSV text (RFC 4180): a header, then one line per row, which begins with the row's name.
   * `pandas.read_csv(file, index_col=0)` reads this format.
   * @param name the table's name, as in `tensors()`; default: the first table
   * @throws {Error} if the results have not been computed yet, or if no table has this name
   * @example
   * ```js
   * await figure.ready;
   * figure.toCSV(Object.keys(figure.tensors())[0]) === figure.toCSV(); // true
   * ```
   */
  toCSV(name?: string): string;
  /**
   * Returns a program that reproduces the figure's computation, in Python with NumPy or in JavaScript with this package. The scripts that
   * generate programs are loaded on first use. The Python program imports files from this package's `reference` folder and may read data
   * files; `programFiles()` returns both.
   * @throws {Error} rejects if the results have not been computed yet, if the language is unknown, if the spec has no program, or
   * if a file cannot be loaded; the next call retries
   * @example
   * ```js
   * await figure.ready;
   * (await figure.toCode('python')).includes('encoding = '); // true
   * ```
   */
  toCode(language: 'python' | 'phasor'): Promise<string>;
  /**
   * Returns the files that the Python program imports and reads, by name.
   * @throws {Error} rejects in the same cases as `toCode`
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
    /** An interactive figure, computed by the core. */
    'phasor-figure': PhasorFigureElement;
  }
  interface GlobalEventHandlersEventMap {
    /** Dispatched after the user has changed a field. */
    'phasor-change': CustomEvent<FigureChange>;
    /** Dispatched when the picture displays new results. */
    'phasor-ready': CustomEvent<undefined>;
  }
}

// What programs may rely on of <phasor-figure>. The package ships this file as its types.
import type { Tensor } from '../engine/index.ts';

export type FigureElementState = 'idle' | 'computing' | 'ready' | 'failed';

/** Everything that is said about a figure: its kind, and its fields in camel case. Values may be text, as in attributes. */
export interface FigureSpec {
  readonly kind?: string;
  readonly [field: string]: unknown;
}

/** Detail of 'phasor-change': the reader has changed a field. */
export interface FigureChange {
  readonly field: string;
  /** Everything that is said now, with defaults. */
  readonly spec: FigureSpec;
  /** What differs from the defaults, as attributes say it; missing while something is not accepted. */
  readonly text?: { readonly [field: string]: string };
}

export interface PhasorFigureElement extends HTMLElement {
  /** Also in the attribute data-state. */
  readonly state: FigureElementState;
  /** Everything that is said about the figure, with defaults. Assigning replaces all fields; the kind stays where none is given. */
  get spec(): FigureSpec;
  set spec(spec: FigureSpec);
  /**
   * Resolves when the figure, which must be in a page, has the numbers of its spec; rejects with one sentence. Figures far from sight do not
   * compute until they are waited for.
   */
  readonly ready: Promise<void>;
  /** The numbers by name. Throws until there are some. */
  numbers(): { readonly [name: string]: Tensor };
  /** The picture as on the screen, without the cursor: an SVG file. */
  toSVG(): string;
  /** A PNG file of `scale` pixels per CSS px (default: 1), on the ground of the figure. */
  toPNG(scale?: number): Promise<Blob>;
  /** All tables, RFC 4180. */
  toCSV(): string;
  /** The same computation as a program that runs as it is. */
  code(language: 'numpy' | 'pytorch' | 'phasor'): string;
}

declare global {
  interface HTMLElementTagNameMap {
    'phasor-figure': PhasorFigureElement;
  }
  interface GlobalEventHandlersEventMap {
    'phasor-change': CustomEvent<FigureChange>;
    'phasor-ready': CustomEvent<undefined>;
  }
}

// The interface of phasor/render. The package ships this file as its types.

/** A kind of figure, and its fields in camel case. Values may be text, as in the attributes of <phasor-figure>. */
export interface RenderSpec {
  /** A kind of the gallery, such as 'similarity'. */
  readonly kind: string;
  /** A field of the kind; defaults are in the gallery. */
  readonly [field: string]: unknown;
}

/** Options of the picture. */
export interface RenderOptions {
  /** The colours of the picture; default: 'light'. */
  readonly theme?: 'light' | 'dark';
  /** The available width for the picture, 40 to 8192 px; default: 640. */
  readonly width?: number;
  /** The maximum height in px; default: set by the kind. */
  readonly maxHeight?: number;
}

/**
 * A figure as the text of an SVG file, with a title and a description of its numbers: the picture that <phasor-figure> shows at this width.
 * @throws {PhasorError} as a rejection: `unknown_name` for a kind or an option that does not exist, `invalid_argument` for a field that is
 * unknown or has an invalid value
 * @example
 * ```js
 * const { renderFigure } = await import('phasor/render');
 * const svg = await renderFigure({ kind: 'similarity', encoding: 'sinusoidal', length: 64 }, { theme: 'dark', width: 480 });
 * svg.startsWith('<svg'); // true
 * ```
 */
export type RenderFigure = (spec: RenderSpec, options?: RenderOptions) => Promise<string>;

/**
 * A complete figure as HTML: a <phasor-figure> tag with the heading, the picture and the sentences below it, which are visible without
 * scripts, in print and to search engines. The live figure replaces them without a layout shift, unless it is `compact` or its page lists
 * `controls`.
 * @throws {PhasorError} as a rejection: as `renderFigure`
 * @example
 * ```js
 * const { renderHTML } = await import('phasor/render');
 * const html = await renderHTML({ kind: 'curve', encoding: 'alibi slopes=0.5,0.25,0.1,0.05' });
 * html.startsWith('<phasor-figure'); // true
 * ```
 */
export type RenderHTML = (spec: RenderSpec, options?: RenderOptions) => Promise<string>;

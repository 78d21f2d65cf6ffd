// Types of phasor/render. The package contains this file unchanged.

/** A kind of figure and its field values. Field names are in camel case. Values may be strings, like the attributes of <phasor-figure>. */
export interface RenderSpec {
  /** The kind of figure, such as 'similarity'; see the gallery. */
  readonly kind: string;
  /** A field of this kind of figure; defaults: see the gallery. */
  readonly [field: string]: unknown;
}

/** Rendering options. */
export interface RenderOptions {
  /** The colour theme; default: 'light'. */
  readonly theme?: 'light' | 'dark';
  /** The available width in px, 40 to 8192; default: 640. */
  readonly width?: number;
  /** The maximum height in px; default: depends on the kind of figure. */
  readonly maxHeight?: number;
}

/**
 * Renders a figure as an SVG string, with a title and a description of its values. The picture is the same as in a <phasor-figure> of this
 * width.
 * @throws {PhasorError} rejects with `unknown_name` for a kind or an option that does not exist, and with `invalid_argument` for a field
 * that is unknown or has an invalid value
 * @example
 * ```js
 * const { renderFigure } = await import('phasor/render');
 * const svg = await renderFigure({ kind: 'similarity', encoding: 'sinusoidal', length: 64 }, { theme: 'dark', width: 480 });
 * svg.startsWith('<svg'); // true
 * ```
 */
export type RenderFigure = (spec: RenderSpec, options?: RenderOptions) => Promise<string>;

/**
 * Renders a complete figure as HTML: a <phasor-figure> tag with its heading, picture and text, which are visible without scripts, in print
 * and to search engines. The live figure replaces this content without a layout shift, unless it is `compact` or its page lists `controls`.
 * @throws {PhasorError} rejects with the errors of `renderFigure`
 * @example
 * ```js
 * const { renderHTML } = await import('phasor/render');
 * const html = await renderHTML({ kind: 'curve', encoding: 'alibi slopes=0.5,0.25,0.1,0.05' });
 * html.startsWith('<phasor-figure'); // true
 * ```
 */
export type RenderHTML = (spec: RenderSpec, options?: RenderOptions) => Promise<string>;

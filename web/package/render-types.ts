// What phasor/render offers. The package ships this file as its types.

/** A kind of figure, and its fields in camel case. Values may be text, as in the attributes of <phasor-figure>. */
export interface RenderSpec {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface RenderOptions {
  /** Default: 'light'. */
  readonly theme?: 'light' | 'dark';
  /** The width there is for the picture, 40 to 8192 px; default: 640. */
  readonly width?: number;
  /** The height at most, px; default: that of the kind. */
  readonly maxHeight?: number;
}

/**
 * A figure as the text of an SVG file, with a title and a description made from its numbers: the picture that <phasor-figure> shows at this
 * width. Rejects with a PhasorError for a kind or a field that is unknown, or a value that is not accepted.
 */
export type RenderFigure = (spec: RenderSpec, options?: RenderOptions) => Promise<string>;

/**
 * A whole figure as HTML: a <phasor-figure> tag and in it the heading, the picture and the sentences below it, which are seen without any
 * script, in print and by search engines. The live figure takes their place without moving anything on the page, if it is not `compact` and
 * its page names no `controls`.
 */
export type RenderTag = RenderFigure;

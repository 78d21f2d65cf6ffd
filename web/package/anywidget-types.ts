// The interface of phasor-anywidget, in the form that anywidget requires (https://anywidget.dev). The package ships this file as its types.

/** An array of a notebook: the shape, and the bytes from `array.astype('<f4').tobytes()`. */
export interface WidgetArray {
  /** The length of each axis. */
  readonly shape: readonly number[];
  /** The numbers as little-endian float32, row-major; a notebook passes bytes as a DataView. */
  readonly data: DataView | ArrayBuffer | ArrayBufferView;
}

/** The traits of the class in Python. */
export interface WidgetTraits {
  /** The kind of figure and its fields in camel case, as in `PhasorFigureElement.spec`; default: `{ kind: 'custom' }`. */
  readonly spec?: { readonly [field: string]: unknown };
  /** Arrays by field ('q'), or by field and parameter ('encoding.table'); default: none. */
  readonly arrays?: { readonly [field: string]: WidgetArray };
  /** The cursor, which the widget sets: `{ query, key }` for the kind 'custom', the axes of the figure for other kinds; empty without a cursor. */
  readonly cursor?: { readonly [axis: string]: number };
}

/** The members of an anywidget model that the widget uses. */
export interface WidgetModel {
  /** Returns the value of a trait. */
  readonly get: (trait: keyof WidgetTraits) => unknown;
  /** Sets the value of a trait in the browser. */
  readonly set: (trait: 'cursor', value: { readonly [axis: string]: number }) => void;
  /** Sends changes to Python. */
  readonly save_changes: () => void;
  /** Adds a listener for an event such as 'change:spec'. */
  readonly on: (event: string, listener: () => void) => void;
  /** Removes a listener. */
  readonly off: (event: string, listener: () => void) => void;
}

/** A view of a widget: the model, and the element in the notebook. */
export interface WidgetView {
  /** The traits, which Python sets. */
  readonly model: WidgetModel;
  /** An empty element for the figure. */
  readonly el: HTMLElement;
}

/**
 * A figure in a notebook, in one self-contained file: `_esm = pathlib.Path('anywidget.js')` of an anywidget class. The kind 'custom' shows
 * attention of arrays in the notebook: `q` [heads, queries, head_dim] and `k` [heads, keys, head_dim], or `weights` [heads, queries, keys],
 * with fields tokens, keyTokens, layers, layer, head, encoding, mask, window, span, query, key and size.
 */
export interface Widget {
  /**
   * Draws the figure in `el`, updates it when traits change, and sets the trait `cursor`. Errors of traits are shown in `el` as a sentence. Throws nothing.
   * @returns a function that removes the figure
   * @example
   * ```js
   * const remove = widget.render({ model, el });
   * await el.querySelector('phasor-widget').ready;
   * el.querySelector('phasor-widget').tensors().weights.shape; // [3, 3]
   * remove();
   * el.children.length; // 0
   * ```
   */
  render(view: WidgetView): () => void;
}

/** The widget, as anywidget imports it from `_esm`. */
declare const widget: Widget;
export default widget;

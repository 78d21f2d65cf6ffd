// phasor-anywidget's interface, as anywidget requires it (https://anywidget.dev). The package ships this file as its type declarations.

/** An array from a notebook: its shape and the bytes of `array.astype('<f4').tobytes()`. */
export interface WidgetArray {
  /** The length of each axis. */
  readonly shape: readonly number[];
  /** The values as little-endian float32 in row-major order. A notebook passes bytes as a DataView. */
  readonly data: DataView | ArrayBuffer | ArrayBufferView;
}

/** The traits of the Python class. */
export interface WidgetTraits {
  /** The kind of figure and its camel-case fields, as in `PhasorFigureElement.spec`; default: `{ kind: 'custom' }`. */
  readonly spec?: { readonly [field: string]: unknown };
  /** Arrays, keyed by field ('q') or by field and parameter ('encoding.table'); default: none. */
  readonly arrays?: { readonly [field: string]: WidgetArray };
  /** The cursor, set by the widget: `{ query, key }` for the kind 'custom', and the figure's axes for other kinds; empty without a cursor. */
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

/** The argument of `render`: the widget's model and its element in the notebook. */
export interface WidgetView {
  /** The model, which contains the traits set in Python. */
  readonly model: WidgetModel;
  /** An empty element, to which the figure is appended. */
  readonly el: HTMLElement;
}

/**
 * A figure in a notebook, in one self-contained file that an anywidget class loads with `_esm = pathlib.Path('anywidget.js')`. The kind
 * 'custom' displays attention for arrays from the notebook: `q` [heads, queries, head_dim] and `k` [heads, keys, head_dim], or `weights`
 * [heads, queries, keys]. Its other fields are tokens, keyTokens, layers, layer, head, encoding, mask, window, span, query, key and size.
 */
export interface Widget {
  /**
   * Draws the figure in `el`, updates it when traits change, and sets the trait `cursor`. Displays errors about traits in `el`. Throws nothing.
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

/** The widget that anywidget imports from `_esm`. */
declare const widget: Widget;
export default widget;

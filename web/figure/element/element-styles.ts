// The style sheets of the element that come after its first rendering.
import { adoptStyles, type CSSResult, type CSSResultOrNative } from 'lit';

export class ElementStyles {
  #opened: CSSResult | undefined;

  /** The element's own, which what was in its place had too: given to both, the browser would lay that out anew. Its kind may have brought more. */
  adopt(root: ShadowRoot, own: readonly CSSResultOrNative[]): void {
    const brought = [...root.adoptedStyleSheets];
    adoptStyles(root, [...own]);
    root.adoptedStyleSheets.push(...brought);
  }

  /** That of opened parts, which comes with the first of them. */
  open(root: ShadowRoot, look: CSSResult | undefined): void {
    if (look === this.#opened) return;
    this.#opened = look;
    if (look?.styleSheet) root.adoptedStyleSheets.push(look.styleSheet);
  }
}

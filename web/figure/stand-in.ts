// A figure that was made before the page was: whole, with its words, in a declarative shadow root. It stands there until the live one has
// numbers, so that nothing on the page moves when that takes its place.
export class StandIn {
  #nodes: readonly ChildNode[] = [];
  #width: number | undefined;

  /** The width of its picture, CSS px: the live one is drawn at once, and not when its room has been measured. */
  get width(): number | undefined {
    return this.#width;
  }

  get stands(): boolean {
    return this.#nodes.length > 0;
  }

  /** Takes over what the page's HTML has put into a shadow root. @returns the node before which the live figure is drawn, which stays */
  adopt(root: ShadowRoot | null): ChildNode | undefined {
    if (!root) return undefined;
    this.#nodes = [...root.childNodes];
    const end = root.ownerDocument.createComment('');
    root.prepend(end);
    return end;
  }

  /** Whether it still stands there: until there is something to show in its place. */
  waits(isReplaced: boolean): boolean {
    if (!isReplaced) return this.stands;
    for (const node of this.#nodes) {
      if (node instanceof Element) this.#width ??= node.querySelector('.picture')?.clientWidth;
      node.remove();
    }
    this.#nodes = [];
    return false;
  }
}

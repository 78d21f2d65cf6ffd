// What a figure is in, and when that may have other colours.

/** The elements around this one, the nearest first: as they are drawn, so through the slots and out of the shadow roots that they are in. */
export function around(element: Element): Element[] {
  const found: Element[] = [];
  for (let one = outside(element); one; one = outside(one)) found.push(one);
  return found;
}

const outside = (element: Element): Element | null =>
  element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;

/**
 * Calls `changed`, once a frame at most, when the figure or what it is in may have other colours: after a change of any attribute, whatever the
 * page calls its themes; when the transition or animation of one of them ends, since until then it has other colours; and when an input anywhere on
 * the page changes, whose state a style may follow (`:has(:checked)`).
 * @returns ends it
 */
export function followSurroundings(figure: Element, changed: () => void): () => void {
  const elements = around(figure);
  let frame = 0;
  const soon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(changed);
  };
  const observer = new MutationObserver(soon);
  // The figure sets attributes of its own: its state, its theme.
  observer.observe(figure, { attributeFilter: ['class', 'style'] });
  for (const one of elements) observer.observe(one, { attributes: true });
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  const ended = ({ target }: Event): void => {
    if (target === figure || elements.includes(target as Element)) soon();
  };
  // Events of transitions and inputs do not leave a shadow root.
  for (const root of new Set([figure, ...elements].map((one) => one.getRootNode()))) {
    for (const event of ['transitionend', 'transitioncancel', 'animationend', 'animationcancel'])
      root.addEventListener(event, ended, options);
    root.addEventListener('change', soon, options);
  }
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    listening.abort();
  };
}

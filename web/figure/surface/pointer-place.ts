// Where a pointer is in an element.

/** What the page makes of a px of the element: a page may zoom or scale its figures, as slides are. */
export const scaleOfPage = (element: HTMLElement): number => element.getBoundingClientRect().width / element.offsetWidth || 1;

/** Px of the element from its top left corner. */
export function placeIn(element: HTMLElement, { clientX, clientY }: MouseEvent): [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOfPage(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

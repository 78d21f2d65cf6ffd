/**
 * Returns the ratio of an element's displayed width to its layout width. It differs from 1 on slides, for example, which scale their
 * figures.
 */
export const getPageScale = (element: HTMLElement): number => element.getBoundingClientRect().width / element.offsetWidth || 1;

/** Returns the position of the pointer in px from the top left corner of the element. */
export function getPointerPosition(element: HTMLElement, { clientX, clientY }: MouseEvent): [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  const scale = getPageScale(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

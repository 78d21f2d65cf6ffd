// The marks of a picture as SVG nodes. A node lives as long as its mark: equal marks are not touched, changed ones change
// in place, and those with a key find their node again wherever they stand in the list.
import type { Mark } from '../picture.ts';
import { type Element, elementOf } from './attributes.ts';
import { between } from './glide.ts';

const SVG = 'http://www.w3.org/2000/svg';
const GLIDING = ['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'width', 'height', 'd', 'transform', 'stroke-width', 'opacity'];

interface Held {
  readonly node: SVGElement;
  element: Element;
}

/** One attribute on its way; called with 0 to 1. */
export type Motion = (t: number) => void;

export interface MarkLayer {
  /** Shows these marks; returns the motions of the keyed ones that changed place. */
  update(marks: readonly Mark[], glide: boolean): Motion[];
}

/** What a mark is found by: its key, or its kind and its count among those without one. */
function identities(marks: readonly Mark[]): string[] {
  const counts = new Map<string, number>();
  return marks.map((mark) => {
    const base = mark.key === undefined ? `:${mark.kind}` : `${mark.kind}:${mark.key}`;
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return `${base}:${count}`;
  });
}

function write(node: SVGElement, before: Element | undefined, after: Element, glide: boolean): Motion[] {
  const motions: Motion[] = [];
  for (const name of Object.keys(before?.attributes ?? {})) {
    if (!(name in after.attributes)) node.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(after.attributes)) {
    if (before?.attributes[name] === value && node.getAttribute(name) === value) continue;
    // From where the node is now, which may be the middle of an earlier way.
    const way = glide && before && GLIDING.includes(name) ? between(node.getAttribute(name) ?? '', value) : undefined;
    if (way) motions.push((t) => node.setAttribute(name, way(t)));
    else node.setAttribute(name, value);
  }
  if (after.text !== undefined && before?.text !== after.text) node.textContent = after.text;
  return motions;
}

/** Keeps the children of an SVG element equal to a list of marks. */
export function markLayer(parent: SVGElement): MarkLayer {
  let held = new Map<string, Held>();
  return {
    update(marks, glide) {
      const next = new Map<string, Held>();
      const motions: Motion[] = [];
      let previous: SVGElement | null = null;
      const names = identities(marks);
      marks.forEach((mark, index) => {
        const identity = names[index] as string;
        const element = elementOf(mark, 'currentColor');
        const known = held.get(identity);
        const entry = known ?? { node: document.createElementNS(SVG, element.name), element };
        motions.push(...write(entry.node, known?.element, element, glide && mark.key !== undefined));
        entry.element = element;
        next.set(identity, entry);
      });
      for (const [identity, { node }] of held) if (!next.has(identity)) node.remove();
      for (const { node } of next.values()) {
        const wanted: ChildNode | null = previous ? (previous as SVGElement).nextSibling : parent.firstChild;
        if (wanted !== node) parent.insertBefore(node, wanted);
        previous = node;
      }
      held = next;
      return motions;
    },
  };
}

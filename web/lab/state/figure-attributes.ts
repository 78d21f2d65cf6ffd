// Attributes of a figure that are unknown in advance: one per field that is set.
import { type ElementPart, noChange } from 'lit';
import { Directive, directive, type PartInfo, PartType } from 'lit/directive.js';

type Attributes = { readonly [name: string]: string };

class AttributesDirective extends Directive {
  private before: Attributes = {};

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('attributes() belongs in the tag of an element');
  }

  override render(_: Attributes): unknown {
    return noChange;
  }

  override update({ element }: ElementPart, [next]: [Attributes]): unknown {
    for (const name of Object.keys(this.before)) if (!Object.hasOwn(next, name)) element.removeAttribute(name);
    for (const [name, value] of Object.entries(next)) if (this.before[name] !== value) element.setAttribute(name, value);
    this.before = next;
    return noChange;
  }
}

/** Sets these attributes, and removes previous ones that are not among them. */
export const attributes = directive(AttributesDirective);

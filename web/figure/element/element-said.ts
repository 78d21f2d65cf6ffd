// What attributes, programs and the reader have said about a figure. Attributes cannot be listed beforehand, since parameters of encodings are among
// them: all are watched.
import { attributeFields, changedFields } from '../contract/attributes.ts';
import type { Given } from '../contract/spec.ts';

export class ElementSaid {
  readonly #element: HTMLElement;
  readonly #follow: (names: readonly string[]) => void;
  readonly #observer: MutationObserver;
  #given: Given | undefined;

  /** @param follow is told the names of attributes that have changed since something was said */
  constructor(element: HTMLElement, follow: (names: readonly string[]) => void) {
    this.#element = element;
    this.#follow = follow;
    this.#observer = new MutationObserver((changes) => this.#hear(changes));
    this.#observer.observe(element, { attributes: true });
  }

  /** Read from the attributes when it is first needed. */
  get given(): Given {
    if (this.#given === undefined) {
      this.#observer.takeRecords();
      this.fromAttributes();
    }
    return this.#given ?? {};
  }

  set given(given: Given) {
    this.#given = given;
  }

  /** What a program says instead of all that was said; it has written no attribute that is still to be heard of. */
  set(fields: Given, kind: unknown): void {
    this.#observer.takeRecords();
    this.#given = fields;
    if (typeof kind === 'string') this.#element.setAttribute('kind', kind);
    this.#observer.takeRecords();
  }

  /** Forgets everything but the attributes. */
  fromAttributes(): void {
    this.#given = attributeFields(this.#element);
  }

  /** Adds what attributes of these names say now, and returns it. */
  take(names: readonly string[]): Given {
    const fields = changedFields(this.#element, names);
    if (Object.keys(fields).length > 0) this.#given = { ...this.#given, ...fields };
    return fields;
  }

  /** Takes attributes into account that were set just now. */
  catchUp(): void {
    this.#hear(this.#observer.takeRecords());
  }

  #hear(changes: readonly MutationRecord[]): void {
    if (changes.length > 0 && this.#given !== undefined) this.#follow(changes.map(({ attributeName }) => attributeName ?? ''));
  }
}

// What attributes, programs and the reader have said about a figure. Attributes cannot be listed beforehand, since parameters of encodings are among
// them: all are watched.
import { attributeFields, changedFields } from '../contract/attributes.ts';
import type { Given } from '../contract/spec.ts';

/** @param follow is told the names of attributes that have changed since something was said */
export function saidOf(element: HTMLElement, follow: (names: readonly string[]) => void) {
  let said: Given | undefined;
  const hear = (changes: readonly MutationRecord[]): void => {
    if (said && changes.length > 0) follow(changes.map(({ attributeName }) => attributeName ?? ''));
  };
  const observer = new MutationObserver(hear);
  observer.observe(element, { attributes: true });
  return {
    /** Read from the attributes when it is first needed. */
    get given(): Given {
      if (!said) observer.takeRecords();
      said ??= attributeFields(element);
      return said;
    },
    /** undefined: nothing but what attributes say. */
    set given(given: Given | undefined) {
      said = given ?? attributeFields(element);
    },
    /** What a program says instead of all that was said; it has written no attribute that is still to be heard of. */
    set(fields: Given, kind: unknown): void {
      observer.takeRecords();
      said = fields;
      if (typeof kind === 'string') element.setAttribute('kind', kind);
      observer.takeRecords();
    },
    /** Adds what attributes of these names say now, and returns it. */
    take(names: readonly string[]): Given {
      const fields = changedFields(element, names);
      said = { ...said, ...fields };
      return fields;
    },
    /** Takes attributes into account that were set just now. */
    catchUp(): void {
      hear(observer.takeRecords());
    },
  };
}

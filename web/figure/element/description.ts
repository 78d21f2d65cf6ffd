// Tracks a figure's fields, which can be set by attributes, scripts and the user, and its file input.

import { nothing, type TemplateResult } from 'lit';
import { readChangedFields, readFields } from '../contract/attributes.ts';
import type { DropHost, FileInput, FilePart } from '../contract/file-input.ts';
import type { RawFields } from '../contract/spec.ts';
import type { Figure } from '../runtime/controller.ts';

/**
 * Tracks the fields of an element as its attributes change.
 * @param onAttributesChanged receives the names of attributes that changed since the last call
 */
export function trackFields(element: HTMLElement, onAttributesChanged: (names: readonly string[]) => void) {
  let rawFields: RawFields | undefined;
  const handleRecords = (changes: readonly MutationRecord[]): void => {
    if (rawFields && changes.length > 0) onAttributesChanged(changes.map(({ attributeName }) => attributeName ?? ''));
  };
  const observer = new MutationObserver(handleRecords);
  observer.observe(element, { attributes: true });
  return {
    /** Unparsed fields, read from the attributes on first use. */
    get currentFields(): RawFields {
      if (!rawFields) observer.takeRecords();
      rawFields ??= readFields(element);
      return rawFields;
    },
    /** Replaces the fields. If `fields` is undefined, they are read from the attributes again. */
    set currentFields(fields: RawFields | undefined) {
      rawFields = fields ?? readFields(element);
    },
    /** Replaces all fields when a script sets the spec. Pending attribute changes are ignored. */
    set(fields: RawFields, kind: unknown): void {
      observer.takeRecords();
      rawFields = fields;
      if (typeof kind === 'string') element.setAttribute('kind', kind);
      observer.takeRecords();
    },
    /** Rereads the fields among these attributes, and returns them. */
    updateFields(names: readonly string[]): RawFields {
      const fields = readChangedFields(element, names);
      rawFields = { ...rawFields, ...fields };
      return fields;
    },
    /** Handles attribute changes that the observer has not reported yet. */
    flush(): void {
      handleRecords(observer.takeRecords());
    },
  };
}

// Manages an element's file input. When the figure kind changes, the file input is replaced.

export class ElementFiles {
  private input: FileInput | undefined;
  private inputPart: FilePart | undefined;

  constructor(
    private readonly host: DropHost,
    private readonly figure: () => Figure | undefined,
    private readonly changed: (figure: Figure, field: string) => void,
  ) {}

  render(currentFigure: Figure): TemplateResult | typeof nothing {
    const { files } = currentFigure.kind;
    if (files !== this.input) {
      this.inputPart?.end();
      this.input = files;
      this.inputPart = files?.createPart(this.host, this.figure, this.changed);
    }
    return this.inputPart?.render(currentFigure) ?? nothing;
  }
}

// The input of a figure: files, and fields set by attributes, programs and readers.

import { nothing, type TemplateResult } from 'lit';
import { readChangedFields, readFields } from '../contract/attributes.ts';
import type { DropHost, FileInput, FilePart } from '../contract/file-input.ts';
import type { RawFields } from '../contract/spec.ts';
import type { Figure } from '../runtime/controller.ts';

/** Tracks the fields of an element. @param onAttributesChanged receives the names of attributes that changed since the last call */
export function trackFields(element: HTMLElement, onAttributesChanged: (names: readonly string[]) => void) {
  let rawFields: RawFields | undefined;
  const handleRecords = (changes: readonly MutationRecord[]): void => {
    if (rawFields && changes.length > 0) onAttributesChanged(changes.map(({ attributeName }) => attributeName ?? ''));
  };
  const observer = new MutationObserver(handleRecords);
  observer.observe(element, { attributes: true });
  return {
    /** The raw fields, which are read from the attributes on first use. */
    get currentFields(): RawFields {
      if (!rawFields) observer.takeRecords();
      rawFields ??= readFields(element);
      return rawFields;
    },
    /** Sets the raw fields; undefined resets them to those of the attributes. */
    set currentFields(fields: RawFields | undefined) {
      rawFields = fields ?? readFields(element);
    },
    /** Replaces the whole spec on behalf of a program, and ignores pending changes of attributes. */
    set(fields: RawFields, kind: unknown): void {
      observer.takeRecords();
      rawFields = fields;
      if (typeof kind === 'string') element.setAttribute('kind', kind);
      observer.takeRecords();
    },
    /** Updates the raw fields with the current values of these attributes, and returns the changed fields. */
    updateFields(names: readonly string[]): RawFields {
      const fields = readChangedFields(element, names);
      rawFields = { ...rawFields, ...fields };
      return fields;
    },
    /** Handles changes to attributes that the observer has not reported yet. */
    flush(): void {
      handleRecords(observer.takeRecords());
    },
  };
}

// The file input of an element, which is replaced when the kind changes.

export class ElementFiles {
  private input: FileInput | undefined;
  private inputPart: FilePart | undefined;

  /** For the parameters `figure` and `changed`, see FileInput. */
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

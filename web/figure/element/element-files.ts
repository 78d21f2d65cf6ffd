// Where a reader's own files come into an element, whose kind may change: what that has brought for them.
import { nothing, type TemplateResult } from 'lit';
import type { DropHost, FilePart, FilesTaken } from '../contract/files-taken.ts';
import type { Figure } from '../runtime/controller.ts';

export class ElementFiles {
  private taken: FilesTaken | undefined;
  private made: FilePart | undefined;

  /** `figure` and `changed`: see FilesTaken. */
  constructor(
    private readonly host: DropHost,
    private readonly figure: () => Figure | undefined,
    private readonly changed: (figure: Figure, field: string) => void,
  ) {}

  /** Nothing for a kind that takes no files. */
  part(shown: Figure): TemplateResult | typeof nothing {
    const { files } = shown.kind;
    if (files !== this.taken) {
      this.made?.end();
      this.taken = files;
      this.made = files?.drop(this.host, this.figure, this.changed);
    }
    return this.made?.part(shown) ?? nothing;
  }
}

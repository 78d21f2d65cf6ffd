// The file input of a kind that reads files, and the part of the figure that handles them (files/drop.ts).
import type { nothing, ReactiveController, TemplateResult } from 'lit';
import type { Figure } from '../runtime/controller.ts';

/** The part of the element that file inputs need, as of Lit's controller hosts. */
export type DropHost = HTMLElement & {
  addController(controller: ReactiveController): void;
  removeController(controller: ReactiveController): void;
  requestUpdate(): void;
};

/** The part of a figure that handles files. */
export interface FilePart {
  part(figure: Figure): TemplateResult | typeof nothing;
  end(): void;
}

export interface FileInput {
  /** The labels of its buttons, and the hint beside them before any file is opened. */
  readonly buttons: readonly string[];
  readonly hint: string;
  /** Accepted file extensions, such as '.json'; none for those of a model. */
  readonly types: readonly string[];
  /** `figure` is the current one; `changed` is called with the field that the reader has set. */
  drop(host: DropHost, figure: () => Figure | undefined, changed: (figure: Figure, field: string) => void): FilePart;
}

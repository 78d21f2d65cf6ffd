// The file input of a kind that reads files, and the part of the figure that handles them (files/drop.ts).
import type { nothing, ReactiveController, TemplateResult } from 'lit';
import type { Figure } from '../runtime/controller.ts';

/** The members of the element that file inputs use, as in the ReactiveControllerHost of Lit. */
export type DropHost = HTMLElement & {
  addController(controller: ReactiveController): void;
  removeController(controller: ReactiveController): void;
  requestUpdate(): void;
};

/** The part of a figure that reads dropped and selected files. */
export interface FilePart {
  render(figure: Figure): TemplateResult | typeof nothing;
  end(): void;
}

export interface FileInput {
  /** The labels of the buttons that open files, and a hint that is shown beside them until a file is opened. */
  readonly buttons: readonly string[];
  readonly hint: string;
  /** Accepted file extensions, such as '.json'; empty for a kind that reads model files. */
  readonly extensions: readonly string[];
  /** @param figure returns the current figure @param changed called with the field that the reader has set */
  createPart(host: DropHost, figure: () => Figure | undefined, changed: (figure: Figure, field: string) => void): FilePart;
}

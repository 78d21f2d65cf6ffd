// The file input of a kind that reads files. The code that handles the files is in files/drop.ts.
import type { nothing, ReactiveController, TemplateResult } from 'lit';
import type { Figure } from '../runtime/controller.ts';

/** The members of the element that a file input uses. They match the ReactiveControllerHost of Lit. */
export type DropHost = HTMLElement & {
  addController(controller: ReactiveController): void;
  removeController(controller: ReactiveController): void;
  requestUpdate(): void;
};

export interface FilePart {
  render(figure: Figure): TemplateResult | typeof nothing;
  end(): void;
}

export interface FileInput {
  /** The labels of the buttons that open files. `hint` is displayed beside the buttons until a file is opened. */
  readonly buttons: readonly string[];
  readonly hint: string;
  /** File extensions that are accepted, such as '.json'. Empty for a kind that reads the files of a model. */
  readonly extensions: readonly string[];
  /**
   * @param figure returns the current figure
   * @param changed called with the field that the reader has set
   */
  createPart(host: DropHost, figure: () => Figure | undefined, changed: (figure: Figure, field: string) => void): FilePart;
}

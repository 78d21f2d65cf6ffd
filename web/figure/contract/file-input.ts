// The file input of figure kinds that read files. The files are handled in files/drop.ts.
import type { nothing, ReactiveController, TemplateResult } from 'lit';
import type { Figure } from '../runtime/controller.ts';

/** The element members that a file input uses, as in Lit's ReactiveControllerHost. */
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
  /** Labels of the buttons that open files. `hint` is displayed beside them until a file is opened. */
  readonly buttons: readonly string[];
  readonly hint: string;
  /** Accepted file extensions, such as '.json'. Empty if the figure kind reads model files. */
  readonly extensions: readonly string[];
  /**
   * @param figure returns the current figure
   * @param changed called with the name of the field that the user has set
   */
  createPart(host: DropHost, figure: () => Figure | undefined, changed: (figure: Figure, field: string) => void): FilePart;
}

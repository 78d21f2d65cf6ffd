// File input for a figure: a button, and the whole figure as a target for dropped or pasted files. Only kinds of figures that read files
// import this module, so that pages without them do not load it.
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { joinWithOr } from '../../charts/english.ts';
import type { DropHost, FileInput, FilePart } from '../contract/file-input.ts';
import type { RawFields } from '../contract/spec.ts';
import type { Figure } from '../runtime/controller.ts';
import { DropTarget } from './drop-target.ts';

const BUTTON_STRINGS = {
  button: 'Open a file…',
  hint: (types: readonly string[]) => `or drop or paste one here: ${joinWithOr.format(types)}`,
  shown: (name: string) => `Shown: ${name}.`,
  back: 'Restore previous',
  onlyOne: (count: number) => `${count} files were dropped; drop one at a time`,
  notFile: 'the dropped item is not a file',
} as const;

interface OpenedFile {
  readonly name: string;
  readonly previousFields: RawFields;
}

export class FileDrop implements ReactiveController, FilePart {
  private readonly target: DropTarget;
  private problem: string | undefined;
  private shownFile: OpenedFile | undefined;

  /**
   * @param onFieldChange called for each field that changes when a file is opened or the previous fields are restored
   * @param allowsMultiple whether several files may be opened at once
   */
  constructor(
    private readonly host: DropHost,
    private readonly getFigure: () => Figure | undefined,
    private readonly onFieldChange: (figure: Figure, field: string) => void,
    private readonly allowsMultiple = false,
  ) {
    host.addController(this);
    const acceptsFiles = (): boolean => this.getFigure()?.kind.accept !== undefined;
    this.target = new DropTarget(host, acceptsFiles, ({ files }) => this.openFiles([...files]));
  }

  hostConnected(): void {
    this.host.addEventListener('paste', this.onPaste);
  }

  hostDisconnected(): void {
    this.host.removeEventListener('paste', this.onPaste);
  }

  end(): void {
    this.target.end();
    this.host.removeController(this);
    this.hostDisconnected();
  }

  render({ kind: { files } }: Figure): TemplateResult {
    const { extensions = [], hint = '' } = files ?? {};
    const { shownFile, problem } = this;
    return html`<div class="file-input" part="below">
      <button type="button" @click=${this.openPicker}>${BUTTON_STRINGS.button}</button>
      ${
        shownFile
          ? html`<span class="opened-file">${BUTTON_STRINGS.shown(shownFile.name)}</span> <button type="button" @click=${this.restorePrevious}>${BUTTON_STRINGS.back}</button>`
          : html`<span class="hint">${hint}</span>`
      }
      <input type="file" hidden ?multiple=${this.allowsMultiple} accept=${extensions.join()} @change=${this.onChange}>
      ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
    </div>`;
  }

  /** Opens a file. Never rejects; displays errors below the figure instead. */
  async open(file: File): Promise<void> {
    const figure = this.getFigure();
    if (!figure?.kind.accept) return;
    try {
      const { readFields } = await import('./take-file.ts');
      const newFields = Object.entries(await readFields(file, figure.kind));
      if (this.getFigure() !== figure) return;
      const previousFields = figure.unparsedFields.peek();
      this.showMessage(undefined, {
        name: file.name,
        previousFields: this.shownFile?.previousFields ?? Object.fromEntries(newFields.map(([name]) => [name, previousFields[name]])),
      });
      figure.change(Object.fromEntries(newFields));
      for (const [name] of newFields) this.onFieldChange(figure, name);
    } catch (thrown) {
      const { message } = thrown as Error;
      this.showMessage(message.startsWith(file.name) ? message : `${file.name}: ${message}`);
    }
  }

  private async openInOrder(files: readonly File[]): Promise<void> {
    for (const file of files) await this.open(file);
  }

  private showMessage(problem: string | undefined, shownFile = this.shownFile): void {
    this.problem = problem;
    this.shownFile = shownFile;
    this.host.requestUpdate();
  }

  private readonly restorePrevious = (): void => {
    const figure = this.getFigure();
    const { shownFile } = this;
    if (!figure || !shownFile) return;
    this.shownFile = undefined;
    this.showMessage(this.problem);
    figure.change(shownFile.previousFields);
    for (const name of Object.keys(shownFile.previousFields)) this.onFieldChange(figure, name);
  };

  private readonly openPicker = (event: Event): void => {
    (event.target as HTMLElement).parentElement?.querySelector('input')?.click();
  };

  private readonly onChange = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // Clears the input, because selecting the same file again would otherwise not fire a change event.
    input.value = '';
    if (files.length > 0) this.openFiles(files);
  };

  /** Opens pasted files. The focused control handles pasted text. */
  private readonly onPaste = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!this.getFigure()?.kind.accept || files.length === 0) return;
    event.preventDefault();
    this.openFiles(files);
  };

  private openFiles(files: readonly File[]): void {
    const [file] = files;
    if (!file) this.showMessage(BUTTON_STRINGS.notFile);
    else if (this.allowsMultiple) void this.openInOrder(files);
    else if (files.length > 1) this.showMessage(BUTTON_STRINGS.onlyOne(files.length));
    else void this.open(file);
  }
}

const ARRAY_FILES: readonly string[] = ['.npy', '.safetensors', '.csv', '.json'];

/**
 * Creates the file input for a kind of figure that accepts these file extensions. With `allowsMultiple`, several files
 * can be opened at once.
 */
export const createFileInput = (extensions = ARRAY_FILES, { allowsMultiple = false } = {}): FileInput => ({
  buttons: [BUTTON_STRINGS.button],
  hint: BUTTON_STRINGS.hint(extensions),
  extensions,
  createPart: (...provided) => new FileDrop(...provided, allowsMultiple),
});

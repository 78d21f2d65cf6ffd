// File input for a language model: buttons to open its files or its folder, and the whole figure as a drop target. All figures on the page
// share the opened model. Only figures that run a language model load this module.

import { html, nothing, type TemplateResult } from 'lit';
import { messageOf } from '../../engine/errors.ts';
import type { PhasorFigureElement } from '../contract/element-types.ts';
import type { DropHost, FileInput, FilePart } from '../contract/file-input.ts';
import { saveBlob } from '../export/save-blob.ts';
import type { Figure } from '../runtime/controller.ts';
import type { LanguageModels, ModelSummary, OpeningStatus } from '../runtime/language-models.ts';
import { DropTarget } from './drop-target.ts';

/** `readEntries` returns a folder's entries in batches. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

const readFileEntry = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));

/** Returns the files of a dropped item: the file itself, or the files directly in a folder. */
async function readFiles(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await readFileEntry(entry as FileSystemFileEntry)];
  const entries = await readFolder(entry as FileSystemDirectoryEntry);
  return Promise.all(entries.filter(({ isFile }) => isFile).map((file) => readFileEntry(file as FileSystemFileEntry)));
}

/**
 * Returns the dropped files. Must be called during the drop event, because the event's items are unavailable
 * afterwards.
 */
async function readDroppedFiles({ items, files }: DataTransfer): Promise<readonly File[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  // Synthetic drop events have files but no entries.
  if (entries.length === 0) return [...files];
  return (await Promise.all(entries.map(readFiles))).flat();
}

const oneDecimalFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const formatMillions = (count: number): string => `${oneDecimalFormat.format(count / 1e6)} million`;
const formatMegabytes = (bytes: number): string => `${oneDecimalFormat.format(bytes / 2 ** 20)} MB`;
/** Estimates the memory of an open model, rounded up to 10 MB, from its weights and 16 MB for reading the files. */
const formatOpenMemory = (bytes: number): string => `${10 * Math.ceil((bytes / 2 ** 20 + 16) / 10)} MB`;

export const MODEL_STRINGS = {
  files: 'Open your model…',
  folder: 'Open its folder…',
  hint: 'or drop it here: config.json, model.safetensors and tokenizer.json, or one .gguf file. Files stay on this device.',
  summary: ({ name, info: { modelType, parameters, layers, bytes }, fileBytes }: ModelSummary) =>
    `${name === modelType ? name : `${name} (${modelType})`}: ${formatMillions(parameters)} parameters in ${layers} layers. Opening it reads ${formatMegabytes(fileBytes)}; while open, it takes about ${formatOpenMemory(bytes)} of memory.`,
  accept: 'Open',
  decline: 'Not now',
  inspecting: 'Reading the file headers',
  opening: (percent: number) => `Opening the model: ${percent}%`,
  progress: 'Opening the model',
  cancel: 'Cancel',
  opened: ({ name, info: { parameters, bytes } }: ModelSummary) =>
    `Opened: ${name}, ${formatMillions(parameters)} parameters in ${formatMegabytes(bytes)} of memory.`,
  back: 'Back to the small model',
  report: 'Save a report',
  reporting: 'Writing the report…',
  reportName: (name: string) => `${name.replace(/[^\w.-]+/g, '-')}-positions.html`,
  noFiles: 'files: the dropped items are not files; expected a model’s files or the folder that contains them',
} as const;

export class ModelDrop implements FilePart {
  private readonly target: DropTarget;
  private isReporting = false;

  constructor(
    private readonly host: DropHost,
    private readonly figure: () => Figure | undefined,
  ) {
    this.target = new DropTarget(
      host,
      () => this.models !== undefined,
      (transfer) =>
        void readDroppedFiles(transfer).then(
          (files) => this.take(files),
          (thrown: unknown) => this.models?.reject(messageOf(thrown)),
        ),
    );
  }

  end(): void {
    this.target.end();
  }

  private get models(): LanguageModels | undefined {
    return this.figure()?.languageModels;
  }

  render({ languageModels }: Figure): TemplateResult | typeof nothing {
    if (!languageModels) return nothing;
    const status = languageModels.status.value;
    return html`<div class="file-input" part="below">
      <button type="button" @click=${this.openPicker} data-input="files">${MODEL_STRINGS.files}</button>
      <button type="button" @click=${this.openPicker} data-input="folder">${MODEL_STRINGS.folder}</button>
      <button type="button" ?disabled=${this.isReporting} @click=${this.report}>${this.isReporting ? MODEL_STRINGS.reporting : MODEL_STRINGS.report}</button>
      ${this.progress(status)}
      <input type="file" name="files" hidden multiple @change=${this.onChange}>
      <input type="file" name="folder" hidden webkitdirectory @change=${this.onChange}>
      ${status.problem === undefined ? nothing : html`<p class="problem" role="alert">${status.problem}</p>`}
    </div>`;
  }

  private progress({ fraction, summary, accept, openedModel }: OpeningStatus): TemplateResult {
    if (summary && accept)
      return html`<p class="opened-file" role="status">${MODEL_STRINGS.summary(summary)}</p>
        <button type="button" @click=${accept}>${MODEL_STRINGS.accept}</button>
        <button type="button" @click=${this.cancel}>${MODEL_STRINGS.decline}</button>`;
    if (fraction !== undefined)
      return html`<span class="opened-file" role="status">${summary ? MODEL_STRINGS.opening(Math.floor(100 * fraction)) : MODEL_STRINGS.inspecting}</span>
        <progress max="1" .value=${fraction} aria-label=${MODEL_STRINGS.progress}></progress>
        <button type="button" @click=${this.cancel}>${MODEL_STRINGS.cancel}</button>
        ${summary ? html`<p class="hint">${MODEL_STRINGS.summary(summary)}</p>` : nothing}`;
    return openedModel
      ? html`<span class="opened-file" role="status">${MODEL_STRINGS.opened(openedModel)}</span> <button type="button" @click=${this.back}>${MODEL_STRINGS.back}</button>`
      : html`<span class="hint">${MODEL_STRINGS.hint}</span>`;
  }

  private take(files: readonly File[]): void {
    if (files.length === 0) this.models?.reject(MODEL_STRINGS.noFiles);
    else this.models?.open(files).catch(() => {});
  }

  private readonly report = async (): Promise<void> => {
    const pageFigure = this.figure();
    if (!pageFigure?.languageModels || this.isReporting) return;
    this.show(true);
    try {
      const [{ createModelReport }, languageModel, engine] = await Promise.all([
        import('../export/model-report.ts'),
        pageFigure.languageModels.get(),
        pageFigure.engine(),
      ]);
      const figure = this.host as unknown as PhasorFigureElement;
      const reportHtml = await createModelReport({ figure, languageModel, engine, pageUrl: location.href });
      saveBlob(new Blob([reportHtml], { type: 'text/html' }), MODEL_STRINGS.reportName(languageModel.name));
    } catch (thrown) {
      this.models?.report(messageOf(thrown));
    } finally {
      this.show(false);
    }
  };

  private show(isReporting: boolean): void {
    this.isReporting = isReporting;
    this.host.requestUpdate();
  }

  private readonly cancel = (): void => this.models?.cancel();

  private readonly back = (): void => this.models?.close();

  private readonly openPicker = (event: Event): void => {
    const button = event.target as HTMLElement;
    button.parentElement?.querySelector<HTMLInputElement>(`input[name=${button.dataset.input}]`)?.click();
  };

  private readonly onChange = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // Clears the input, because selecting the same files again would otherwise not fire a change event.
    input.value = '';
    if (files.length > 0) this.take(files);
  };
}

export const createModelFileInput = (): FileInput => ({
  buttons: [MODEL_STRINGS.files, MODEL_STRINGS.folder, MODEL_STRINGS.report],
  hint: MODEL_STRINGS.hint,
  extensions: [],
  createPart: (host, figure) => new ModelDrop(host, figure),
});

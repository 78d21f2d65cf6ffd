// The input of a language model: buttons for its files and its folder, and the whole figure as a target for dropping them. The model becomes that of the
// page. Included by kinds of the language model, so other pages do not load it.
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { messageOf } from '../../engine/errors.ts';
import type { ModelProgress } from '../../engine/types/model-files.ts';
import type { DropHost, FileInput, FilePart } from '../contract/file-input.ts';
import type { Figure } from '../runtime/controller.ts';
import { droppedFiles } from './dropped-files.ts';

export const MODEL_STRINGS = {
  files: 'Open your model …',
  folder: 'Open its folder …',
  hint: 'or drop it here: config.json, model.safetensors and tokenizer.json, or one .gguf file. Files stay on this device.',
  opening: (percent: number) => `Opening the model: ${percent} %`,
  progress: 'Opening the model',
  cancel: 'Cancel',
  opened: (name: string, parameters: string, memory: string) => `Opened: ${name}, ${parameters} parameters in ${memory} of memory.`,
  back: 'Back to the small model',
  noFiles: 'files: nothing that was dropped is a file; expected the files of a model or their folder',
} as const;

const million = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const inMillions = (count: number): string => `${million.format(count / 1e6)} million`;
const inMegabytes = (bytes: number): string => `${million.format(bytes / 2 ** 20)} MB`;

export class ModelDrop implements ReactiveController, FilePart {
  private problem: string | undefined;
  private opened: string | undefined;
  private share: number | undefined;
  private opening: AbortController | undefined;

  constructor(
    private readonly host: DropHost,
    private readonly figure: () => Figure | undefined,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.addEventListener('dragover', this.over);
    this.host.addEventListener('dragleave', this.leave);
    this.host.addEventListener('drop', this.drop);
  }

  hostDisconnected(): void {
    this.opening?.abort();
    this.host.removeEventListener('dragover', this.over);
    this.host.removeEventListener('dragleave', this.leave);
    this.host.removeEventListener('drop', this.drop);
  }

  end(): void {
    this.host.removeController(this);
    this.hostDisconnected();
  }

  part({ languageModels }: Figure): TemplateResult | typeof nothing {
    if (!languageModels) return nothing;
    const { problem, opened, share } = this;
    const isOpening = share !== undefined;
    return html`<div class="bring" part="below">
      <button type="button" @click=${this.choose} data-input="files">${MODEL_STRINGS.files}</button>
      <button type="button" @click=${this.choose} data-input="folder">${MODEL_STRINGS.folder}</button>
      ${
        isOpening
          ? html`<span class="brought" role="status">${MODEL_STRINGS.opening(Math.floor(100 * share))}</span>
            <progress max="1" .value=${share} aria-label=${MODEL_STRINGS.progress}></progress>
            <button type="button" @click=${this.cancel}>${MODEL_STRINGS.cancel}</button>`
          : opened !== undefined
            ? html`<span class="brought" role="status">${opened}</span> <button type="button" @click=${this.back}>${MODEL_STRINGS.back}</button>`
            : html`<span class="hint">${MODEL_STRINGS.hint}</span>`
      }
      <input type="file" name="files" hidden multiple @change=${this.chosen}>
      <input type="file" name="folder" hidden webkitdirectory @change=${this.chosen}>
      ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
    </div>`;
  }

  /** Opens the files of a model for the page. Never rejects: an error is shown as one sentence. A second call cancels the first. */
  async take(files: readonly File[]): Promise<void> {
    const models = this.figure()?.languageModels;
    if (!models) return;
    if (files.length === 0) return this.say({ problem: MODEL_STRINGS.noFiles });
    const controller = new AbortController();
    this.opening = controller;
    const isLatest = (): boolean => this.opening === controller;
    this.say({ share: 0, opened: this.opened });
    const onProgress = ({ loaded, total }: ModelProgress): void => {
      if (isLatest()) this.say({ share: total > 0 ? loaded / total : 0, opened: this.opened });
    };
    try {
      const { name, model } = await models.open(files, { onProgress, signal: controller.signal });
      const { parameters, bytes } = model.info;
      if (isLatest()) this.say({ opened: MODEL_STRINGS.opened(name, inMillions(parameters), inMegabytes(bytes)) });
    } catch (thrown) {
      if (!isLatest()) return;
      this.say({ problem: controller.signal.aborted ? undefined : messageOf(thrown), opened: this.opened });
    }
  }

  private say({ problem, opened, share }: { problem?: string | undefined; opened?: string | undefined; share?: number | undefined }): void {
    this.problem = problem;
    this.opened = opened;
    this.share = share;
    this.host.requestUpdate();
  }

  private readonly cancel = (): void => {
    this.opening?.abort();
  };

  private readonly back = (): void => {
    this.figure()?.languageModels?.close();
    this.say({});
  };

  private readonly choose = (event: Event): void => {
    const button = event.target as HTMLElement;
    button.parentElement?.querySelector<HTMLInputElement>(`input[name=${button.dataset.input}]`)?.click();
  };

  private readonly chosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // Choosing the same files again is a change too.
    input.value = '';
    if (files.length > 0) void this.take(files);
  };

  private readonly over = (event: DragEvent): void => {
    if (!this.figure()?.languageModels || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.host.dataset.over = '';
  };

  private readonly leave = (event: DragEvent): void => {
    if (!(event.relatedTarget instanceof Node) || !this.host.contains(event.relatedTarget)) delete this.host.dataset.over;
  };

  private readonly drop = (event: DragEvent): void => {
    delete this.host.dataset.over;
    const { dataTransfer } = event;
    if (!this.figure()?.languageModels || !dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    void droppedFiles(dataTransfer).then(
      (files) => this.take(files),
      (thrown: unknown) => this.say({ problem: messageOf(thrown), opened: this.opened }),
    );
  };
}

/** For kinds of the language model of a page. */
export const takesModels = (): FileInput => ({ types: [], drop: (host, figure) => new ModelDrop(host, figure) });

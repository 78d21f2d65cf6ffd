// A page's language model: the shipped model, or one that the user opens.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { messageOf, PhasorError } from '../../engine/errors.ts';
import type { FileLike, ModelInfo, ModelProgress } from '../../engine/types/model-files.ts';
import type { CallOptions } from '../../engine/types/options.ts';
import type { LanguageModel } from '../contract/context.ts';

/** A model whose weights have not been read yet. */
export interface ModelSummary {
  readonly name: string;
  readonly info: ModelInfo;
  readonly fileBytes: number;
}

export interface OpenHooks {
  /** Called after the headers are read. The weights are read after the returned promise resolves. */
  readonly approve?: ((summary: ModelSummary) => Promise<void>) | undefined;
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined;
  readonly signal?: CallOptions['signal'];
}

/** Opens a model's files in a new worker, or the shipped model if `files` is undefined. */
export type LanguageModelOpener = (files: readonly FileLike[] | undefined, hooks: OpenHooks) => Promise<Omit<LanguageModel, 'key'>>;

export interface OpeningStatus {
  /** Fraction of the bytes that have been read, from 0 to 1. */
  readonly fraction?: number | undefined;
  /** The model in the opened files; undefined until their headers are read. */
  readonly summary?: ModelSummary | undefined;
  /** Starts reading the weights. Set only while a large model awaits the user's confirmation. */
  readonly accept?: (() => void) | undefined;
  /** The model that the user opened; undefined while the page shows its shipped model. */
  readonly openedModel?: ModelSummary | undefined;
  /** The reason why the last files could not be opened, as a sentence. */
  readonly problem?: string | undefined;
}

/** Weights larger than this are read only after the user confirms. */
const CONFIRMATION_BYTES = 64 * 2 ** 20;

const createCancelledError = () =>
  new PhasorError('cancelled', 'files: opening was cancelled, because another model was opened or the page was closed');

export class LanguageModels {
  readonly #openFiles: LanguageModelOpener;
  readonly #replacementSignal = signal(0);
  readonly #status = signal<OpeningStatus>({});
  #currentModel: Promise<LanguageModel> | undefined;
  #openingController: AbortController | undefined;
  #keyCount = 0;

  constructor(openFiles: LanguageModelOpener) {
    this.#openFiles = openFiles;
  }

  /** Number of times the model has been replaced. Figures are recomputed when it changes. */
  get replacementCount(): ReadonlySignal<number> {
    return this.#replacementSignal;
  }

  get status(): ReadonlySignal<OpeningStatus> {
    return this.#status;
  }

  /** Returns the page's model. If opening it failed, the next call tries again. */
  get(): Promise<LanguageModel> {
    if (this.#currentModel) return this.#currentModel;
    const openingModel = this.#open(undefined, {});
    this.#currentModel = openingModel;
    openingModel.catch(() => {
      if (this.#currentModel === openingModel) this.#currentModel = undefined;
    });
    return openingModel;
  }

  /**
   * Opens the user's model, which then replaces the page's model. A second call cancels the first.
   * @throws {PhasorError} rejects with `cancelled` or with the errors of `openModel`; the message is also in `status`
   */
  async open(files: readonly FileLike[]): Promise<LanguageModel> {
    this.#openingController?.abort();
    const controller = new AbortController();
    this.#openingController = controller;
    const { signal: abortSignal } = controller;
    const { openedModel: previousModel } = this.#status.peek();
    let summary: ModelSummary | undefined;
    const setStatus = (status: OpeningStatus): void => {
      if (!abortSignal.aborted) this.#status.value = { openedModel: previousModel, summary, ...status };
    };
    const approve = async (newSummary: ModelSummary): Promise<void> => {
      summary = newSummary;
      if (newSummary.info.bytes > CONFIRMATION_BYTES)
        await new Promise<void>((accept, reject) => {
          abortSignal.addEventListener('abort', () => reject(createCancelledError()), { once: true });
          setStatus({ accept });
        });
      setStatus({ fraction: 0 });
    };
    const onProgress = ({ loaded, total }: ModelProgress): void => setStatus({ fraction: total > 0 ? loaded / total : 0 });
    setStatus({ fraction: 0 });
    try {
      const model = await this.#open(files, { approve, onProgress, signal: abortSignal });
      if (abortSignal.aborted) {
        model.dispose();
        throw createCancelledError();
      }
      this.#replace(Promise.resolve(model));
      this.#status.value = { openedModel: summary };
      return model;
    } catch (thrown) {
      if (abortSignal.aborted) throw createCancelledError();
      this.#status.value = { openedModel: previousModel, problem: messageOf(thrown) };
      throw thrown;
    } finally {
      if (this.#openingController === controller) this.#openingController = undefined;
    }
  }

  /** Cancels opening a model and keeps the current one. */
  cancel(): void {
    this.#openingController?.abort();
    this.#status.value = { openedModel: this.#status.peek().openedModel };
  }

  /** Closes the opened model and returns to the shipped one. */
  close(): void {
    this.#openingController?.abort();
    this.#status.value = {};
    this.#replace(undefined);
  }

  /** Cancels opening a model and reports the reason. */
  reject(problem: string): void {
    this.cancel();
    this.report(problem);
  }

  report(problem: string): void {
    this.#status.value = { ...this.#status.peek(), problem };
  }

  /** Frees the memory of the model; the next call to `get` opens the shipped model again. */
  dispose(): void {
    this.#openingController?.abort();
    this.#status.value = {};
    disposeModel(this.#currentModel);
    this.#currentModel = undefined;
  }

  async #open(files: readonly FileLike[] | undefined, hooks: OpenHooks): Promise<LanguageModel> {
    const openedModel = await this.#openFiles(files, hooks);
    this.#keyCount += 1;
    return { ...openedModel, key: this.#keyCount };
  }

  #replace(nextModel: Promise<LanguageModel> | undefined): void {
    const previousModel = this.#currentModel;
    this.#currentModel = nextModel;
    // Notifies figures before the previous model is disposed of, so that they ignore errors from that model.
    this.#replacementSignal.value += 1;
    disposeModel(previousModel);
  }
}

const disposeModel = (model: Promise<LanguageModel> | undefined): void =>
  void model?.then(
    (openedModel) => openedModel.dispose(),
    () => {},
  );

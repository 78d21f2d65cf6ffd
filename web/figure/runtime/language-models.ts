// The language model of a page: the shipped one, opened when a figure first needs it, or the reader's, which replaces it for all figures. There is one at a
// time, in its own worker.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { PhasorError } from '../../engine/errors.ts';
import type { FileLike, ModelProgress } from '../../engine/types/model-files.ts';
import type { CallOptions } from '../../engine/types/options.ts';
import type { LanguageModel } from '../contract/context.ts';

export interface OpenHooks {
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined;
  readonly signal?: CallOptions['signal'];
}

/** Opens the files of a model, or without files the shipped one, in a new worker. */
export type OpenLanguageModel = (files: readonly FileLike[] | undefined, hooks: OpenHooks) => Promise<Omit<LanguageModel, 'key'>>;

const cancelled = () => new PhasorError('cancelled', 'files: another model was opened meanwhile, or the page has ended');

export class LanguageModels {
  readonly #openFiles: OpenLanguageModel;
  readonly #opened = signal(0);
  #current: Promise<LanguageModel> | undefined;
  #opening: AbortController | undefined;
  #keys = 0;

  constructor(openFiles: OpenLanguageModel) {
    this.#openFiles = openFiles;
  }

  /** Number of models that replaced another: figures of the previous one are then computed again. */
  get opened(): ReadonlySignal<number> {
    return this.#opened;
  }

  /** The model of the page. A failure is not stored: the next call tries again. */
  get(): Promise<LanguageModel> {
    if (this.#current) return this.#current;
    const opening = this.#open(undefined, {});
    this.#current = opening;
    opening.catch(() => {
      if (this.#current === opening) this.#current = undefined;
    });
    return opening;
  }

  /**
   * Opens the reader's model, which becomes that of the page; until then the previous one remains. A second call cancels the first.
   * @throws {PhasorError} as a rejection: as `openModel`, and `cancelled`
   */
  async open(files: readonly FileLike[], { onProgress, signal: outer }: OpenHooks = {}): Promise<LanguageModel> {
    this.#opening?.abort();
    const controller = new AbortController();
    this.#opening = controller;
    const abort = (): void => controller.abort();
    outer?.addEventListener('abort', abort, { once: true });
    if (outer?.aborted) abort();
    try {
      const opened = await this.#open(files, { onProgress, signal: controller.signal });
      if (controller.signal.aborted) {
        opened.model.dispose();
        throw cancelled();
      }
      this.#replace(Promise.resolve(opened));
      return opened;
    } finally {
      outer?.removeEventListener('abort', abort);
      if (this.#opening === controller) this.#opening = undefined;
    }
  }

  /** Returns to the shipped model. */
  close(): void {
    this.#opening?.abort();
    this.#replace(undefined);
  }

  /** Frees the memory; the next call of `get` opens the shipped model again. */
  dispose(): void {
    this.#opening?.abort();
    end(this.#current);
    this.#current = undefined;
  }

  async #open(files: readonly FileLike[] | undefined, hooks: OpenHooks): Promise<LanguageModel> {
    const opened = await this.#openFiles(files, hooks);
    this.#keys += 1;
    return { ...opened, key: this.#keys };
  }

  #replace(next: Promise<LanguageModel> | undefined): void {
    const before = this.#current;
    this.#current = next;
    // Figures request the next model before the previous one ends, whose rejections are then those of outdated requests.
    this.#opened.value += 1;
    end(before);
  }
}

const end = (model: Promise<LanguageModel> | undefined): void =>
  void model?.then(
    (opened) => opened.model.dispose(),
    () => {},
  );

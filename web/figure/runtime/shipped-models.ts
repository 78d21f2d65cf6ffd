// Loads the trained models that ship with Phasor (scripts/train/models.mjs). The index and the weights are loaded on first use.

import { messageOf } from '../../engine/errors.ts';
import type { EncodingConfig } from '../../engine/types/encodings.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import { type FileFetcher, fetchFile, fetchResponse } from '../../sentence/get-file.ts';

const STRINGS = {
  notLoaded: (url: string, reason: string) =>
    `models: ${url} could not be loaded (${reason}); expected this file in the folder set by the models-src attribute, as in the phasor-models package`,
  otherBytes: (bytes: number, expected: number) => `${bytes} bytes instead of ${expected}`,
  otherHash: (sha256: string, expected: string) => `SHA-256 ${sha256} instead of ${expected}`,
  noModel: (id: string, models: readonly ShippedModel[]) =>
    `models: no model has the id "${id}"; expected ${models.map((model) => model.id).join(', ')} (the phasor-models package contains all models)`,
} as const;

export interface ShippedScore {
  readonly length: number;
  /** Mean loss per target, in nats. */
  readonly loss: number;
  /** The score in the task's unit (`ShippedModel.score`). */
  readonly score: number;
}

export interface ShippedText {
  /** The path of the file, relative to the root of the site. */
  readonly file: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly sha256: string;
  /** The distinct characters of the text in the order of their token ids, with A to Z in lower case and white space as one space. */
  readonly symbols: string;
}

export interface ShippedModel {
  /** An id composed of the task and the encoding, such as 'text-rope'. */
  readonly id: string;
  /** The name of the experiment in docs/experiments.md, such as 'E2b'. */
  readonly experiment: string;
  /** The weights file, relative to `ShippedIndex.folder`. Its name contains the hash of the weights. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The config for `createTrainer`, without a corpus. */
  readonly spec: TrainConfig & { readonly encoding: EncodingConfig };
  /** The training text; undefined if the task does not use text. */
  readonly text?: ShippedText;
  readonly steps: number;
  /** The unit of `lengths[].score`, such as 'nats' or 'accuracy'. */
  readonly score: string;
  readonly chance: number;
  /** Scores for several sequence lengths. The first is the training length. */
  readonly lengths: readonly ShippedScore[];
  readonly metrics?: { readonly [name: string]: number };
  /** The training date, such as '2026-11-25'. */
  readonly trained: string;
  readonly command: string;
}

/** The content of index.json. It contains the training text only once, for all models. */
export interface ShippedIndex {
  /** The folder of the weights, relative to the index; default: the same folder. */
  readonly folder?: string;
  readonly text: ShippedText;
  readonly models: readonly ShippedModel[];
}

/** Creates a placeholder corpus that contains exactly these symbols and is long enough for samples of `length` tokens. */
export const createCorpus = (symbols: string, length: number): string => symbols.repeat(Math.ceil((24 * (length + 2)) / symbols.length));

async function computeSha256(bytes: ArrayBuffer): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** If more models than this are loaded, idle models are disposed of. */
const MAX_LOADED_MODELS = 4;

const createModelKey = (id: string, encoding: EncodingConfig): string =>
  JSON.stringify([id, encoding], (_, entry) => (ArrayBuffer.isView(entry) ? Array.from(entry as Float32Array) : entry));

interface LoadedModel {
  readonly trainer: Promise<Trainer>;
  users: number;
  isLost?: boolean;
}

type TrainerFactory = (config: TrainConfig) => Promise<Trainer>;

export class ShippedModels {
  /** Whether the hash of the weights can be checked. Browsers provide no hash functions on insecure origins. */
  readonly canHash = globalThis.crypto?.subtle !== undefined;
  private index: Promise<readonly ShippedModel[]> | undefined;
  private filesUrl: URL | undefined;
  private readonly otherFiles = new Map<string, Promise<ArrayBuffer>>();
  private readonly loadedModels = new Map<string, LoadedModel>();

  /**
   * @param indexUrl the URL of the index
   * @param createTrainer creates a trainer, as in phasor/train
   * @param createSharedTrainer creates a trainer for a model shared by several figures, possibly in the memory of the page's engine
   */
  constructor(
    private readonly indexUrl: string | URL,
    private readonly createTrainer: TrainerFactory,
    private readonly fetcher: FileFetcher = fetchFile,
    private readonly createSharedTrainer: TrainerFactory = createTrainer,
  ) {}

  /** Returns all models, with text models first. */
  async list(): Promise<readonly ShippedModel[]> {
    const url = new URL(this.indexUrl);
    this.index ??= fetchResponse(this.fetcher, url)
      .then((response) => response.json())
      .then(({ folder = '.', text, models }: ShippedIndex) => {
        this.filesUrl = new URL(folder, url);
        return models.map((model) => (model.spec.task === 'text' ? { ...model, text } : model));
      });
    try {
      return await this.index;
    } catch (thrown) {
      // Allows the next call to retry.
      this.index = undefined;
      throw new Error(STRINGS.notLoaded(url.href, messageOf(thrown)));
    }
  }

  /** Finds a model by id. If there is none, rejects with an Error that lists all ids. */
  async find(id: string): Promise<ShippedModel> {
    const models = await this.list();
    const model = models.find((model) => model.id === id);
    if (!model) throw new Error(STRINGS.noModel(id, models));
    return model;
  }

  /**
   * Loads a file from the weights folder, at most once.
   * @param bytes the expected length of the file
   */
  async loadFile(name: string, bytes: number): Promise<ArrayBuffer> {
    await this.list();
    const url = new URL(name, this.filesUrl);
    const pendingFile = this.otherFiles.get(name) ?? fetchResponse(this.fetcher, url).then((response) => response.arrayBuffer());
    this.otherFiles.set(name, pendingFile);
    try {
      const { byteLength } = await pendingFile;
      if (byteLength !== bytes) throw new Error(STRINGS.otherBytes(byteLength, bytes));
      return await pendingFile;
    } catch (thrown) {
      // Allows the next call to retry.
      this.otherFiles.delete(name);
      throw new Error(STRINGS.notLoaded(url.href, messageOf(thrown)));
    }
  }

  /** Loads the weights of a model, and checks their hash if possible. */
  private async loadWeights({ file, bytes, sha256 }: ShippedModel): Promise<ArrayBuffer> {
    const url = new URL(file, this.filesUrl);
    try {
      const weights = await (await fetchResponse(this.fetcher, url)).arrayBuffer();
      if (weights.byteLength !== bytes) throw new Error(STRINGS.otherBytes(weights.byteLength, bytes));
      const digest = this.canHash ? await computeSha256(weights) : sha256;
      if (digest !== sha256) throw new Error(STRINGS.otherHash(digest, sha256));
      return weights;
    } catch (thrown) {
      throw new Error(STRINGS.notLoaded(url.href, messageOf(thrown)));
    }
  }

  /**
   * Calls `use` with a model and returns the result. The model stays in memory, so that other figures of the page can use it.
   * @param encoding parameters that override those used in training. They must not change the number of weights.
   */
  async use<Result>(id: string, encoding: EncodingConfig, use: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const key = createModelKey(id, encoding);
    const cachedModel = this.loadedModels.get(key);
    const loadedModel = cachedModel ?? { trainer: this.loadWith(this.createSharedTrainer, id, undefined, encoding), users: 0 };
    // The most recently used model is the last in the map.
    this.loadedModels.delete(key);
    this.loadedModels.set(key, loadedModel);
    loadedModel.users += 1;
    try {
      return await use(await loadedModel.trainer);
    } catch (thrown) {
      // The model may have been lost with its worker. The next call loads it again.
      if (this.loadedModels.get(key) === loadedModel) this.loadedModels.delete(key);
      loadedModel.isLost = true;
      throw thrown;
    } finally {
      loadedModel.users -= 1;
      if (loadedModel.isLost) this.disposeUnused(loadedModel);
      for (const [name, idleModel] of [...this.loadedModels].slice(0, Math.max(0, this.loadedModels.size - MAX_LOADED_MODELS))) {
        if (idleModel.users > 0) continue;
        this.loadedModels.delete(name);
        this.disposeUnused(idleModel);
      }
    }
  }

  /**
   * Whether a model is in memory or already being loaded.
   * @param encoding as in `use`
   */
  isLoaded(id: string, encoding: EncodingConfig): boolean {
    return this.loadedModels.has(createModelKey(id, encoding));
  }

  private disposeUnused({ trainer, users }: LoadedModel): void {
    if (users > 0) return;
    trainer.then(
      (loadedModel) => loadedModel.dispose(),
      () => {},
    );
  }

  /**
   * Creates the model with its initial random weights, as before training. The caller must dispose of it.
   * @param corpus as in `load`
   */
  start(id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    return this.startWith(this.createTrainer, id, corpus, encoding);
  }

  private async startWith(create: TrainerFactory, id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    const { spec: trainedConfig, text, lengths } = await this.find(id);
    const config = encoding
      ? { ...trainedConfig, encoding: { ...(trainedConfig.encoding as object), ...(encoding as object) } as EncodingConfig }
      : trainedConfig;
    const maxLength = Math.max(...lengths.map(({ length }) => length));
    return create(text ? { ...config, corpus: corpus ?? createCorpus(text.symbols, maxLength) } : config);
  }

  /**
   * Loads the trained model. The caller must dispose of it. Without a corpus, a text model uses a placeholder corpus with the same symbols,
   * which suffices for attention and logits, but not for evaluation or further training.
   */
  load(id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    return this.loadWith(this.createTrainer, id, corpus, encoding);
  }

  private async loadWith(create: TrainerFactory, id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    const weights = await this.loadWeights(await this.find(id));
    const trainer = await this.startWith(create, id, corpus, encoding);
    try {
      await trainer.loadWeights(weights);
      return trainer;
    } catch (thrown) {
      trainer.dispose();
      throw thrown;
    }
  }
}

// Trained models that ship (scripts/train/models.mjs): their index, and any of them as a trainer. The index is loaded on first use, and the weights
// of a model with that model.

import { messageOf } from '../../engine/errors.ts';
import type { EncodingConfig } from '../../engine/types/encodings.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import { fetchFile, type GetFile, readFrom } from '../../sentence/get-file.ts';

const STRINGS = {
  notLoaded: (address: string, why: string) =>
    `models: ${address} could not be loaded (${why}); it is in the package phasor-models and in the folder models/ of the website; set the attribute models-src of a figure to the URL of that folder`,
  otherBytes: (bytes: number, expected: number) => `it has ${bytes} bytes instead of ${expected}`,
  otherHash: (sha256: string, expected: string) => `it has the SHA-256 ${sha256} instead of ${expected}`,
  noModel: (id: string, all: readonly ShippedModel[]) =>
    `no model "${id}" here; expected ${all.map((model) => model.id).join(', ')}. The website and the package phasor-models have all`,
} as const;

/** The score of a model at one length in tokens. */
export interface ShippedScore {
  readonly length: number;
  /** Loss in nats per target. */
  readonly loss: number;
  /** Score in the unit of the task. */
  readonly score: number;
}

export interface ShippedText {
  /** Its path below the root of the site. */
  readonly file: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly sha256: string;
  /** All symbols, in the order of their tokens. */
  readonly symbols: string;
}

export interface ShippedModel {
  /** Task and encoding: 'text-rope'. */
  readonly id: string;
  /** Experiment in docs/experiments.md: 'E2b'. */
  readonly experiment: string;
  /** The file of its weights, in the folder of the index; their hash is part of the name. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The config for `createTrainer`, without a corpus. */
  readonly spec: TrainConfig & { readonly encoding: EncodingConfig };
  /** Its training text, if the task reads one. */
  readonly text?: ShippedText;
  readonly steps: number;
  /** The unit of `lengths[].score`: 'nats', 'accuracy'. */
  readonly score: string;
  readonly chance: number;
  /** Scores by length; the first is the training length. */
  readonly lengths: readonly ShippedScore[];
  /** The further metrics of its task, by name. */
  readonly metrics?: { readonly [name: string]: number };
  /** The date: '2026-11-25'. */
  readonly trained: string;
  /** The command of its training. */
  readonly command: string;
}

/** The content of index.json, which contains the text once. */
export interface ShippedIndex {
  /** The folder of the weights, relative to the index; default: the same folder. */
  readonly folder?: string;
  readonly text: ShippedText;
  readonly models: readonly ShippedModel[];
}

/** A text with exactly these symbols, long enough for samples of `length` tokens. */
export const corpusFromAlphabet = (symbols: string, length: number): string =>
  symbols.repeat(Math.ceil((24 * (length + 2)) / symbols.length));

async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Maximum number of unused models in memory: those of the buttons of a figure. */
const MOST_LOADED = 4;

const keyOf = (id: string, encoding: EncodingConfig): string =>
  JSON.stringify([id, encoding], (_, part) => (ArrayBuffer.isView(part) ? Array.from(part as Float32Array) : part));

interface LoadedModel {
  readonly trainer: Promise<Trainer>;
  users: number;
  isLost?: boolean;
}

type CreateTrainer = (spec: TrainConfig) => Promise<Trainer>;

export class ShippedModels {
  /** Whether weights are verified by their hash: browsers compute no hashes on pages of insecure origins. */
  readonly canHash = globalThis.crypto?.subtle !== undefined;
  private index: Promise<readonly ShippedModel[]> | undefined;
  private files: URL | undefined;
  private readonly others = new Map<string, Promise<ArrayBuffer>>();
  private readonly loaded = new Map<string, LoadedModel>();

  /**
   * @param position the URL of the index
   * @param createTrainer of phasor/train, or one with the page's WebAssembly
   * @param createShared the same for models that several figures use, possibly in the memory of the page's engine
   */
  constructor(
    private readonly position: string | URL,
    private readonly createTrainer: CreateTrainer,
    private readonly get: GetFile = fetchFile,
    private readonly createShared: CreateTrainer = createTrainer,
  ) {}

  /** All models, those of a text first. */
  async list(): Promise<readonly ShippedModel[]> {
    const address = new URL(this.position);
    this.index ??= readFrom(this.get, address)
      .then((response) => response.json())
      .then(({ folder = '.', text, models }: ShippedIndex) => {
        this.files = new URL(folder, address);
        return models.map((model) => (model.spec.task === 'text' ? { ...model, text } : model));
      });
    try {
      return await this.index;
    } catch (thrown) {
      // The next call retries.
      this.index = undefined;
      throw new Error(STRINGS.notLoaded(address.href, messageOf(thrown)));
    }
  }

  /** The model of this id. Rejects with the existing ids if there is none. */
  async find(id: string): Promise<ShippedModel> {
    const all = await this.list();
    const found = all.find((model) => model.id === id);
    if (!found) throw new Error(STRINGS.noModel(id, all));
    return found;
  }

  /** Another file of the folder, loaded once. @param bytes its length */
  async otherFile(name: string, bytes: number): Promise<ArrayBuffer> {
    await this.list();
    const address = new URL(name, this.files);
    const loading = this.others.get(name) ?? readFrom(this.get, address).then((response) => response.arrayBuffer());
    this.others.set(name, loading);
    try {
      const { byteLength } = await loading;
      if (byteLength !== bytes) throw new Error(STRINGS.otherBytes(byteLength, bytes));
      return await loading;
    } catch (thrown) {
      // The next call retries.
      this.others.delete(name);
      throw new Error(STRINGS.notLoaded(address.href, messageOf(thrown)));
    }
  }

  /** The weights of a model, verified against its index. */
  private async weightsOf({ file, bytes, sha256 }: ShippedModel): Promise<ArrayBuffer> {
    const address = new URL(file, this.files);
    try {
      const weights = await (await readFrom(this.get, address)).arrayBuffer();
      if (weights.byteLength !== bytes) throw new Error(STRINGS.otherBytes(weights.byteLength, bytes));
      const digest = this.canHash ? await sha256Of(weights) : sha256;
      if (digest !== sha256) throw new Error(STRINGS.otherHash(digest, sha256));
      return weights;
    } catch (thrown) {
      throw new Error(STRINGS.notLoaded(address.href, messageOf(thrown)));
    }
  }

  /**
   * The result of `use` for a model that stays in memory, for any figure of the page.
   * @param encoding parameters that replace those of its training; the weights are the same. Rejects for a parameter that changes the
   * number of weights.
   */
  async use<Result>(id: string, encoding: EncodingConfig, use: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const key = keyOf(id, encoding);
    const known = this.loaded.get(key);
    const one = known ?? { trainer: this.loadIn(this.createShared, id, undefined, encoding), users: 0 };
    // Moves the model to the end, as the latest used.
    this.loaded.delete(key);
    this.loaded.set(key, one);
    one.users += 1;
    try {
      return await use(await one.trainer);
    } catch (thrown) {
      // The model may have been lost with its worker: the next call loads it again.
      if (this.loaded.get(key) === one) this.loaded.delete(key);
      one.isLost = true;
      throw thrown;
    } finally {
      one.users -= 1;
      if (one.isLost) this.end(one);
      for (const [name, idle] of [...this.loaded].slice(0, Math.max(0, this.loaded.size - MOST_LOADED))) {
        if (idle.users > 0) continue;
        this.loaded.delete(name);
        this.end(idle);
      }
    }
  }

  /** Whether `use` of a model needs no file. @param encoding as for `use` */
  isLoaded(id: string, encoding: EncodingConfig): boolean {
    return this.loaded.has(keyOf(id, encoding));
  }

  private end({ trainer, users }: LoadedModel): void {
    if (users > 0) return;
    trainer.then(
      (one) => one.dispose(),
      () => {},
    );
  }

  /** The model before training, with its initial random weights; the caller disposes of it. @param corpus as for `load` */
  start(id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    return this.startIn(this.createTrainer, id, corpus, encoding);
  }

  private async startIn(create: CreateTrainer, id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    const { spec: trained, text, lengths } = await this.find(id);
    const spec = encoding
      ? { ...trained, encoding: { ...(trained.encoding as object), ...(encoding as object) } as EncodingConfig }
      : trained;
    const longest = Math.max(...lengths.map(({ length }) => length));
    return create(text ? { ...spec, corpus: corpus ?? corpusFromAlphabet(text.symbols, longest) } : spec);
  }

  /**
   * The trained model; the caller disposes of it. Attention and logits need no other file. Evaluating a model of a text, or continuing its
   * training, requires its corpus, which is larger than all files here; without it a stand-in with the same symbols is used.
   */
  load(id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    return this.loadIn(this.createTrainer, id, corpus, encoding);
  }

  private async loadIn(create: CreateTrainer, id: string, corpus?: string, encoding?: EncodingConfig): Promise<Trainer> {
    const weights = await this.weightsOf(await this.find(id));
    const trainer = await this.startIn(create, id, corpus, encoding);
    try {
      await trainer.loadWeights(weights);
      return trainer;
    } catch (thrown) {
      trainer.dispose();
      throw thrown;
    }
  }
}

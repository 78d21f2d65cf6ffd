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

/** The score of a model at one length, in tokens. */
export interface ShippedScore {
  readonly length: number;
  /** Nats per target. */
  readonly loss: number;
  /** In the unit of the task. */
  readonly score: number;
}

export interface ShippedText {
  /** Its path below the root of the site. */
  readonly file: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly sha256: string;
  /** All of its symbols, in the order of their tokens. */
  readonly symbols: string;
}

export interface ShippedModel {
  /** Task and encoding: 'text-rope'. */
  readonly id: string;
  /** Of docs/experiments.md: 'E2b'. */
  readonly experiment: string;
  /** Its weights, beside the index; their hash is part of the name. */
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
  /** The first is the training length. */
  readonly lengths: readonly ShippedScore[];
  /** The further metrics of its task, by name. */
  readonly metrics?: { readonly [name: string]: number };
  /** The date: '2026-11-25'. */
  readonly trained: string;
  /** The command of its training. */
  readonly command: string;
}

/** The file index.json, with the text once. */
export interface ShippedIndex {
  /** The folder of the weights, relative to the index; default: the same folder. */
  readonly folder?: string;
  readonly text: ShippedText;
  readonly models: readonly ShippedModel[];
}

/** A text with exactly these symbols, long enough for items of `length` tokens. */
export const corpusFromAlphabet = (symbols: string, length: number): string =>
  symbols.repeat(Math.ceil((24 * (length + 2)) / symbols.length));

async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class ShippedModels {
  /** Whether weights are verified by their hash: browsers have no hashes on pages of insecure origins. */
  readonly canHash = globalThis.crypto?.subtle !== undefined;
  private index: Promise<readonly ShippedModel[]> | undefined;
  private files: URL | undefined;

  /** @param position the URL of the index @param createTrainer of phasor/train, or one with the page's WebAssembly */
  constructor(
    private readonly position: string | URL,
    private readonly createTrainer: (spec: TrainConfig) => Promise<Trainer>,
    private readonly get: GetFile = fetchFile,
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
      // The next call tries again.
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

  /** The weights of a model, compared with its index. */
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

  /** The model before training, with its initial random weights; the caller disposes of it. @param corpus as for `load` */
  async start(id: string, corpus?: string): Promise<Trainer> {
    const { spec, text, lengths } = await this.find(id);
    const longest = Math.max(...lengths.map(({ length }) => length));
    return this.createTrainer(text ? { ...spec, corpus: corpus ?? corpusFromAlphabet(text.symbols, longest) } : spec);
  }

  /**
   * The model with its weights; the caller disposes of it. Attention and logits need nothing else. Evaluating a model of a text, or continuing its
   * training, requires its corpus, which is larger than all files here; without it a stand-in with the same symbols is used.
   */
  async load(id: string, corpus?: string): Promise<Trainer> {
    const weights = await this.weightsOf(await this.find(id));
    const trainer = await this.start(id, corpus);
    try {
      await trainer.loadWeights(weights);
      return trainer;
    } catch (thrown) {
      trainer.dispose();
      throw thrown;
    }
  }
}

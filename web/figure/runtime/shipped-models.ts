// Models that are trained already (scripts/train/models.mjs): their index, and any of them as a trainer. The index is fetched when it is first used
// for, and the weights of a model when that one is.

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

/** How well a model does at one length, in tokens. */
export interface ShippedScore {
  readonly length: number;
  /** Nats for each target. */
  readonly loss: number;
  /** In the unit of the task. */
  readonly score: number;
}

export interface ShippedText {
  /** Its place below the root of the site. */
  readonly file: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly sha256: string;
  /** All that it consists of, in the order of their tokens. */
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
  /** What `createTrainer` takes; a corpus is left out. */
  readonly spec: TrainConfig & { readonly encoding: EncodingConfig };
  /** What it has read, where its task reads a text. */
  readonly text?: ShippedText;
  readonly steps: number;
  /** What `lengths[].score` is: 'nats', 'accuracy'. */
  readonly score: string;
  readonly chance: number;
  /** The first is the length of training. */
  readonly lengths: readonly ShippedScore[];
  /** What else its task measures, by name. */
  readonly metrics?: { readonly [name: string]: number };
  /** The date: '2026-11-25'. */
  readonly trained: string;
  /** What was typed to train it. */
  readonly command: string;
}

/** The file index.json, which has the text once. */
export interface ShippedIndex {
  /** The folder of the weights, relative to the index; default: its own. */
  readonly folder?: string;
  readonly text: ShippedText;
  readonly models: readonly ShippedModel[];
}

/** A text with these symbols and no others, long enough for items of `length` tokens. */
export const corpusFromAlphabet = (symbols: string, length: number): string =>
  symbols.repeat(Math.ceil((24 * (length + 2)) / symbols.length));

async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class ShippedModels {
  /** Whether weights are compared with the hash of their model: browsers give pages of insecure addresses no hashes. */
  readonly canHash = globalThis.crypto?.subtle !== undefined;
  private index: Promise<readonly ShippedModel[]> | undefined;
  private files: URL | undefined;

  /**
   * @param place the address of the index
   * @param createTrainer of phasor/train, or one that knows where a page has its WebAssembly
   */
  constructor(
    private readonly place: string | URL,
    private readonly createTrainer: (spec: TrainConfig) => Promise<Trainer>,
    private readonly get: GetFile = fetchFile,
  ) {}

  /** All models, those of a text first. */
  async list(): Promise<readonly ShippedModel[]> {
    const address = new URL(this.place);
    this.index ??= readFrom(this.get, address)
      .then((response) => response.json())
      .then(({ folder = '.', text, models }: ShippedIndex) => {
        this.files = new URL(folder, address);
        return models.map((model) => (model.spec.task === 'text' ? { ...model, text } : model));
      });
    try {
      return await this.index;
    } catch (thrown) {
      // The next one tries again.
      this.index = undefined;
      throw new Error(STRINGS.notLoaded(address.href, messageOf(thrown)));
    }
  }

  /** The model of this id. Rejects, and names those that there are, where there is none. */
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

  /**
   * The model before it was trained, with the random weights that training began with; the caller disposes of it.
   * @param corpus as for `load`
   */
  async start(id: string, corpus?: string): Promise<Trainer> {
    const { spec, text, lengths } = await this.find(id);
    const longest = Math.max(...lengths.map(({ length }) => length));
    return this.createTrainer(text ? { ...spec, corpus: corpus ?? corpusFromAlphabet(text.symbols, longest) } : spec);
  }

  /**
   * The model with its weights; the caller disposes of it. Attention and logits need nothing but that. To evaluate a model of a text, or to go on
   * training it, its corpus has to be given, which has more bytes than all that this one needs; without it a stand-in of the same symbols is read.
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

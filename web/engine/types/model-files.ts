// The files of a published model, and how they are opened: the interface of phasor/model.

import type { CallOptions, PhasorOptions, UrlInput, WorkerOptions } from './options.ts';

/** A part of a file in memory, as `Blob.slice` returns it. */
interface BlobLike {
  /** Its bytes. */
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** The required members of a `File`. */
export interface FileLike {
  /** 'model.safetensors'. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes [begin, end). */
  readonly slice: (begin: number, end: number) => BlobLike;
}

/** A file that is read by ranges from elsewhere, such as a server. */
export interface ReadableFile {
  /** 'model.safetensors'. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes [begin, end), at most 8 MiB at a time. */
  readonly read: (begin: number, end: number) => Promise<Uint8Array>;
}

/**
 * A checkpoint in the layout of Hugging Face: config.json and model.safetensors, or several files with model.safetensors.index.json. Other
 * files are ignored. Or one GGUF file of llama.cpp. In Node also the path of a folder or of a GGUF file.
 */
export type ModelFiles = UrlInput | readonly (FileLike | ReadableFile)[];

/** Token ids, as tokenizers return them. */
export interface EncodedText {
  /** The ids of the tokens. */
  readonly ids: TokenIds;
}

/** Text to token ids and back, such as a `Tokenizer` of @huggingface/tokenizers. */
export interface Tokenizer {
  /** The ids of a text, alone or as `ids`. */
  readonly encode: (text: string) => TokenIds | EncodedText | Promise<TokenIds | EncodedText>;
  /** The text of token ids. */
  readonly decode: (ids: number[]) => string | Promise<string>;
}

/** Token ids: a list or a typed array. */
export type TokenIds = ArrayLike<number>;

/** The config.json of a model, as text or parsed. */
export type ModelConfig = string | object;

/** The properties of a model from the headers of its files. */
export interface ModelInfo {
  /** `model_type` of config.json: 'llama'. */
  readonly modelType: string;
  /** Number of layers. */
  readonly layers: number;
  /** Query heads per layer. */
  readonly heads: number;
  /** Key and value heads per layer; fewer than `heads` with grouped-query attention. */
  readonly kvHeads: number;
  /** Channels of a head. */
  readonly headDim: number;
  /** Channels of a hidden state. */
  readonly hiddenSize: number;
  /** Number of token ids. */
  readonly vocabSize: number;
  /** Whether a token attends only to itself and earlier ones. */
  readonly causal: boolean;
  /** Whether the model has an output head, which computes logits from hidden states. */
  readonly hasHead: boolean;
  /** Number of weights. */
  readonly parameters: number;
  /** Bytes of the weights in memory. While they are read, 16 MiB more are needed; a run needs memory for its hidden states and results. */
  readonly bytes: number;
}

/** Options of `inspectModel`. */
export interface InspectModelOptions extends PhasorOptions {
  /** The config, instead of config.json among the files. */
  readonly config?: ModelConfig | undefined;
  /** Aborting rejects with the code 'cancelled'. */
  readonly signal?: CallOptions['signal'];
}

/** The progress of reading the files of a model. */
export interface ModelProgress {
  /** Bytes of the files that were read, or that no layer needs. */
  readonly loaded: number;
  /** Bytes of all weight files. */
  readonly total: number;
}

/** Options of opening a model on any thread. */
interface OpeningOptions extends InspectModelOptions {
  /** Called after each chunk of 8 MiB. An exception stops the reading. */
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined;
  /** A tokenizer, which allows texts instead of token ids. */
  readonly tokenizer?: Tokenizer | undefined;
}

/** Options of `openModel`. */
export interface OpenModelOptions extends OpeningOptions {}

/** Options of `openModelWorker`. */
export interface OpenModelWorkerOptions extends OpeningOptions, WorkerOptions {}

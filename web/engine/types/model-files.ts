// The files of a published model, and the options for opening them in phasor/model.

import type { CallOptions, PhasorOptions, UrlInput, WorkerOptions } from './options.ts';

/** A part of a file, as returned by `Blob.slice`. */
interface BlobLike {
  /** Reads the bytes of the part. */
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** The members of a `File` that are used. */
export interface FileLike {
  /** The name of the file, such as 'model.safetensors'. */
  readonly name: string;
  /** The size in bytes. */
  readonly size: number;
  /** Returns the bytes [begin, end) as a blob. */
  readonly slice: (begin: number, end: number) => BlobLike;
}

/** A file that the caller reads range by range, for example from a server. */
export interface ReadableFile {
  /** The name of the file, such as 'model.safetensors'. */
  readonly name: string;
  /** The size in bytes. */
  readonly size: number;
  /** Reads the bytes [begin, end). At most 8 MiB are requested at once. */
  readonly read: (begin: number, end: number) => Promise<Uint8Array>;
}

/**
 * The files of a Hugging Face checkpoint (config.json and model.safetensors, or several files with model.safetensors.index.json; other
 * files are ignored), or one GGUF file of llama.cpp. In Node, also the path of a folder or of a GGUF file.
 */
export type ModelFiles = UrlInput | readonly (FileLike | ReadableFile)[];

/** The result of a tokenizer. */
export interface EncodedText {
  /** The ids of the tokens. */
  readonly ids: TokenIds;
}

/** Converts between text and token ids, like a `Tokenizer` of @huggingface/tokenizers. */
export interface Tokenizer {
  /** Returns the token ids of a text: a list, or an object with the list `ids`. */
  readonly encode: (text: string) => TokenIds | EncodedText | Promise<TokenIds | EncodedText>;
  /** Returns the text of token ids. */
  readonly decode: (ids: number[]) => string | Promise<string>;
}

/** Token ids: a list or a typed array. */
export type TokenIds = ArrayLike<number>;

/** The config.json of a model, as text or as a parsed object. */
export type ModelConfig = string | object;

/** The properties of a model, read from the headers of its files. */
export interface ModelInfo {
  /** `model_type` of config.json, such as 'llama'. */
  readonly modelType: string;
  /** Number of layers. */
  readonly layers: number;
  /** Query heads per layer. */
  readonly heads: number;
  /** Key and value heads per layer. With grouped-query attention, there are fewer than `heads`. */
  readonly kvHeads: number;
  /** Channels of a head. */
  readonly headDim: number;
  /** Channels of a hidden state. */
  readonly hiddenSize: number;
  /** Number of token ids. */
  readonly vocabSize: number;
  /** Whether a token attends only to itself and to earlier tokens. */
  readonly causal: boolean;
  /** Whether the model has an output head, which computes logits from hidden states. */
  readonly hasHead: boolean;
  /** Number of weights. */
  readonly parameters: number;
  /** Memory of the weights in bytes. Reading the files needs another 16 MiB. A run also needs memory for hidden states and results. */
  readonly bytes: number;
}

/** Options of `inspectModel`. */
export interface InspectModelOptions extends PhasorOptions {
  /** The config to use instead of config.json, which may then be missing from the files. Rejected with a GGUF file. */
  readonly config?: ModelConfig | undefined;
  /** Aborting this signal rejects the call with the code 'cancelled'. */
  readonly signal?: CallOptions['signal'];
}

/** How much of a model's files has been read. */
export interface ModelProgress {
  /** Number of bytes that were read or skipped. */
  readonly loaded: number;
  /** Number of bytes of all weight files. */
  readonly total: number;
}

/** Options for opening a model on any thread. */
interface OpeningOptions extends InspectModelOptions {
  /** Called after each chunk of 8 MiB. If it throws, reading stops. */
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined;
  /** With a tokenizer, calls accept texts in place of token ids. */
  readonly tokenizer?: Tokenizer | undefined;
}

/** Options of `openModel`. */
export interface OpenModelOptions extends OpeningOptions {}

/** Options of `openModelWorker`. */
export interface OpenModelWorkerOptions extends OpeningOptions, WorkerOptions {}

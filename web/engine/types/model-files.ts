// The files of a published model, and the options for opening them in phasor/model.

import type { CallOptions, PhasorOptions, UrlInput, WorkerOptions } from './options.ts';

/** A slice of a file, as returned by `Blob.slice`. */
interface BlobLike {
  /** Reads the bytes of the slice. */
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** The members of `File` that Phasor uses. */
export interface FileLike {
  /** The name of the file, such as 'model.safetensors'. */
  readonly name: string;
  /** The size in bytes. */
  readonly size: number;
  /** Returns the bytes [begin, end) as a blob. */
  readonly slice: (begin: number, end: number) => BlobLike;
}

/** A file whose byte ranges the caller reads on request, for example from a server. */
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
 * files are ignored), or one GGUF file of llama.cpp. In Node, it may also be the path of a folder or of a GGUF file.
 */
export type ModelFiles = UrlInput | readonly (FileLike | ReadableFile)[];

/** An encoded text, in the form that some tokenizers return. */
export interface EncodedText {
  /** The ids of the tokens. */
  readonly ids: TokenIds;
}

/** Converts between text and token ids, like `Tokenizer` in @huggingface/tokenizers. */
export interface Tokenizer {
  /** Returns the token ids of `text`: an array, or an object with the array `ids`. */
  readonly encode: (text: string) => TokenIds | EncodedText | Promise<TokenIds | EncodedText>;
  /** Decodes token ids to text. */
  readonly decode: (ids: number[]) => string | Promise<string>;
}

/** Token ids, as an array or a typed array. */
export type TokenIds = ArrayLike<number>;

/** A model's config.json, as JSON text or as a parsed object. */
export type ModelConfig = string | object;

/** The properties of a model, read from the headers of its files. */
export interface ModelInfo {
  /** `model_type` of config.json, such as 'llama'. */
  readonly modelType: string;
  /** Number of layers. */
  readonly layers: number;
  /** Number of query heads per layer. */
  readonly heads: number;
  /** Number of key and value heads per layer; less than `heads` with grouped-query attention. */
  readonly kvHeads: number;
  /** Number of channels per head. */
  readonly headDim: number;
  /** Number of channels per hidden state. */
  readonly hiddenSize: number;
  /** Number of tokens in the vocabulary. */
  readonly vocabSize: number;
  /** Whether a token attends only to itself and to earlier tokens. */
  readonly causal: boolean;
  /** Whether the model has an output head, which computes logits from hidden states. */
  readonly hasHead: boolean;
  /** Number of weights. */
  readonly parameters: number;
  /** Memory of the weights in bytes. Loading the files needs another 16 MiB, and each run needs memory for hidden states and results. */
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
  /** Number of bytes read or skipped so far. */
  readonly loaded: number;
  /** Total size of the weight files in bytes. */
  readonly total: number;
}

/** Options for opening a model on any thread. */
interface OpeningOptions extends InspectModelOptions {
  /** Called after each chunk of 8 MiB. If it throws, reading stops. */
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined;
  /** The tokenizer of the model. If set, calls accept strings in place of token ids. */
  readonly tokenizer?: Tokenizer | undefined;
}

/** Options of `openModel`. */
export interface OpenModelOptions extends OpeningOptions {}

/** Options of `openModelWorker`. */
export interface OpenModelWorkerOptions extends OpeningOptions, WorkerOptions {}

// The engine and the services of the page that a kind of figure may use to compute its numbers.
import type { Report } from '../../engine/doctor/report.ts';
import type { DiagnoseRequest } from '../../engine/doctor/requests.ts';
import type { RemotePhasor } from '../../engine/index.ts';
import type { Model } from '../../engine/types/model-runs.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { AsyncTokenizer } from '../../tokenizer/async-tokenizer.ts';
import type { FigureCache } from '../runtime/outcome.ts';
import type { Pace } from '../runtime/pace.ts';
import type { Photographs } from '../runtime/photographs.ts';
import type { ShippedModels } from '../runtime/shipped-models.ts';

/** The methods of an engine that kinds may call to compute the numbers of a figure. */
export type Engine = Pick<RemotePhasor, Exclude<keyof RemotePhasor, 'dispose' | 'variant' | 'version'>>;

/** Word vectors that are loaded on demand. */
export interface Vocabulary {
  readonly meanNorm: number;
  readonly problem: string | undefined;
  prepare(words: readonly string[]): Promise<void>;
  vector(word: string): Float32Array | undefined;
  /** Clears a failure, so that the next unknown word loads the vectors again. */
  retry?(): void;
}

/** Returns the report on a request to `diagnose` of phasor/doctor. Rejects with a PhasorError. */
export type Diagnose = (request: DiagnoseRequest, signal?: AbortSignal) => Promise<Report>;

/** A published language model in a separate worker, shared by the figures of a page, and its tokenizer. */
export interface LanguageModel {
  /** A number that is unique among the models of the page. */
  readonly key: number;
  /** The name of the model: 'austen', or the name of the reader's folder or file. */
  readonly name: string;
  readonly isShipped: boolean;
  readonly model: Model;
  /** Undefined if the files contain no usable tokenizer: a text then consists of token ids. */
  readonly tokenizer?: AsyncTokenizer | undefined;
  /** The reason why there is no tokenizer, as a sentence. */
  readonly tokenizerProblem?: string | undefined;
  /** The text of config.json; undefined for a GGUF file. */
  readonly config?: string | undefined;
  /** The metadata of a GGUF file, with lists represented by their offsets in the file. */
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
  /** The number of positions in the config; for the shipped model, the length of the longest training text. */
  readonly contextLength?: number | undefined;
  /** Ends the workers of the model. Figures do not call this. */
  dispose(): void;
}

/** The services that the computation of a kind may use. */
export interface KindContext {
  readonly engine: Engine;
  readonly vocabulary: Vocabulary;
  readonly photographs: Photographs;
  /** Creates a trainer in a separate worker, which the caller disposes of; undefined on pages without training. */
  readonly createTrainer?: ((spec: TrainConfig) => Promise<Trainer>) | undefined;
  /** Loads the text of character tasks; undefined on pages without the text. Rejects with a sentence if the text cannot be loaded. */
  readonly corpus?: (() => Promise<string>) | undefined;
  /** Returns the trained models, whose code and files are loaded on the first call; undefined on pages without trained models. */
  readonly models?: (() => Promise<ShippedModels>) | undefined;
  /**
   * Returns the language model of the page, which is opened on the first call; undefined on pages without one. The caller does not dispose
   * of the model.
   */
  readonly languageModel?: (() => Promise<LanguageModel>) | undefined;
  /** Runs `diagnose` of phasor/doctor in a separate worker, which the signal terminates; undefined on pages without it. */
  readonly diagnose?: Diagnose | undefined;
  /** A cache of the figure that persists across computations. */
  readonly cache?: FigureCache | undefined;
  /** The pace that the reader sets for a computation whose steps are shown. */
  readonly pace?: Pace | undefined;
  /**
   * Aborted when the numbers are no longer needed. Kinds check the signal between the steps of a long computation, and do not pass it to the
   * engine, which figures share.
   */
  readonly signal?: AbortSignal | undefined;
  /** Reports the completed fraction of a long computation, from 0 to 1. */
  progress?(fraction: number): void;
  /** Shows the numbers of the picture (`LiveFigure.partial`) before the remaining numbers, such as a proof, are computed. */
  partial?(numbers: object): void;
}

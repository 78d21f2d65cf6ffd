// The engine, and the services of the page that a kind of figure may use in its computations.
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

/** The methods of an engine that a kind of figure may call. */
export type Engine = Pick<RemotePhasor, Exclude<keyof RemotePhasor, 'dispose' | 'variant' | 'version'>>;

export interface Vocabulary {
  readonly meanNorm: number;
  readonly problem: string | undefined;
  prepare(words: readonly string[]): Promise<void>;
  vector(word: string): Float32Array | undefined;
  /** Clears a failure, so that the next unknown word triggers another attempt to load the vectors. */
  retry?(): void;
}

/** Runs `diagnose` of phasor/doctor. Rejects with a PhasorError. */
export type Diagnose = (request: DiagnoseRequest, signal?: AbortSignal) => Promise<Report>;

/** A language model and its tokenizer. The model runs in a separate worker and is shared by all figures on the page. */
export interface LanguageModel {
  /** An id that is unique on the page. */
  readonly key: number;
  /** 'austen' for the shipped model, or the name of the folder or file opened by the user. */
  readonly name: string;
  readonly isShipped: boolean;
  readonly model: Model;
  /** Undefined if the files contain no usable tokenizer. The user then enters token ids instead of text. */
  readonly tokenizer?: AsyncTokenizer | undefined;
  /** A sentence that explains why there is no tokenizer. */
  readonly tokenizerProblem?: string | undefined;
  /** The text of config.json; undefined for a GGUF file. */
  readonly config?: string | undefined;
  /** The metadata of a GGUF file. Lists are represented by their location in the file. */
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
  /** The context length from the config, in tokens. For the shipped model, the length of its longest training text. */
  readonly contextLength?: number | undefined;
  /** Terminates the model's workers. Only the page may call this. */
  dispose(): void;
}

export interface KindContext {
  readonly engine: Engine;
  readonly vocabulary: Vocabulary;
  readonly photographs: Photographs;
  /** Creates a trainer in a separate worker. The caller must dispose of it. Undefined on pages that cannot train. */
  readonly createTrainer?: ((spec: TrainConfig) => Promise<Trainer>) | undefined;
  /** Loads the training text of character-level tasks. Rejects with an Error if loading fails. Undefined on pages without the text. */
  readonly corpus?: (() => Promise<string>) | undefined;
  /** Returns the shipped trained models. Their code and files are loaded on the first call. Undefined on pages without trained models. */
  readonly models?: (() => Promise<ShippedModels>) | undefined;
  /**
   * Returns the page's language model, which is opened on the first call. The caller must not dispose of it. Undefined on pages without a
   * language model.
   */
  readonly languageModel?: (() => Promise<LanguageModel>) | undefined;
  /**
   * Runs `diagnose` of phasor/doctor in a separate worker. Aborting the signal terminates the worker. Undefined on pages without
   * phasor/doctor.
   */
  readonly diagnose?: Diagnose | undefined;
  /** A cache that persists between the figure's computations. */
  readonly cache?: FigureCache | undefined;
  /** The pace at which the steps of a computation are shown, as set by the user. */
  readonly pace?: Pace | undefined;
  /**
   * Aborted when the results are no longer needed. Long computations check it between steps. It must not be passed to the engine, because
   * other figures share the engine.
   */
  readonly signal?: AbortSignal | undefined;
  /** Reports the progress of a long computation, from 0 to 1. */
  progress?(fraction: number): void;
  /** Draws the figure from partial results (see `LiveFigure.partial`) while the remaining ones, such as a proof, are computed. */
  partial?(results: object): void;
}

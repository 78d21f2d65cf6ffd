// The engine, and the services of a page that a kind of figure may use to compute its numbers.
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
  /** Clears a failure, so that the vectors are loaded again for the next unknown word. */
  retry?(): void;
}

/** Runs `diagnose` of phasor/doctor and resolves to its report. Rejects with a PhasorError. */
export type Diagnose = (request: DiagnoseRequest, signal?: AbortSignal) => Promise<Report>;

/** A published language model and its tokenizer. The model runs in a separate worker, and all figures of a page share it. */
export interface LanguageModel {
  /** A number that no other model of the page has. */
  readonly key: number;
  /** 'austen' for the shipped model, or the name of the folder or file that the reader has opened. */
  readonly name: string;
  readonly isShipped: boolean;
  readonly model: Model;
  /** If the files contain no usable tokenizer, this is undefined, and a text consists of token ids. */
  readonly tokenizer?: AsyncTokenizer | undefined;
  /** A sentence with the reason why there is no tokenizer. */
  readonly tokenizerProblem?: string | undefined;
  /** The text of config.json; undefined for a GGUF file. */
  readonly config?: string | undefined;
  /** The metadata of a GGUF file. Lists are given by their location in the file. */
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
  /** The number of positions according to the config. For the shipped model, the length of the longest text that it was trained on. */
  readonly contextLength?: number | undefined;
  /** Ends the workers of the model. Only the page calls this. */
  dispose(): void;
}

export interface KindContext {
  readonly engine: Engine;
  readonly vocabulary: Vocabulary;
  readonly photographs: Photographs;
  /** Creates a trainer in a separate worker. The caller must dispose of it. Undefined on pages that cannot train. */
  readonly createTrainer?: ((spec: TrainConfig) => Promise<Trainer>) | undefined;
  /**
   * Loads the text that character tasks are trained on. Rejects with a sentence if the text cannot be loaded. Undefined on pages without
   * the text.
   */
  readonly corpus?: (() => Promise<string>) | undefined;
  /** Returns the trained models. Their code and files are loaded on the first call. Undefined on pages without trained models. */
  readonly models?: (() => Promise<ShippedModels>) | undefined;
  /**
   * Returns the language model of the page, which is opened on the first call. The caller must not dispose of it. Undefined on pages
   * without a language model.
   */
  readonly languageModel?: (() => Promise<LanguageModel>) | undefined;
  /**
   * Runs `diagnose` of phasor/doctor in a separate worker. Aborting the signal terminates the worker. Undefined on pages without
   * phasor/doctor.
   */
  readonly diagnose?: Diagnose | undefined;
  /** A cache that the figure keeps between computations. */
  readonly cache?: FigureCache | undefined;
  /** The pace at which the steps of a computation are shown. The reader sets it. */
  readonly pace?: Pace | undefined;
  /**
   * Aborted when the numbers are no longer needed. Kinds check it between the steps of a long computation. They do not pass it to the
   * engine, because other figures use the same engine.
   */
  readonly signal?: AbortSignal | undefined;
  /** Reports how much of a long computation is complete, from 0 to 1. */
  progress?(fraction: number): void;
  /** Shows the picture (`LiveFigure.partial`) before the other numbers, such as those of a proof, are computed. */
  partial?(numbers: object): void;
}

// The context of a kind's computation: the engine, and services of the page.
import type { Report } from '../../engine/doctor/report.ts';
import type { DiagnoseRequest } from '../../engine/doctor/requests.ts';
import type { RemotePhasor } from '../../engine/index.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { FigureCache } from '../runtime/outcome.ts';
import type { Pace } from '../runtime/pace.ts';
import type { Photographs } from '../runtime/photographs.ts';
import type { ShippedModels } from '../runtime/shipped-models.ts';

/** The engine in the form that kinds use: every number of a figure comes from here. */
export type Engine = Pick<RemotePhasor, Exclude<keyof RemotePhasor, 'dispose' | 'variant' | 'version'>>;

/** Word vectors that are loaded on demand. */
export interface Vocabulary {
  readonly meanNorm: number;
  readonly problem: string | undefined;
  prepare(words: readonly string[]): Promise<void>;
  vector(word: string): Float32Array | undefined;
  /** Clears a failure: the next unknown word loads the vectors again. */
  retry?(): void;
}

/** The report on a dump. Rejects with a PhasorError. */
export type Diagnose = (request: DiagnoseRequest, signal?: AbortSignal) => Promise<Report>;

/** The context of a kind's computation. */
export interface KindContext {
  readonly engine: Engine;
  readonly vocabulary: Vocabulary;
  readonly photographs: Photographs;
  /** A trainer in a separate worker, which the caller disposes of; undefined on pages without training. */
  readonly createTrainer?: ((spec: TrainConfig) => Promise<Trainer>) | undefined;
  /** The text of character tasks; undefined on pages without it. Rejects with one sentence if it cannot be loaded. */
  readonly corpus?: (() => Promise<string>) | undefined;
  /** Trained models, whose code and files are loaded on the first call; undefined on pages without them. */
  readonly models?: (() => Promise<ShippedModels>) | undefined;
  /** The doctor (`phasor/doctor`) in a separate worker, which the signal ends; undefined on pages without it. */
  readonly diagnose?: Diagnose | undefined;
  /** The cache of the figure across computations. */
  readonly kept?: FigureCache | undefined;
  /** For a `paced` computation. */
  readonly pace?: Pace | undefined;
  /**
   * Aborted when the numbers are no longer needed. Checked between the steps of a long computation; not passed to the engine, which figures share.
   */
  readonly signal?: AbortSignal | undefined;
  /** Completed fraction of a long computation, 0 to 1. */
  progress?(share: number): void;
  /** Shows the numbers of a picture before the rest, such as a proof, is computed (`LiveFigure.partial`). */
  partial?(numbers: object): void;
}

// The context of a kind's computation: the engine, and services of the page.
import type { RemotePhasor } from '../../engine/index.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { FigureCache } from '../runtime/outcome.ts';
import type { Pace } from '../runtime/pace.ts';
import type { Photographs } from '../runtime/photographs.ts';
import type { ShippedModels } from '../runtime/shipped-models.ts';

/** The engine as kinds see it: every number of a figure comes from here. */
export type Engine = Pick<RemotePhasor, Exclude<keyof RemotePhasor, 'dispose' | 'variant' | 'version'>>;

/** Words that are fetched when they are needed. */
export interface Vocabulary {
  readonly meanNorm: number;
  readonly problem: string | undefined;
  prepare(words: readonly string[]): Promise<void>;
  vector(word: string): Float32Array | undefined;
  /** Clears a failure, if there was one: the next unknown word loads the vectors again. */
  retry?(): void;
}

/** The context of a kind's computation. */
export interface KindContext {
  readonly engine: Engine;
  readonly vocabulary: Vocabulary;
  readonly photographs: Photographs;
  /** A trainer in a separate worker, which the caller disposes of; undefined on pages without training. */
  readonly createTrainer?: ((spec: TrainConfig) => Promise<Trainer>) | undefined;
  /** The text that tasks of characters read; undefined on pages that have none. Rejects with one sentence where it cannot be had. */
  readonly corpus?: (() => Promise<string>) | undefined;
  /** Models that are trained already, whose program and files come when it is called; undefined on pages that have none. */
  readonly models?: (() => Promise<ShippedModels>) | undefined;
  /** The cache of the figure across computations. */
  readonly kept?: FigureCache | undefined;
  /** Of a computation that is `paced`. */
  readonly pace?: Pace | undefined;
  /** Aborted when the numbers are no longer needed. Check it between the steps of a long computation; not for the engine, which figures share. */
  readonly signal?: AbortSignal | undefined;
  /** Share of a long computation that is done, 0 to 1. */
  progress?(share: number): void;
  /** Shows what a picture needs before the rest, such as a proof, is computed (`LiveFigure.early`). */
  partial?(numbers: object): void;
}

// Examines one dump: measures how well states fit it, and caches the statistics of planes.

import { detectFormat, FORMATS, NOISE, type Vectors } from './dump.ts';
import { type Fit, MAX_RESIDUAL, measureFit } from './fit.ts';
import { freeResidual, type PlaneStatistics, type Planes, planeStatistics, planesKey } from './planes.ts';
import type { NoiseFormat } from './report.ts';
import type { Angles, State } from './state.ts';
import type { Variation } from './variations.ts';

/** A state, the variations that lead to it, and how well it fits. */
export interface Candidate {
  readonly state: State;
  readonly variations: readonly Variation[];
  readonly fit: Fit;
  /** Index in the order of creation. If two candidates fit equally well, the one with the lower index is preferred. */
  readonly order: number;
}

export class Examination {
  format: NoiseFormat;
  private readonly statistics = new Map<string, PlaneStatistics>();
  private candidateCount = 0;

  constructor(
    readonly inputVectors: Vectors,
    readonly outputVectors: Vectors,
    readonly angles: Angles,
    readonly tokens: readonly number[],
    readonly heads: readonly number[],
  ) {
    this.format = detectFormat(inputVectors.data, outputVectors.data);
  }

  get noise(): number {
    return NOISE[this.format];
  }

  statisticsOf(planes: Planes): PlaneStatistics {
    const key = planesKey(planes);
    let planeStats = this.statistics.get(key);
    if (!planeStats) {
      planeStats = planeStatistics(this.inputVectors, this.outputVectors, planes, this.tokens, this.heads);
      this.statistics.set(key, planeStats);
    }
    return planeStats;
  }

  /** The lowest residual that any angles can reach in these planes. */
  minResidual(planes: Planes, perHead: boolean): number {
    return freeResidual(this.statisticsOf(planes), perHead);
  }

  /**
   * The finest format whose rounding explains a residual of this size. It is not finer than the format of the dump. Undefined if no format explains
   * the residual.
   */
  coarsen(residual: number): NoiseFormat | undefined {
    return FORMATS.slice(FORMATS.indexOf(this.format)).find((format) => residual <= MAX_RESIDUAL * NOISE[format]);
  }

  /** Fits a state. Returns undefined if the core rejects the encoding of the state. */
  fitState(state: State, variations: readonly Variation[]): Candidate | undefined {
    const angles = this.angles.computeAngles(state);
    if (!angles) return undefined;
    const fit = measureFit(this.statisticsOf(state.planes), { ...angles, gain: state.gain }, this.noise);
    return { state, variations, fit, order: this.candidateCount++ };
  }
}

/** Applies one more variation to a state. Returns undefined if the variation does not apply. */
export function applyVariation(state: State, { id, params, apply }: Variation): State | undefined {
  try {
    return { ...state, ...apply(state), findings: [...state.findings, { id, params }] };
  } catch {
    return undefined;
  }
}

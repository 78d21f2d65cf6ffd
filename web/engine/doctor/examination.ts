// Measures how well hypotheses about a rotation (states, see state.ts) fit a dump, and caches statistics of its channel pairs.

import { detectFormat, FORMATS, NOISE, type Vectors } from './dump.ts';
import { type Fit, MAX_RESIDUAL, measureFit } from './fit.ts';
import { freeResidual, type PlaneStatistics, type Planes, planeStatistics, planesKey } from './planes.ts';
import type { NoiseFormat } from './report.ts';
import type { Angles, State } from './state.ts';
import type { Variation } from './variations.ts';

/** A hypothesis, the variations of the claimed encoding that lead to it, and how well it fits. */
export interface Candidate {
  readonly state: State;
  readonly variations: readonly Variation[];
  readonly fit: Fit;
  /** Index in order of creation. Among equally good candidates, the lowest index is preferred. */
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

  /** Returns the residual with the best possible angles for these channel pairs. */
  minResidual(planes: Planes, perHead: boolean): number {
    return freeResidual(this.statisticsOf(planes), perHead);
  }

  /**
   * Returns the most precise format whose rounding error explains a residual of this size, but none more precise than `format`. Returns undefined if
   * there is none.
   */
  coarsen(residual: number): NoiseFormat | undefined {
    return FORMATS.slice(FORMATS.indexOf(this.format)).find((format) => residual <= MAX_RESIDUAL * NOISE[format]);
  }

  /** Returns undefined if the encoding of the state is invalid. */
  fitState(state: State, variations: readonly Variation[]): Candidate | undefined {
    const angles = this.angles.computeAngles(state);
    if (!angles) return undefined;
    const fit = measureFit(this.statisticsOf(state.planes), { ...angles, gain: state.gain }, this.noise);
    return { state, variations, fit, order: this.candidateCount++ };
  }
}

/** Applies a variation to a state. Returns undefined if it is not applicable. */
export function applyVariation(state: State, { id, params, apply }: Variation): State | undefined {
  try {
    return { ...state, ...apply(state), findings: [...state.findings, { id, params }] };
  } catch {
    return undefined;
  }
}

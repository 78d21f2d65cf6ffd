// Trains a model per line and seed on this page (runtime/train-lines.ts) and evaluates it at intervals.
import type { SeedValues } from '../../compute/seeds.ts';
import { type LinesState, type TrainLinesOptions, trainLines } from '../../runtime/train-lines.ts';

/** Number of points per curve, and number of evaluation samples per point. */
const POINT_COUNT = 20;
const SAMPLE_COUNT = 100;

export interface LiveState extends LinesState {
  readonly steps: readonly number[];
  readonly values: { readonly score: SeedValues; readonly loss: SeedValues };
}

export interface RaceOptions extends Omit<TrainLinesOptions, 'pointCount' | 'measure' | 'onStateChange'> {
  onStateChange(state: LiveState): void;
}

/** Trains all lines. @returns the results when training ends or the user stops it */
export async function trainRace(options: RaceOptions): Promise<LiveState> {
  const createEmptyCurves = (): number[][][] => options.configs.map(() => options.seeds.map(() => []));
  const [score, loss] = [createEmptyCurves(), createEmptyCurves()];
  const addCurves = (state: LinesState): LiveState => {
    const steps = Array.from({ length: POINT_COUNT }, (_, point) => (point + 1) * state.stepsPerPoint);
    return { ...state, steps, values: { score, loss } };
  };
  const finalState = await trainLines({
    ...options,
    pointCount: POINT_COUNT,
    async measure({ trainer, line, seed, loss: mean }) {
      const [measured] = (await trainer.evaluate({ numSamples: SAMPLE_COUNT, extraMetrics: false })).lengths;
      score[line]?.[seed]?.push(measured?.score ?? Number.NaN);
      loss[line]?.[seed]?.push(mean);
    },
    onStateChange: (state) => options.onStateChange(addCurves(state)),
  });
  return addCurves(finalState);
}

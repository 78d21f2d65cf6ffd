// The recorded curves, and the results of the recorded models on the default text (scripts/train/record-circuit.mjs). Loaded when a figure
// shows them.
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { type ModelView, withBestHeads } from './model.ts';
import recorded from './recorded.json';

type LineId = keyof typeof recorded.lines;

/** The command that made the recording, the number of steps per point, and the training config. */
export const { command, every: stepsPerPoint, spec: SPEC } = recorded;
const NUM_POINTS = SPEC.steps / stepsPerPoint;
export const STEPS: readonly number[] = Array.from({ length: NUM_POINTS }, (_, point) => (point + 1) * stepsPerPoint);

/** The recorded curves of an encoding by seed, from 1. Seed 1 trained the shipped model. */
export function curvesOf(id: string) {
  return recorded.lines[id as LineId];
}

export const configOf = (encoding: ResolvedTrainConfig['encoding'], seed: number): ResolvedTrainConfig =>
  ({ ...SPEC, encoding, seed }) as ResolvedTrainConfig;

const fromPercents = (percents: readonly number[]): Float32Array<ArrayBuffer> => Float32Array.from(percents, (value) => value / 100);

/** The model of seed 1 at a point, on the default text. */
export function viewAt(id: string, point: number): ModelView | undefined {
  const view = curvesOf(id)?.views[point];
  if (!view) return undefined;
  const { layers, heads, embedDim } = SPEC;
  const maps = fromPercents(view.maps);
  const wordCount = Math.sqrt(maps.length / (layers * heads));
  return withBestHeads({
    ...view,
    probabilities: fromPercents(view.probabilities),
    step: STEPS[point] as number,
    layers,
    heads,
    maps: { shape: [layers, heads, wordCount, wordCount], data: maps },
    composition: { shape: [heads, heads], data: fromPercents(view.composition) },
    baseline: 1 / Math.sqrt(embedDim),
  });
}

// Recorded training curves, and the recorded models' results on the default text (scripts/train/record-circuit.mjs). Loaded on first use.
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { addBestHeads, type ModelView } from './model.ts';
import recorded from './recorded.json';

type LineId = keyof typeof recorded.lines;

/** The command that created the recording, the number of steps between points, and the training config. */
export const { command, every: stepsPerPoint, spec: TRAIN_CONFIG } = recorded;
const NUM_POINTS = TRAIN_CONFIG.steps / stepsPerPoint;
export const STEPS: readonly number[] = Array.from({ length: NUM_POINTS }, (_, point) => (point + 1) * stepsPerPoint);

/** Returns an encoding's recording. Its `seeds` start with seed 1, with which the shipped model was trained. */
export function findRecordedLine(id: string) {
  return recorded.lines[id as LineId];
}

export const createConfig = (encoding: ResolvedTrainConfig['encoding'], seed: number): ResolvedTrainConfig =>
  ({ ...TRAIN_CONFIG, encoding, seed }) as ResolvedTrainConfig;

const fromPercents = (percents: readonly number[]): Float32Array<ArrayBuffer> => Float32Array.from(percents, (value) => value / 100);

/** Returns the results on the default text, at one point, of the model trained with seed 1. */
export function findRecordedView(id: string, point: number): ModelView | undefined {
  const view = findRecordedLine(id)?.views[point];
  if (!view) return undefined;
  const { layers, heads, embedDim } = TRAIN_CONFIG;
  const maps = fromPercents(view.maps);
  const wordCount = Math.sqrt(maps.length / (layers * heads));
  return addBestHeads({
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

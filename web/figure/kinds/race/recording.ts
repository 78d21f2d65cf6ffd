// Curves recorded by scripts/train/record.mjs. Loaded only when a figure displays them.

import { lastEntry } from '../../../charts/entry-at.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { computeMean } from '../../compute/seeds.ts';
import { TRAINING_STRINGS } from '../../compute/training-strings.ts';
import { SpecError } from '../../contract/spec.ts';
import recorded from './recorded.json';

export type Task = keyof typeof recorded;
type LineId = keyof (typeof recorded)['order']['lines'];

export function getRecording(task: Task, ids: readonly string[]) {
  const { command, chance, every, spec, lines } = recorded[task];
  const selectedLines = ids.map((id) => lines[id as LineId]);
  const points = selectedLines[0]?.score[0]?.length ?? 0;
  return {
    command,
    chance,
    total: spec.steps,
    steps: Array.from({ length: points }, (_, point) => (point + 1) * every),
    lines: selectedLines,
    recordedAccuracy: selectedLines.map(({ score }) => computeMean(score.map((curve) => lastEntry(curve)))),
    getTrainConfig: (line: number, seed: number): ResolvedTrainConfig => {
      const { encoding, causal } = selectedLines[line] as (typeof selectedLines)[number];
      return { ...spec, encoding, causal, seed } as ResolvedTrainConfig;
    },
  };
}

export function getRecordedValues(task: Task, ids: readonly string[], seeds: readonly number[]) {
  const { lines } = getRecording(task, ids);
  const [first = 1, last = first] = [seeds[0], seeds.at(-1)];
  if (first < 1 || last > (lines[0]?.score.length ?? 0)) throw new SpecError('seed', `seed: ${TRAINING_STRINGS.notRecorded(first, last)}`);
  const seedCurves = (measure: 'score' | 'loss') => lines.map((line) => seeds.map((seed) => line[measure][seed - 1] as number[]));
  return { score: seedCurves('score'), loss: seedCurves('loss') };
}

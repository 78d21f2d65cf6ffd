// The recorded curves (scripts/train/record-circuit.mjs), loaded when a figure shows them.
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import recorded from './recorded.json';

type LineId = keyof typeof recorded.lines;

/** Steps per point, and the points of every curve. */
export const { command, every, spec: SPEC } = recorded;
export const STEPS: readonly number[] = recorded.lines.rope.loss.map((_, point) => (point + 1) * every);

/** The curves of an encoding with its default parameters, of seed 1. */
export function curvesOf(id: string) {
  return recorded.lines[id as LineId];
}

export const configOf = (encoding: ResolvedTrainConfig['encoding'], seed: number): ResolvedTrainConfig =>
  ({ ...SPEC, encoding, seed }) as ResolvedTrainConfig;

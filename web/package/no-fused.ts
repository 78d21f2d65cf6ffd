// For figures and their workers, in the place of web/engine/fused.ts: a picture is the same on every machine, to the last bit of its numbers
// (scripts/site/worker-source.mjs).
import type { fuse as fuses } from '../engine/fused.ts';

export const hasRelaxedSimd = () => false;
export const fuse: typeof fuses = () => false;

/** Snapshots of a run, after the one before the first step. */
export const SNAPSHOTS = 20;

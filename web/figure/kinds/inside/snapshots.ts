/** Snapshots of a run, after the one before the first step. */
export const SNAPSHOTS = 20;

/** The fields that lead back to what was recorded. */
export const RECORDED = { run: 'recorded', seed: 1, snapshot: SNAPSHOTS } as const;

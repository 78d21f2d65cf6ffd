/** Snapshots of a run, besides the one before the first step. */
export const SNAPSHOTS = 20;

/** The fields that restore the recording. */
export const RECORDED = { run: 'recorded', seed: 1, snapshot: SNAPSHOTS } as const;

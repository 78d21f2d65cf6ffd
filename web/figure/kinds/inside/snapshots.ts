/** Number of snapshots per run, not counting the one before the first step. */
export const SNAPSHOTS = 20;

/** The fields that show the recording again. */
export const RECORDING_FIELDS = { run: 'recorded', seed: 1, snapshot: SNAPSHOTS } as const;

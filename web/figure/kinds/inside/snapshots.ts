/** Number of snapshots per run, not counting the one before the first step. */
export const NUM_SNAPSHOTS = 20;

/** The fields that show the recording again. */
export const RECORDING_FIELDS = { run: 'recorded', seed: 1, snapshot: NUM_SNAPSHOTS } as const;

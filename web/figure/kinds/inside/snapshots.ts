/** Number of snapshots per training run, not counting the one before the first step. */
export const NUM_SNAPSHOTS = 20;

export const RECORDING_FIELDS = { run: 'recorded', seed: 1, snapshot: NUM_SNAPSHOTS } as const;

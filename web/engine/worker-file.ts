// Type declarations for phasor/worker.js, the script to pass as the `worker` option. It has no exports.
export {};

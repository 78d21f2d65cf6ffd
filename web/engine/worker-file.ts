// Type declarations for phasor/worker.js, the script for the option `worker`. It has no exports.
export {};

// Declarations of phasor/worker.js, the script for the option `worker`. The script exports nothing.
export {};

// Types of phasor/worker.js, a script for the option `worker`, which exports nothing.
export {};

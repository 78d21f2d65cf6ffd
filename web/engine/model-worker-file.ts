// Declarations of phasor/model-worker.js, a script to pass to openModelWorker as the option `worker`. It exports nothing.
export {};

// Types of phasor/model-worker.js, a script for the option `worker` of openModelWorker, which exports nothing.
export {};

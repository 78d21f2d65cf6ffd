// Declarations of phasor/model-worker.js, the script for the option `worker` of openModelWorker. The script exports nothing.
export {};

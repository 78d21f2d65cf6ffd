/** The names of PhasorOptions. */
export const PHASOR_OPTION_NAMES = ['wasm', 'variant', 'timeout'] as const;
/** The names of WorkerOptions. */
export const WORKER_OPTION_NAMES = [...PHASOR_OPTION_NAMES, 'worker', 'fallback'] as const;

export const PHASOR_OPTION_NAMES = ['wasm', 'variant', 'timeout'] as const;
export const WORKER_OPTION_NAMES = [...PHASOR_OPTION_NAMES, 'worker', 'fallback'] as const;

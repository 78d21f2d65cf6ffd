/** What an engine computes with, in words. */
export const VARIANTS = { relaxed: 'WebAssembly relaxed SIMD', simd: 'WebAssembly SIMD' } as const;

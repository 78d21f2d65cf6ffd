/** What an engine computes with, in words. */
export const VARIANTS = { relaxed: 'WebAssembly relaxed SIMD', simd: 'WebAssembly SIMD', scalar: 'WebAssembly without SIMD' } as const;

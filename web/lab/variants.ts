/** The two WebAssembly files in words. */
export const VARIANTS = { simd: 'WebAssembly SIMD', scalar: 'WebAssembly without SIMD' } as const;

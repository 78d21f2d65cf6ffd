import { PhasorError } from '../errors/errors.ts';
import { refusal } from '../errors/refusal.ts';
import { notOneOf } from '../request/refused-value.ts';
import type { PhasorOptions, Variant } from '../types/api.ts';
import { hasRelaxedSimd } from './fused.ts';

// A module with one function, `i32.const 0; i8x16.splat; i8x16.popcnt; drop`: it validates only where SIMD128 is supported.
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 15, 253, 98, 26, 11,
]);

export const hasSimd = () => WebAssembly.validate(simdProbe);

/**
 * The variant that this JavaScript engine can run; 'auto' (default) is SIMD where it is supported.
 * @throws {PhasorError} `unsupported` where there is no WebAssembly at all, or none of the variant wanted; `invalid_argument` for any other word
 * @example
 * ```js
 * const { chooseVariant } = await import('phasor');
 * chooseVariant('scalar'); // 'scalar'
 * ```
 */
export function chooseVariant(wanted: PhasorOptions['variant'] = 'auto'): Variant {
  if (typeof WebAssembly !== 'object') {
    throw new PhasorError('unsupported', 'Phasor computes in WebAssembly, which this browser does not have or does not allow.');
  }
  const simd = hasSimd();
  if (wanted === 'auto') return hasRelaxedSimd() ? 'relaxed' : simd ? 'simd' : 'scalar';
  if (wanted !== 'relaxed' && wanted !== 'simd' && wanted !== 'scalar') {
    throw notOneOf('variant', wanted, ['auto', 'relaxed', 'simd', 'scalar']);
  }
  if (wanted === 'simd' && !simd)
    throw refusal('variant', 'this engine has no WebAssembly SIMD; use "scalar" or "auto"', { code: 'unsupported' });
  if (wanted === 'relaxed' && !hasRelaxedSimd())
    throw refusal('variant', 'this engine has no relaxed SIMD of WebAssembly; use "simd" or "auto"', { code: 'unsupported' });
  return wanted;
}

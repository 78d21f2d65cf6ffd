import { refusal } from '../errors/refusal.ts';
import { notOneOf } from '../request/refused-value.ts';
import type { PhasorOptions, Variant } from '../types/api.ts';
import { hasRelaxedSimd } from './fused.ts';
import { checkWebAssembly, hasSimd } from './simd.ts';

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
  checkWebAssembly();
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

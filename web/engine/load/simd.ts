// Detects the SIMD instructions that the engine requires, and the optional relaxed SIMD instructions.

import { argumentError, PhasorError } from '../errors.ts';
import { notOneOfError } from '../request/invalid-value.ts';
import type { PhasorOptions, Variant } from '../types/api.ts';

// A module with one function, `i32.const 0; i8x16.splat; i8x16.popcnt; drop`. It is valid only if SIMD128 is supported.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 15, 253, 98, 26, 11,
]);
// A module with `local.get 0; local.get 0; local.get 0; f32x4.relaxed_madd; drop`, encoded with the opcode of the final standard. It is valid only
// if relaxed SIMD is supported.
const RELAXED_SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 16, 1, 14, 1, 1, 123, 32, 0, 32, 0, 32, 0, 253, 133, 2, 26, 11,
]);

export const hasRelaxedSimd = () => WebAssembly.validate(RELAXED_SIMD_PROBE);

/**
 * Checks that WebAssembly and its SIMD instructions are available.
 * @throws {PhasorError} `unsupported` if there is no WebAssembly, or no SIMD
 */
export function checkWebAssembly(): void {
  const missingFeature =
    typeof WebAssembly !== 'object' ? 'WebAssembly' : WebAssembly.validate(SIMD_PROBE) ? undefined : 'WebAssembly SIMD';
  if (missingFeature)
    throw new PhasorError(
      'unsupported',
      `this JavaScript engine does not support ${missingFeature} or forbids it; expected Chrome 91, Firefox 89, Safari 16.4, Node 20 or newer`,
    );
}

const VARIANTS = ['auto', 'relaxed', 'simd'] as const;

/**
 * Returns the variant that an engine uses on this machine. 'auto' (default) selects 'relaxed' if that is supported.
 * @throws {PhasorError} `unsupported` if WebAssembly or the requested variant is not supported; `invalid_argument` for an unknown variant
 * @example
 * ```js
 * const { chooseVariant } = await import('phasor');
 * chooseVariant('simd'); // 'simd'
 * ```
 */
export function chooseVariant(requested: PhasorOptions['variant'] = 'auto'): Variant {
  checkWebAssembly();
  if (!VARIANTS.includes(requested)) throw notOneOfError('variant', requested, [...VARIANTS]);
  if (requested === 'auto') return hasRelaxedSimd() ? 'relaxed' : 'simd';
  if (requested === 'relaxed' && !hasRelaxedSimd())
    throw argumentError('variant', 'this JavaScript engine does not support WebAssembly relaxed SIMD; use "simd" or "auto"', {
      code: 'unsupported',
    });
  return requested;
}

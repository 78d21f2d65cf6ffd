// Phasor for browsers and bundlers: the engine on the calling thread.

import { directCreator } from './create/direct.ts';
import { browser } from './platform/browser.ts';
import type { Phasor, PhasorOptions } from './types/api.ts';

export * from './shared-exports.ts';

/**
 * Creates an engine on the calling thread.
 * @throws {PhasorError} as a rejection: `not_found`, `fetch_failed`, `not_wasm`, `truncated`, `timeout` and `blocked_by_csp` while loading the
 * WebAssembly, `unsupported` if the JavaScript engine has no WebAssembly, `unknown_name` and `invalid_argument` for invalid options
 * @example
 * ```js
 * const { createPhasor } = await import('phasor');
 * const engine = await createPhasor({ variant: 'simd' });
 * engine.variant; // 'simd'
 * ```
 */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(browser);

// Phasor for browsers and bundlers: the engine on the calling thread.

import { directCreator } from './create/direct.ts';
import { browser } from './platform/browser.ts';
import type { Phasor, PhasorOptions } from './types/api.ts';

export * from './shared-exports.ts';

/**
 * Creates an engine on the calling thread.
 * @throws {PhasorError} rejects with `not_found`, `fetch_failed`, `not_wasm`, `truncated`, `timeout` or `blocked_by_csp` if the WebAssembly
 * cannot be loaded, with `unsupported` if the JavaScript engine has no WebAssembly, and with `unknown_name` or `invalid_argument` for
 * invalid options
 * @example
 * ```js
 * const { createPhasor } = await import('phasor');
 * const engine = await createPhasor({ variant: 'simd' });
 * engine.variant; // 'simd'
 * ```
 */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(browser);

// Phasor for browsers and bundlers: the engine on the calling thread.

import { directCreator } from './create.ts';
import { browser } from './platform.browser.ts';
import type { Phasor, PhasorOptions } from './types.ts';

export * from './shared-exports.ts';

/** An engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(browser);

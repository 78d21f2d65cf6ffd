import { directCreator } from './create/direct.ts';
import { node } from './platform/node.ts';
import type { Phasor, PhasorOptions } from './types/api.ts';

export * from './shared-exports.ts';

/** Creates an engine on the calling thread. */
export const createPhasor: (options?: PhasorOptions) => Promise<Phasor> = /* @__PURE__ */ directCreator(node);

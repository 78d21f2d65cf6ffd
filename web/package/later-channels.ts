// In phasor/figure, in the place of web/figure/channel-order.ts: few figures reorder channels, so how is in the file beside this one
// (scripts/vite/later-programs.mjs).
import type { channelOrder as order } from '../figure/channel-order.ts';

export const channelOrder: typeof order = async (...args) => {
  const later = (await import('./figure-programs.js' as string)) as { readonly channelOrder: typeof order };
  return later.channelOrder(...args);
};

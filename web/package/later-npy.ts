// In phasor/figure, in the place of web/figure/take-away/npy-file.ts: arrays become files when somebody takes one (scripts/vite/later-programs.mjs).
import type { npyFile as file } from '../figure/take-away/npy-file.ts';

export const npyFile: typeof file = async (tensor) => {
  const later = (await import('./figure-programs.js' as string)) as { readonly npyFile: typeof file };
  return later.npyFile(tensor);
};

// In phasor/figure, in the place of web/figure/files/read-file.ts: files of readers are read by the file beside this one, which is there long before
// anybody has dropped one (scripts/vite/later-programs.mjs).
import type { readFile as read } from '../figure/files/read-file.ts';

export const readFile: typeof read = async (file) => {
  const later = (await import('./figure-programs.js' as string)) as { readonly readFile: typeof read };
  return later.readFile(file);
};

// In phasor/figure, in the place of web/figure/kinds/requirements-numbers.ts: how five requirements are measured is much for one kind of figure, so it is
// in the file beside this one (scripts/vite/later-programs.mjs).
import type { requirementNumbers as measure } from '../figure/kinds/requirements-numbers.ts';

export const requirementNumbers: typeof measure = async (...args) => {
  const later = (await import('./figure-programs.js' as string)) as { readonly requirementNumbers: typeof measure };
  return later.requirementNumbers(...args);
};

// Defines <phasor-figure> for pages of this site.

import { defineFigure } from './element.ts';
import { startEngine } from './engine.ts';
import type { Vocabulary } from './kind.ts';
import type { Photographs } from './photographs.ts';
import { allKinds } from './registry.ts';
import { PageServices } from './services.ts';

export const defineSiteFigure = (vocabulary: Vocabulary, photographs: Photographs): void =>
  defineFigure(new PageServices({ startEngine, vocabulary, photographs, kinds: allKinds }));

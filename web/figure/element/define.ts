// Defines <phasor-figure> for pages of this site.

import { allKindsSource } from '../contract/all-kinds.ts';
import type { Vocabulary } from '../contract/kind.ts';
import { createTrainer, diagnose, startEngine } from '../runtime/engine.ts';
import type { Photographs } from '../runtime/photographs.ts';
import { PageServices } from '../runtime/services.ts';
import { defineFigure } from './define-figure.ts';

export const defineSiteFigure = (vocabulary: Vocabulary, photographs: Photographs, scriptUrl: string | undefined): void =>
  defineFigure(
    new PageServices({ startEngine, createTrainer, diagnose, vocabulary, photographs, kinds: allKindsSource, script: scriptUrl }),
    import.meta.url,
  );

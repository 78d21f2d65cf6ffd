// Defines <phasor-figure> once per page, by the first script.
import { version } from '../../../package.json';
import { figureNames, withOldNames } from '../../engine/request/renamed.ts';
import { STRINGS } from '../contract/strings.ts';
import type { PageServices } from '../runtime/services.ts';
import { BlockedFigure, isMarkupForbidden } from './blocked-figure.ts';
import { PhasorFigure, shareServices } from './element.ts';

/**
 * Defines the element for this page, with the shared services. Later scripts of the same version have no effect.
 * @param from the URL of the script, for error messages
 */
export function defineFigure(services: PageServices, from: string): void {
  shareServices(services);
  const first = customElements.get('phasor-figure') as Partial<typeof PhasorFigure> | undefined;
  if (!first && isMarkupForbidden()) {
    customElements.define('phasor-figure', BlockedFigure);
  } else if (!first) {
    PhasorFigure.from = from;
    withOldNames(PhasorFigure.prototype, figureNames());
    customElements.define('phasor-figure', PhasorFigure);
  } else if (first.version !== version) {
    console.warn(STRINGS.otherVersion(first, { version, from }));
  }
}

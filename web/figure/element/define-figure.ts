// Defines <phasor-figure> once per page, by the first script.
import { version } from '../../../package.json';
import { listOldFigureNames, withOldNames } from '../../engine/request/renamed.ts';
import { STRINGS } from '../contract/strings.ts';
import type { PageServices } from '../runtime/services.ts';
import { BlockedFigure, isMarkupForbidden } from './blocked-figure.ts';
import { PhasorFigure, shareServices } from './element.ts';

/**
 * Defines the element for this page, with the shared services. Later scripts of the same version have no effect.
 * @param scriptUrl the URL of the script, for error messages
 */
export function defineFigure(services: PageServices, scriptUrl: string): void {
  shareServices(services);
  const definedFigure = customElements.get('phasor-figure') as Partial<typeof PhasorFigure> | undefined;
  if (!definedFigure && isMarkupForbidden()) {
    customElements.define('phasor-figure', BlockedFigure);
  } else if (!definedFigure) {
    PhasorFigure.from = scriptUrl;
    withOldNames(PhasorFigure.prototype, listOldFigureNames());
    customElements.define('phasor-figure', PhasorFigure);
  } else if (definedFigure.version !== version) {
    console.warn(STRINGS.otherVersion(definedFigure, { version, from: scriptUrl }));
  }
}

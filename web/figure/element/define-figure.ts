import { version } from '../../../package.json';
import { listOldFigureNames, withOldNames } from '../../engine/request/renamed.ts';
import { STRINGS } from '../contract/strings.ts';
import type { PageServices } from '../runtime/services.ts';
import { BlockedFigure, isMarkupForbidden } from './blocked-figure.ts';
import { PhasorFigure, shareServices } from './element.ts';

/**
 * Defines <phasor-figure> with the services shared by all figures on the page. Only the first script on a page defines the element; if a
 * later script has another version, a warning is logged.
 * @param scriptUrl the script's URL, for error messages
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

// Defines <phasor-figure>, or its replacement on pages whose Content-Security-Policy forbids its templates.
import { version } from '../../../package.json';
import { argumentError, type PhasorError } from '../../engine/errors.ts';
import { trustedTypesPolicy } from '../../engine/platform/trusted-types.ts';
import { listOldFigureNames, withOldNames } from '../../engine/request/renamed.ts';
import { STRINGS } from '../contract/strings.ts';
import type { PageServices } from '../runtime/services.ts';
import { PhasorFigure, shareServices } from './element.ts';

/** Whether the page forbids this package's markup: it requires Trusted Types, but does not allow the package's policy. */
function isMarkupForbidden(): boolean {
  if (trustedTypesPolicy()) return false;
  try {
    document.createElement('template').innerHTML = '<br>';
    return false;
  } catch {
    return true;
  }
}

/**
 * Defined as <phasor-figure> on pages that forbid its markup. Displays the static picture and an error message below it. Creates its
 * children with DOM methods, because templates cannot be used.
 */
class BlockedFigure extends HTMLElement {
  readonly #problem: PhasorError = argumentError(
    'phasor-figure',
    'the page’s Content-Security-Policy (trusted-types) forbids the figure’s templates; it must allow the policy phasor',
    { code: 'blocked_by_csp' },
  );

  connectedCallback(): void {
    this.dataset.state = 'failed';
    const sentence = Object.assign(document.createElement('p'), { textContent: this.#problem.message });
    sentence.setAttribute('role', 'alert');
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.replaceChildren(document.createElement('slot'), sentence);
  }

  get state(): 'failed' {
    return 'failed';
  }

  get ready(): Promise<void> {
    return Promise.reject(this.#problem);
  }
}

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

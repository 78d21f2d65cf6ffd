// Replaces <phasor-figure> on pages whose Content-Security-Policy forbids its templates. Displays the still picture and an error message
// below.
import { argumentError, type PhasorError } from '../../engine/errors.ts';
import { trustedTypesPolicy } from '../../engine/platform/trusted-types.ts';

/** Whether the page forbids this package's markup: it requires Trusted Types, but does not allow the package's policy. */
export function isMarkupForbidden(): boolean {
  if (trustedTypesPolicy()) return false;
  try {
    document.createElement('template').innerHTML = '<br>';
    return false;
  } catch {
    return true;
  }
}

/** Defined as <phasor-figure> on pages that forbid its markup. Creates its children with DOM methods, because templates cannot be used. */
export class BlockedFigure extends HTMLElement {
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

// Detects violations of a page's Content-Security-Policy. The errors of fetch, WebAssembly and workers rarely mention them.
import { argumentError } from '../errors.ts';

type Violation = Event & { readonly effectiveDirective: string; readonly blockedURI: string };

/** How long to wait for violation events, in ms. The browser dispatches them in a separate task, after it has blocked the request. */
const REPORT_DELAY_MS = 50;

export function watchPolicy() {
  const violations: Violation[] = [];
  const recordViolation = (event: Event) => void violations.push(event as Violation);
  globalThis.addEventListener?.('securitypolicyviolation', recordViolation);
  return {
    stop: () => globalThis.removeEventListener?.('securitypolicyviolation', recordViolation),
    /**
     * Returns the policy directive that blocked a request, or undefined if none did. `matches` receives the blocked URL, or a keyword such as eval.
     */
    async directive(matches: (blocked: string) => boolean): Promise<string | undefined> {
      if (!globalThis.addEventListener) return undefined;
      await new Promise((resolve) => setTimeout(resolve, REPORT_DELAY_MS));
      return violations.find(({ blockedURI }) => matches(blockedURI))?.effectiveDirective;
    },
  };
}

/** Creates an error for a request that the policy blocked. @param url the requested URL */
export const policyError = (path: string, directive: string, advice: string, url = '') =>
  argumentError(path, `${url && `${url}: `}the Content-Security-Policy of the page forbids it (${directive}); ${advice}`, {
    code: 'blocked_by_csp',
  });

// Violations of a page's Content-Security-Policy, which the errors of fetch, WebAssembly and workers report poorly or not at all.
import { argumentError } from '../errors.ts';

type Violation = Event & { readonly effectiveDirective: string; readonly blockedURI: string };

/** Violations are reported in a separate task, after they have taken effect. */
const REPORTED = 50; // ms

/** Collects violations until `stop`. */
export function watchPolicy() {
  const seen: Violation[] = [];
  const see = (event: Event) => void seen.push(event as Violation);
  globalThis.addEventListener?.('securitypolicyviolation', see);
  return {
    stop: () => globalThis.removeEventListener?.('securitypolicyviolation', see),
    /** The directive that blocked a URL or kind for which `isIt` is true. */
    async directive(isIt: (blocked: string) => boolean): Promise<string | undefined> {
      if (!globalThis.addEventListener) return undefined;
      await new Promise((resolve) => setTimeout(resolve, REPORTED));
      return seen.find(({ blockedURI }) => isIt(blockedURI))?.effectiveDirective;
    },
  };
}

/** `address`: the requested URL. */
export const forbidden = (path: string, directive: string, advice: string, address = '') =>
  argumentError(path, `${address && `${address}: `}the Content-Security-Policy of the page forbids it (${directive}); ${advice}`, {
    code: 'blocked_by_csp',
  });

// Creates the Trusted Types policy of this package. In the figure bundles, Lit's templates use the same policy
// (scripts/package/bundle.mjs), so that a page has to allow only one.

interface Policy {
  createHTML(markup: string): string;
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

let cachedPolicy: { readonly policy: Policy | undefined } | undefined;

/**
 * Returns the policy "phasor", which accepts the templates of this package and the URLs of its workers. Returns undefined if the browser
 * does not support Trusted Types, or if the page forbids the policy.
 */
export function trustedTypesPolicy(): Policy | undefined {
  cachedPolicy ??= { policy: createPolicy() };
  return cachedPolicy.policy;
}

function createPolicy(): Policy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    return trustedTypes?.createPolicy('phasor', { createHTML: (markup) => markup, createScriptURL: (url) => url });
  } catch {
    return undefined;
  }
}

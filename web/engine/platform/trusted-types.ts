// The policy of this package on pages with Trusted Types. Pages need to allow only this policy, because Lit's templates in the figure bundles use it
// too (scripts/package/bundle.mjs).

interface Policy {
  createHTML(markup: string): string;
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

let cachedPolicy: { readonly policy: Policy | undefined } | undefined;

/**
 * The policy "phasor", which accepts templates of this package and URLs of its workers. Undefined if the browser has no Trusted Types or
 * the page forbids the policy.
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

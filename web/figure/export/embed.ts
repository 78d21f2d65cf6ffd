// Code that embeds a figure in another page: a script and a tag.

import { escaped } from '../../charts/escaped.ts';
import type { SpecOf } from '../contract/fields.ts';
import type { AnyKind } from '../contract/registry.ts';
import { printLink, printTag } from '../contract/spec.ts';

const EMBED_STRINGS = {
  instead: (question: string) => `${question} If no figure appears here, open it in Phasor.`,
} as const;

/** The end of the URL of the script on a site, which also has a page for any figure. */
const SCRIPT = /\/embed\/figure\.js$/;

/** A link to the figure on its site, which is visible if the script does not load; '' for a script elsewhere. */
function linkInside(kind: AnyKind, spec: SpecOf<AnyKind['fields']>, script: string): string {
  const { href, pathname } = new URL(script);
  if (!SCRIPT.test(pathname)) return '';
  const address = new URL(`../gallery/?${printLink(kind, spec)}`, href);
  return `<a href="${escaped(address.href)}">${escaped(EMBED_STRINGS.instead(kind.question))}</a>`;
}

/**
 * Markup for another page that works unchanged, or through a bundler if no shared script is known.
 * @param script the URL of a script that defines <phasor-figure>
 */
export function embedCode(kind: AnyKind, spec: SpecOf<AnyKind['fields']>, script: string | undefined): string {
  const tag = script === undefined ? ">import 'phasor/figure';</script>" : ` src="${escaped(script)}"></script>`;
  const inside = script === undefined ? '' : linkInside(kind, spec, script);
  return `<script type="module"${tag}\n${printTag(kind, spec).replace('</', () => `${inside}</`)}`;
}
